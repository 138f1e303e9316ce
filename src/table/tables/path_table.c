/* The table of a path: the steps from a root to an object. */
#include "table/tables/path.h"

#include "table/columns.h"
#include "table/naming/argument.h"
#include "table/naming/root.h"
#include "table/naming/step.h"
#include "table/paths/path_kinds.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "format/runtime.h"
#include "heap/heap.h"

#include <inttypes.h>
#include <string.h>

/* Rows that a table has opened by an argument, and that path_close frees. */
struct path_data {
	struct path_rows rows; /* must be first: the cells read it */
	struct path_kinds *kinds;
	struct path_dominators dominators;
	struct path_steps steps;
};

void path_rows_dominators(const struct analysis *analysis, const struct path *path,
                          struct path_dominators *path_dominators)
{
	const struct dominators *dominators =
		analysis_dominators_of(analysis, path->step[path->count - 1]);
	*path_dominators = (struct path_dominators){0};
	if (dominators)
		path_dominators_init(path_dominators, dominators, analysis_reach(analysis), path);
}

static void path_close(struct rows *rows)
{
	struct path_data *data = rows->data;
	path_dominators_fini(&data->dominators);
	path_steps_fini(&data->steps);
	path_kinds_close(data->kinds);
}

static bool path_find_numbered(struct rows *rows, uint64_t number, struct err *err)
{
	struct path_data *data = rows->data;
	const struct path *path = path_kinds_get(data->kinds, (size_t)number - 1, NULL);
	if (path) {
		path_rows_dominators(rows->analysis, path, &data->dominators);
		path_steps_init(&data->steps, rows->analysis, path);
		data->rows = (struct path_rows){path, &data->dominators, &data->steps};
		rows->count = data->steps.count + 1;
		return true;
	}
	if (number == 1) {
		buf_addf(&rows->note, "It is unreachable: there is no path to it from a %s.",
		         damage_any_root(analysis_heap(rows->analysis)));
		return true;
	}
	return path_kinds_absent(data->kinds, number, err);
}

bool path_rows_argument(const struct analysis *analysis, const char *argument, uint32_t *object,
                        uint64_t *number, struct err *err)
{
	*number = 1;
	if (!*argument)
		return err_set(err, "Name an object, or also the number of the path: path 0xc000012340 2");
	if (!argument_next_object(analysis, &argument, object, err))
		return false;
	return !*argument || (text_parse_number(argument, number) && *number)
	       || err_set(err, "\"%.60s\" is not the number of a path; the first is 1", argument);
}

static bool path_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	struct path_data *data = rows->data = mem_alloc(sizeof *data);
	uint64_t number;
	uint32_t id;
	if (!path_rows_argument(analysis, argument, &id, &number, err)
	    || !reach_must_be_known(analysis, err))
		return false;
	data->kinds = path_kinds_open(analysis, id);
	buf_addf(&rows->title, "path %" PRIu64 " to 0x%" PRIx64, number,
	         heap_address(analysis_heap(analysis), id));
	if (reach_is_by_reference(analysis_reach(analysis), id))
		buf_add(&rows->title, " through a weak reference, which keeps nothing alive");
	else if (reach_is_weak(analysis_reach(analysis), id))
		buf_add(&rows->title, " from a weak root, which keeps nothing alive");
	return path_find_numbered(rows, number, err);
}

/* Returns the index in path->step of a row, which is not that of the root. */
static size_t path_at(const struct rows *rows, size_t row)
{
	return ((const struct path_rows *)rows->data)->steps->at[row - 1];
}

/* Returns the root for the first row, an object for all others. */
static struct entity path_entity(const struct rows *rows, size_t row)
{
	const struct path_rows *of = rows->data;
	return row ? entity_of_object(of->path->step[path_at(rows, row)])
	           : (struct entity){ENTITY_ROOT, of->path->root, 0};
}

/* Returns true if the object before the row's object is not part of a step: it has a row, or is
   folded to this one. */
static bool path_is_direct(const struct rows *rows, size_t row)
{
	const struct path_rows *of = rows->data;
	return row
	       && (path_steps_first(of->steps, row - 1) == path_at(rows, row)
	           || path_steps_times(of->steps, row) > 1);
}

/* Returns the object before that of a row which is direct, other than the first. */
static uint32_t path_before(const struct rows *rows, size_t row)
{
	return ((const struct path_rows *)rows->data)->path->step[path_at(rows, row) - 1];
}

static uint64_t offset_before(const struct rows *rows, size_t row)
{
	const struct path_rows *of = rows->data;
	return path_is_direct(rows, row)
	           ? path_step_offset(analysis_heap(rows->analysis), of->path, path_at(rows, row))
	           : UINT64_MAX;
}

/* Returns what the part of the runtime is that the path leads through, since the name of its
   variable alone is not informative; NULL: none. */
static const char *path_role(const struct analysis *analysis, const struct path *path)
{
	const struct heap *heap = analysis_heap(analysis);
	const struct runtime *runtime = heap->format->runtime;
	const struct typing *typing = analysis_typing(analysis);
	const char *name;
	uint64_t offset;
	if (!typing || !runtime->fields
	    || !names_variable(analysis_names(analysis), heap->roots[path->root].address, &name,
	                       &offset)
	    || strcmp(name, runtime->fields_from) != 0)
		return NULL;
	for (size_t at = 1; at < path->count && at <= 2; at++) {
		const struct gotype *type =
			gotype_get(typing_types(typing), typing_type(typing, path->step[at - 1]));
		offset = path_step_offset(heap, path, at);
		for (uint32_t i = 0; strcmp(type->name, runtime->fields_of) == 0 && i < type->fields; i++) {
			const struct gofield *field = gotype_field(typing_types(typing), type->first_field + i);
			bool here = offset - field->offset
			            < gotype_get(typing_types(typing), field->type)->size;
			for (const struct runtime_note *note = runtime->fields; here && note->name; note++)
				if (strncmp(field->name, note->name, strlen(note->name)) == 0)
					return note->note;
		}
	}
	return NULL;
}

