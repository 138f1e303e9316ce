/* Why an object is alive: the steps from a root to it. */
#include "table/argument.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/step.h"
#include "table/typed.h"

#include "base/mem.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>

enum { STEP, KIND, NAME, TYPE, ADDRESS, OFFSET, SIZE, TEXT };

static const struct column columns[] = {
	[STEP] = {"step", "step", "0 is the root", VALUE_ID, 7, 0},
	[KIND] = {"kind", "kind", "root or object", VALUE_TEXT, 6, 0},
	[NAME] = {"name", "held by", "What the root is, or the field of the step before", VALUE_TEXT,
			  0, 0},
	[TYPE] = {"type", "type", "Type of the object", VALUE_TEXT, 22, 1},
	[ADDRESS] = {"address", "address",
				 "Of an object: its address; of the root: where in memory the pointer is",
				 VALUE_ADDRESS, 14, 0},
	[OFFSET] = {"offset", "from",
				"Where in the object of the step before the pointer to this one is", VALUE_OFFSET,
				9, 0},
	[SIZE] = {"size", "size", "Bytes of the object", VALUE_BYTES, 9, 0},
	[TEXT] = {"text", "text", "The text that the object seems to begin with; ~ marks a guess",
			  VALUE_TEXT, 24, 2},
};

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
	return argument_absent(rows->analysis->heap, DAMAGE_ROOTS, err);
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
	rows->hidden = typed_any(analysis) ? 0 : 1U << TYPE;
	data->paths = paths_open(analysis->heap, analysis->reach, id);
	buf_addf(&rows->title, "way %" PRIu64 " to 0x%" PRIx64, way, heap_address(analysis->heap, id));
	if (reach_is_weak(analysis->reach, id))
		buf_add(&rows->title, " from a weak root, which keeps nothing alive");
	return find_way(rows, way, err);
}

static void root_step_cell(const struct rows *rows, int column, struct value *value)
{
	const struct path_data *data = rows->data;
	const struct heap *heap = rows->analysis->heap;
	const struct root *root = &heap->roots[data->path->root];
	if (column == KIND)
		cell_text(value, "root");
	else if (column == NAME)
		cell_root(value, rows->analysis, root, ROOT_NAME);
	else if (column == ADDRESS)
		cell_root(value, rows->analysis, root, ROOT_ADDRESS);
}

static void object_step_cell(const struct rows *rows, size_t at, int column, struct value *value)
{
	const struct path_data *data = rows->data;
	const struct heap *heap = rows->analysis->heap;
	const struct path *path = data->path;
	uint64_t offset;
	switch (column) {
	case KIND:
		cell_text(value, "object");
		break;
	case NAME:
		offset = at ? path_step_offset(heap, path, at) : UINT64_MAX;
		if (at)
			step_add(rows->analysis, path->step[at - 1], offset, cell_begin(value));
		if (at)
			cell_end(value);
		break;
	case TYPE:
		cell_type(value, rows->analysis, path->step[at]);
		break;
	case ADDRESS:
		cell_object(value, heap, path->step[at]);
		break;
	case OFFSET:
		offset = path_step_offset(heap, path, at);
		if (offset != UINT64_MAX)
			cell_number(value, VALUE_OFFSET, offset);
		break;
	case SIZE:
		cell_object_size(value, heap, path->step[at]);
		break;
	case TEXT:
		preview_object(heap, path->step[at], cell_begin(value));
		cell_end(value);
		break;
	}
}

static void path_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	if (column == STEP)
		cell_number(value, VALUE_ID, row);
	else if (row == 0)
		root_step_cell(rows, column, value);
	else
		object_step_cell(rows, row - 1, column, value);
}

static void path_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct path_data *data = rows->data;
	const struct heap *heap = rows->analysis->heap;
	if (row == 0)
		root_link(heap, &heap->roots[data->path->root], command);
	else
		link_object(heap, data->path->step[row - 1], command);
}

static uint64_t path_address(const struct rows *rows, size_t row)
{
	const struct path_data *data = rows->data;
	return row ? heap_address(rows->analysis->heap, data->path->step[row - 1]) : 0;
}

/* The runtime's own steps in a map are not what a program names. */
static enum row_style path_style(const struct rows *rows, size_t row)
{
	const struct path_data *data = rows->data;
	bool inner = row > 1 && step_is_inner(rows->analysis, data->path->step[row - 2]);
	return inner ? ROW_FAINT : ROW_PLAIN;
}

const struct table table_path = {
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
	.cell = path_cell,
	.link = path_link,
	.style = path_style,
	.address = path_address,
	.close = path_close,
	.sort = -1,
};
