/* A Graphviz graph of the paths that keep an object alive. */
#include "main/dot.h"
#include "table/argument.h"
#include "table/cell.h"
#include "table/path_kinds.h"
#include "table/path_steps.h"
#include "table/step.h"
#include "table/tables/path.h"

#include "base/text.h"

#include <inttypes.h>

enum { DOT_ENDS = 10 }; /* default of --depth: steps drawn at either end of a path */

/* A path without its middle: rows 0 ... head - 1 and `tail` ... count - 1 of a path, where row 0 is
   the root. */
struct dot_way {
	const struct path *path;
	struct path_steps steps;
	size_t count, head, tail;
};

static void dot_way_cut(struct dot_way *way, size_t ends)
{
	way->count = way->steps.count + 1;
	bool cut = way->count > 2 * ends;
	way->head = cut ? ends : way->count;
	way->tail = cut ? way->count - ends : way->count;
}

static struct entity dot_way_entity(const struct dot_way *way, size_t row)
{
	return row ? entity_of_object(way->path->step[way->steps.at[row - 1]])
	           : (struct entity){ENTITY_ROOT, way->path->root, 0};
}

static size_t dot_way_next(const struct dot_way *way, size_t row)
{
	return row + 1 == way->head ? way->tail : row + 1;
}

static size_t dot_way_new_nodes(const struct dot *dot, const struct dot_way *way)
{
	size_t count = 0;
	for (size_t row = 0; row < way->count; row = dot_way_next(way, row))
		count += !dot_has(dot, dot_way_entity(way, row));
	return count;
}

/* Appends the field by which the previous row references this one, or the number of omitted steps
   between them. */
static void dot_way_add_name(const struct dot *dot, const struct dot_way *way, size_t row,
                             struct buf *out)
{
	if (row == way->tail)
		text_add_number_of(out, way->tail - way->head, "step more", "steps more");
	else if (row > 1 || path_steps_first(&way->steps, 0) != way->steps.at[0])
		step_add_stretch(dot->analysis, way->path, path_steps_first(&way->steps, row - 1),
		                 way->steps.at[row - 1], out);
}

static const char *dot_way_style(const struct dot_way *way,
                                 const struct path_dominators *dominators, size_t row)
{
	bool every = row ? path_dominators_at(dominators, way->steps.at[row - 1]) != NULL
	                 : path_dominators_root_node(dominators) != NULL;
	if (row == 0)
		return every ? "shape=ellipse, penwidth=2" : "shape=ellipse";
	if (row + 1 == way->count)
		return "penwidth=2, style=filled, fillcolor=\"#ffe0b0\"";
	return every ? "penwidth=2" : "";
}

static void dot_way_add(struct dot *dot, const struct dot_way *way)
{
	struct path_dominators dominators;
	struct buf name = {0};
	size_t before = 0;
	path_rows_dominators(dot->analysis, way->path, &dominators);
	for (size_t row = 0; row < way->count; row = dot_way_next(way, row)) {
		size_t place = dot_add(dot, dot_way_entity(way, row), dot_way_style(way, &dominators, row));
		buf_clear(&name);
		if (row) {
			dot_way_add_name(dot, way, row, &name);
			dot_connect(dot, before, place, buf_text(&name),
			            row == way->tail ? "style=dashed" : "");
		}
		before = place;
	}
	buf_free(&name);
	path_dominators_fini(&dominators);
}

/* Adds as many paths as fit into the limit of nodes, at least one. False: there are more. */
static bool dot_add_ways(struct dot *dot, struct path_kinds *kinds, size_t ends, size_t *ways)
{
	const struct path *path;
	bool fits = true;
	for (*ways = 0; fits && (path = path_kinds_get(kinds, *ways, NULL));) {
		struct dot_way way = {.path = path};
		path_steps_init(&way.steps, dot->analysis, path);
		dot_way_cut(&way, ends);
		fits = dot->drawn + dot_way_new_nodes(dot, &way) <= dot->limit;
		if (fits) {
			dot_way_add(dot, &way);
			++*ways;
		}
		path_steps_fini(&way.steps);
	}
	return fits;
}

static void dot_add_title(const struct dot *dot, const struct path_kinds *kinds, uint32_t object,
                          size_t ways, bool all, struct buf *out)
{
	bool weak = reach_is_weak(analysis_reach(dot->analysis), object);
	if (weak)
		buf_add(out, "only weak roots lead to ");
	else
		buf_add(out, "what keeps alive ");
	entity_add_label(dot->analysis, entity_of_object(object), out);
	buf_add(out, ": ");
	text_add_number_of(out, ways, "way", "ways");
	if (!all)
		buf_add(out, ", others are left out (--limit)");
	else if (!path_kinds_exhausted(kinds))
		buf_add(out, ", there may be others");
	buf_add(out, "; bold: every way leads through it");
}

static bool dot_add_paths(struct dot *dot, uint32_t object, uint32_t depth, struct buf *title,
                          struct err *err)
{
	struct path_kinds *kinds = path_kinds_open(dot->analysis, object);
	size_t ways, ends = depth ? depth : DOT_ENDS;
	bool all = dot_add_ways(dot, kinds, ends < dot->limit / 2 ? ends : dot->limit / 2, &ways);
	if (ways)
		dot_add_title(dot, kinds, object, ways, all, title);
	path_kinds_close(kinds);
	if (ways)
		return true;
	err_set(err, "No root in the dump leads to 0x%" PRIx64,
	        heap_address(analysis_heap(dot->analysis), object));
	return argument_absent(analysis_heap(dot->analysis), DAMAGE_ROOTS, err);
}

static bool dot_export(const struct analysis *analysis, const struct export_request *request,
                       struct buf *out, struct err *err)
{
	struct dot dot;
	struct buf title = {0};
	uint32_t object;
	analysis_set_parts(analysis, false); /* steps are those that the program names */
	bool ok = dot_init(&dot, analysis, request, err)
	          && argument_object(analysis, buf_text(&request->argument), &object, err)
	          && reach_must_be_known(analysis, err)
	          && dot_add_paths(&dot, object, request->depth, &title, err);
	if (ok)
		dot_write(&dot, buf_text(&title), out);
	buf_free(&title);
	dot_fini(&dot);
	return ok;
}

static const struct exporter exporter_dot = {
	.rank = 32,
	.name = "dot",
	.help = "the paths that keep an object alive, for graphviz",
	.about = "The object is named behind the dump as for path: by its address, a variable, a path. "
			 "The ways are those of path, drawn as one graph, as many as --limit has nodes for "
			 "(100 unless given); of a long one 10 steps at either end are drawn, or as many as "
			 "--depth says. Edges are named by fields, entries and elements; bold is what every "
			 "way leads through.",
	.needs = STAGE_REVERSED | STAGE_DOMINATED | STAGE_TYPED,
	.parts = HAS_OBJECTS,
	.takes = EXPORT_GRAPH,
	.write = dot_export,
};
PLUGIN(exporters, exporter_dot);
