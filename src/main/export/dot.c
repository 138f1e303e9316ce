/* A Graphviz graph of the paths that keep an object alive. */
#include "main/export/dot.h"
#include "table/cell.h"
#include "table/naming/argument.h"
#include "table/naming/step.h"
#include "table/paths/path_kinds.h"
#include "table/paths/path_steps.h"
#include "table/tables/path.h"

#include "base/text.h"
#include "format/format.h"

#include <inttypes.h>

enum { DOT_ENDS = 10 }; /* default of --depth: steps drawn at either end of a path */

/* A path without its middle: rows 0 ... head - 1 and `tail` ... count - 1 of a path, where row 0 is
   the root. */
struct dot_path {
	const struct path *path;
	struct path_steps steps;
	size_t count, head, tail;
};

static struct entity dot_path_entity(const struct dot_path *shown, size_t row)
{
	return row ? entity_of_object(shown->path->step[shown->steps.at[row - 1]])
	           : (struct entity){ENTITY_ROOT, shown->path->root, 0};
}

static size_t dot_path_next(const struct dot_path *shown, size_t row)
{
	return row + 1 == shown->head ? shown->tail : row + 1;
}

static size_t dot_path_new_nodes(const struct dot *dot, const struct dot_path *shown)
{
	size_t count = 0;
	for (size_t row = 0; row < shown->count; row = dot_path_next(shown, row))
		count += !dot_has(dot, dot_path_entity(shown, row));
	return count;
}

/* Appends the field by which the previous row references this one, or the number of omitted steps
   between them. */
static void dot_path_add_name(const struct dot *dot, const struct dot_path *shown, size_t row,
                              struct buf *out)
{
	if (row == shown->tail)
		text_add_number_of(out, shown->tail - shown->head, "step more", "steps more");
	else if (row > 1 || path_steps_first(&shown->steps, 0) != shown->steps.at[0])
		step_add_stretch(dot->analysis, shown->path, path_steps_first(&shown->steps, row - 1),
		                 shown->steps.at[row - 1], out);
}

static const char *dot_path_style(const struct dot_path *shown,
                                  const struct path_dominators *dominators, size_t row)
{
	bool every = row ? path_dominators_at(dominators, shown->steps.at[row - 1]) != NULL
	                 : path_dominators_root_node(dominators) != NULL;
	if (row == 0)
		return every ? "shape=ellipse, penwidth=2" : "shape=ellipse";
	if (row + 1 == shown->count)
		return "penwidth=2, style=filled, fillcolor=\"#ffe0b0\"";
	return every ? "penwidth=2" : "";
}

static void dot_path_add(struct dot *dot, const struct dot_path *shown)
{
	struct path_dominators dominators;
	SCOPED_BUF name = {0};
	size_t before = 0;
	path_rows_dominators(dot->analysis, shown->path, &dominators);
	for (size_t row = 0; row < shown->count; row = dot_path_next(shown, row)) {
		size_t place =
			dot_add(dot, dot_path_entity(shown, row), dot_path_style(shown, &dominators, row));
		buf_clear(&name);
		if (row) {
			dot_path_add_name(dot, shown, row, &name);
			dot_connect(dot, before, place, buf_text(&name),
			            row == shown->tail ? "style=dashed" : "");
		}
		before = place;
	}
	path_dominators_fini(&dominators);
}

/* Adds as many paths as fit into the limit of nodes, at least one. False: there are more. */
static bool dot_add_kinds(struct dot *dot, struct path_kinds *kinds, size_t ends, size_t *drawn)
{
	const struct path *path;
	bool fits = true;
	for (*drawn = 0; fits && (path = path_kinds_get(kinds, *drawn, NULL));) {
		struct dot_path shown = {.path = path};
		path_steps_init(&shown.steps, dot->analysis, path);
		shown.count = shown.steps.count + 1;
		bool cut = shown.count > 2 * ends;
		shown.head = cut ? ends : shown.count;
		shown.tail = cut ? shown.count - ends : shown.count;
		fits = dot->drawn + dot_path_new_nodes(dot, &shown) <= dot->limit;
		if (fits) {
			dot_path_add(dot, &shown);
			++*drawn;
		}
		path_steps_fini(&shown.steps);
	}
	return fits;
}

static void dot_add_title(const struct dot *dot, const struct path_kinds *kinds, uint32_t object,
                          size_t drawn, bool all, struct buf *out)
{
	bool weak = reach_is_weak(analysis_reach(dot->analysis), object);
	if (reach_is_by_reference(analysis_reach(dot->analysis), object))
		buf_add(out, "only weak references reach ");
	else if (weak)
		buf_add(out, "only weak roots reach ");
	else
		buf_add(out, "what keeps alive ");
	entity_add_label(dot->analysis, entity_of_object(object), out);
	buf_addf(out, ": %s", text_number_of(drawn, "path", "paths").text);
	if (!all)
		buf_add(out, ", others are left out (--limit)");
	else if (!path_kinds_exhausted(kinds))
		buf_add(out, ", there may be others");
	buf_add(out, "; bold: on every path");
}

static bool dot_add_paths(struct dot *dot, uint32_t object, uint32_t depth, struct buf *title,
                          struct err *err)
{
	struct path_kinds *kinds = path_kinds_open(dot->analysis, object);
	size_t drawn, ends = depth ? depth : DOT_ENDS;
	bool all = dot_add_kinds(dot, kinds, ends < dot->limit / 2 ? ends : dot->limit / 2, &drawn);
	if (drawn)
		dot_add_title(dot, kinds, object, drawn, all, title);
	path_kinds_close(kinds);
	if (drawn)
		return true;
	err_set(err, "No %s leads to 0x%" PRIx64, damage_any_root(analysis_heap(dot->analysis)),
	        heap_address(analysis_heap(dot->analysis), object));
	return argument_absent(analysis_heap(dot->analysis), DAMAGE_ROOTS, err);
}

static bool dot_export(const struct analysis *analysis, const struct export_request *request,
                       struct buf *out, struct err *err)
{
	struct dot dot;
	SCOPED_BUF title = {0};
	uint32_t object;
	bool ok = dot_init(&dot, analysis, request, err)
	          && argument_object(analysis, buf_text(&request->argument), &object, err)
	          && reach_must_be_known(analysis, err)
	          && dot_add_paths(&dot, object, request->depth, &title, err);
	if (ok)
		dot_write(&dot, buf_text(&title), out);
	dot_fini(&dot);
	return ok;
}

DEFINE_PLUGIN(exporters, struct exporter, exporter_dot) = {
	.rank = 32,
	.name = "dot",
	.help = "the paths that keep an object alive, for graphviz",
	.about =
		"The object is named after the dump as for path: by its address, a variable or a "
		"path. The paths are those of the command path, drawn as one graph of up to --limit "
		"nodes (default 100); of a long path, 10 steps at either end are drawn, or as many "
		"as --depth says. Edges are named by fields, entries and elements; nodes on every "
		"path are bold. With --tree the dominators of the object are drawn, and the tree of "
		"objects that it dominates: those that would be freed without it; 3 levels, or as many as "
		"--depth says, the largest retained sizes first. The graph says how many objects and "
		"bytes are left out.",
	.whole = true,
	.needs = STAGE_REVERSED | STAGE_DOMINATED | STAGE_TYPED,
	.parts = PART_OBJECTS,
	.takes = EXPORT_GRAPH,
	.write = dot_export,
};
