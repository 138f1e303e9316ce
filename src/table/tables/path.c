/* Why an object is alive: the steps from a root to it. */
#include "table/argument.h"
#include "table/columns.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/step.h"

#include "base/mem.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>

struct path_data {
	struct paths *paths;
	const struct path *path; /* NULL: unreachable */
};

static void path_close(struct rows *rows)
{
	struct path_data *data = rows->data;
	paths_close(data->paths);
	free(data);
}

static bool find_way(struct rows *rows, uint64_t way, struct err *err)
{
	struct path_data *data = rows->data;
	data->path = paths_get(data->paths, (size_t)way - 1, NULL);
	if (data->path) {
		rows->count = data->path->count + 1;
		return true;
	}
	if (way == 1) {
		buf_add(&rows->note, "No root in the dump leads to it.");
		return true;
	}
	err_set(err, "There is no way number %" PRIu64 " that differs from those before it", way);
	return argument_absent(analysis_heap(rows->analysis), DAMAGE_ROOTS, err);
}

/* "ADDR [WAY]" */
static bool path_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	struct path_data *data = rows->data = mem_alloc(sizeof *data);
	uint64_t way = 1;
	uint32_t id;
	if (!argument_next_object(analysis, &argument, &id, err) || !reach_must_be_known(analysis, err))
		return false;
	if (*argument && (!text_parse_number(argument, &way) || way == 0))
		return err_set(err, "\"%.60s\" is no number of a way; the first is 1", argument);
	data->paths = paths_open(analysis_heap(analysis), analysis_reach(analysis), id);
	buf_addf(&rows->title, "way %" PRIu64 " to 0x%" PRIx64, way,
	         heap_address(analysis_heap(analysis), id));
	if (reach_is_weak(analysis_reach(analysis), id))
		buf_add(&rows->title, " from a weak root, which keeps nothing alive");
	return find_way(rows, way, err);
}

/* The first row is the root, the others are objects. */
static struct entity path_entity(const struct rows *rows, size_t row)
{
	const struct path_data *data = rows->data;
	return row ? entity_of_object(data->path->step[row - 1])
	           : (struct entity){ENTITY_ROOT, data->path->root, 0};
}

static uint64_t offset_before(const struct rows *rows, size_t row)
{
	const struct path_data *data = rows->data;
	return row ? path_step_offset(analysis_heap(rows->analysis), data->path, row - 1) : UINT64_MAX;
}

static void path_step_cell(const struct rows *rows, size_t row, struct value *value)
{
	(void)rows;
	cell_number(value, VALUE_ID, row);
}

static void path_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (row < 2) {
		root_name_cell(rows, row, value);
		return;
	}
	step_add(rows->analysis, rows_object(rows, row - 1), offset_before(rows, row),
	         cell_begin(value));
	cell_end(value);
}

static void path_address_cell(const struct rows *rows, size_t row, struct value *value)
{
	(row ? object_address_cell : root_address_cell)(rows, row, value);
}

static void path_offset_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_offset(value, offset_before(rows, row));
}

static const struct column columns[] = {
	{"step", "step", "0 is the root", VALUE_ID, 7, 0, .cell = path_step_cell},
	{"kind", "kind", "root or object", VALUE_TEXT, 6, 0, .cell = entity_word_cell},
	{"name", "held by", "What the root is, or the field of the step before", VALUE_TEXT, 0, 0,
     .cell = path_name_cell, .wants = STAGE_TYPED},
	{OBJECT_TYPE, .width = 22, .rank = 1},
	{"address", "address", "Of an object: its address; of the root: where in memory the pointer is",
     VALUE_ADDRESS, 14, 0, .cell = path_address_cell},
	{"offset", "from", "Where in the object of the step before the pointer to this one is",
     VALUE_OFFSET, 9, 0, .cell = path_offset_cell},
	{OBJECT_SIZE, .width = 9},
	{"text", "text", "The text that the object seems to begin with; ~ marks a guess", VALUE_TEXT,
     24, 2, .cell = object_text_cell},
};

/* The runtime's own steps in a map are not what a program names. */
static enum row_style path_style(const struct rows *rows, size_t row)
{
	bool inner = row > 1 && step_is_inner(rows->analysis, rows_object(rows, row - 1));
	return inner ? ROW_FAINT : ROW_PLAIN;
}

static const struct table table_path = {
	.rank = 170,
	.name = "path",
	.from = DAMAGE_ROOTS,
	.help =
		"What keeps an object alive: the steps from a root to it, the shortest way or the WAYth",
	.argument = "ADDR [WAY]",
	.needs = STAGE_REVERSED,
	.parts = HAS_OBJECTS,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = path_open,
	.style = path_style,
	.entity = path_entity,
	.close = path_close,
};
PLUGIN(tables, table_path);