static void path_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct path_rows *of = rows->data;
	struct buf *out = cell_begin(value);
	if (row == 0) {
		const char *role = path_role(rows->analysis, of->path);
		entity_add_name(rows->analysis, path_entity(rows, 0), out);
		if (role)
			buf_addf(out, " (%s)", role);
	} else if (!path_is_direct(rows, row))
		step_add_stretch(rows->analysis, of->path, path_steps_first(of->steps, row - 1),
		                 path_at(rows, row), out);
	else if (row > 1)
		step_add(rows->analysis, path_before(rows, row), offset_before(rows, row), out);
	size_t times = path_steps_times(of->steps, row);
	if (times > 1)
		buf_addf(out, " x%s", text_count(times).text);
}

static void path_address_cell(const struct rows *rows, size_t row, struct value *value)
{
	(row ? object_address_cell : root_address_cell)(rows, row, value);
}

static void path_offset_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_offset(value, offset_before(rows, row));
}

/* NULL: there are paths beside it. Of the root, the nearest one that alone leads to the end. */
static const struct path_dominator *path_dominator_of(const struct path_rows *of, size_t row)
{
	return row ? path_dominators_at(of->dominators, of->steps->at[row - 1])
	           : path_dominators_root_node(of->dominators);
}

static void path_dominator_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct path_rows *of = rows->data;
	if (of->dominators->count)
		cell_number(value, VALUE_BOOL, path_dominator_of(of, row) != NULL);
}

/* Returns the node whose retained size a row shows: the object; for the root, its dominator, else
   its variable or slot. */
static uint32_t path_node(const struct path_rows *of, size_t row)
{
	const struct root_nodes *root_nodes = of->dominators->dominators->root_nodes;
	const struct path_dominator *dominator = path_dominator_of(of, row);
	if (row)
		return of->path->step[of->steps->at[row - 1]];
	return dominator ? dominator->node
	                 : root_nodes_node(root_nodes, root_nodes->of_root[of->path->root]);
}

/* Objects that only weak roots reach have a dominator tree of their own. */
static void path_retained_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct path_rows *of = rows->data;
	if (of->dominators->count)
		cell_number(value, VALUE_BYTES,
		            dominators_bytes(of->dominators->dominators, path_node(of, row)));
}

static const struct column columns[] = {
	{"step", "step", "0 is the root", VALUE_ID, 7, 0, .cell = row_number_cell},
	{"kind", "kind", "root or object", VALUE_TEXT, 6, 0, .cell = entity_word_cell},
	{"name", "held by", "The root, or the field of the previous step", VALUE_TEXT, 0, 0,
     .cell = path_name_cell, .wants = STAGE_TYPED},
	{OBJECT_TYPE, .width = 22, .rank = 1},
	{"address", "address", "Address of the object; for the root, address of the pointer",
     VALUE_ADDRESS, 14, 0, .cell = path_address_cell},
	{"offset", "from",
     "Offset of the pointer in the object of the previous step; empty if a part of that has the "
     "pointer",
     VALUE_OFFSET, 9, 0, .cell = path_offset_cell},
	{OBJECT_SIZE, .width = 9},
	{"text", "text", "Text at the beginning of the object; ~ marks a guess", VALUE_TEXT, 24, 2,
     .cell = object_text_cell},
	{"dominator", "every path", "Is the step on every path to the object? The object itself is",
     VALUE_BOOL, 10, 3, .cell = path_dominator_cell, .stages = STAGE_DOMINATED},
	{"retained_bytes", "retained",
     "Bytes that would be freed without the step: its own, and those of all objects that only it "
     "keeps alive",
     VALUE_BYTES, 9, 3, .cell = path_retained_cell, .stages = STAGE_DOMINATED},
};

/* Shows steps inside the runtime's map structures faintly, because no program names them. */
static enum row_style path_style(const struct rows *rows, size_t row)
{
	bool inner = row > 1 && path_is_direct(rows, row)
	             && step_is_inner(rows->analysis, path_before(rows, row));
	return inner ? ROW_FAINT : ROW_PLAIN;
}

DEFINE_PLUGIN(tables, struct table, table_path) = {
	.rank = 170,
	.name = "path",
	.from = DAMAGE_ROOTS,
	.help = "A path from a GC root to an object, step by step: the shortest, or the Kth",
	.argument = "ADDR [K]",
	.takes = TAKES_PLACE | TAKES_THIS_OBJECT,
	.needs = STAGE_REVERSED,
	.wants = STAGE_TYPED,
	.parts = PART_OBJECTS,
	COLUMNS(columns),
	.open = path_open,
	.style = path_style,
	.entity = path_entity,
	.close = path_close,
};

struct rows path_rows(const struct analysis *analysis, struct path_rows *of)
{
	return (struct rows){
		.table = &table_path,
		.analysis = analysis,
		.count = of->steps->count + 1,
		.data = of,
	};
}
