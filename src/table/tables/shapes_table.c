/* The table of objects by shape: slot size and offsets of pointers. */
#include "table/cell.h"
#include "table/columns.h"

#include "analysis/kept.h"
#include "analysis/shapes.h"
#include "base/mem.h"
#include "base/plugin.h"
#include "format/format.h"

#include <stdlib.h>
#include <string.h>

struct shapes_rows {
	struct shapes *own; /* of a part of the objects; NULL: the cached ones of all */
	const struct shape *shape;
};

static bool select_shapes(const char *argument, enum shapes_of *which, struct err *err)
{
	static const char *const words[] = {
		[SHAPES_ALL] = "", [SHAPES_REACHABLE] = "reachable", [SHAPES_UNREACHABLE] = "unreachable"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i], argument) == 0) {
			*which = (enum shapes_of)i;
			return true;
		}
	return err_set(err, "Shapes can be selected by reachable or unreachable, not by \"%.60s\"",
	               argument);
}

static void *shapes_make(const struct analysis *analysis, enum retain retain,
                         struct progress *progress)
{
	(void)retain;
	if (!heap_has(analysis_heap(analysis), PART_MEMORY))
		return NULL;
	return shapes_new(analysis_heap(analysis), analysis_reach(analysis), SHAPES_ALL, progress);
}

static void shapes_drop(void *shapes)
{
	shapes_free(shapes);
}

static bool shapes_index(void *made, const struct index_io *io)
{
	struct shapes *shapes = made;
	return INDEX_ARRAY(io, "of", shapes->shape, shapes->count);
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, shapes_kept) = {
	.name = "shapes",
	.needs = STAGE_REACHED,
	.make = shapes_make,
	.free = shapes_drop,
	.size = sizeof(struct shapes),
	.index = shapes_index,
};

static bool shapes_open(struct rows *rows, const char *argument, struct err *err)
{
	enum shapes_of which = SHAPES_ALL;
	if (!select_shapes(argument, &which, err))
		return false;
	if (which != SHAPES_ALL && !reach_must_be_known(rows->analysis, err))
		return false;
	struct shapes_rows *data = rows->data = mem_alloc(sizeof *data);
	if (which != SHAPES_ALL)
		data->own = shapes_new(analysis_heap(rows->analysis), analysis_reach(rows->analysis), which,
		                       rows->progress);
	const struct shapes *shapes = which != SHAPES_ALL ? data->own
	                                                  : analysis_kept(rows->analysis, &shapes_kept,
	                                                                  RETAIN_ALIVE, rows->progress);
	if (!shapes)
		return err_set(err, "Cancelled");
	data->shape = shapes->shape;
	rows->count = shapes->count;
	buf_addf(&rows->title, "shapes of %s objects", *argument ? argument : "all");
	if (!rows->count)
		buf_add(&rows->note, *argument ? "There is no such object." : "The dump holds no objects.");
	return true;
}

static void shapes_bytes_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct shape *shape = rows_record(rows, row);
	cell_number(value, VALUE_BYTES, shape->objects * shape->size);
}

static void shapes_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	const struct shape *shape = rows_record(rows, row);
	cell_share(value, shape->objects * shape->size, objects_bytes(heap_objects(heap)));
}

static const struct column columns[] = {
	{"size", "slot bytes", "Bytes of one slot", VALUE_COUNT, 11, 0, FIELD(struct shape, size)},
	{"pointers", "pointers", "Words of it that the dump lists as pointers", VALUE_COUNT, 9, 0,
     FIELD(struct shape, pointers)},
	{"objects", "objects", "Objects of this shape", VALUE_COUNT, 11, 0,
     FIELD(struct shape, objects)},
	{"bytes", "bytes", "Bytes of all of them", VALUE_BYTES, 10, 0, .cell = shapes_bytes_cell},
	{"share", "share", "Share of the bytes of all objects, in percent", VALUE_SHARE, 7, 1,
     .cell = shapes_share_cell},
	{"shape", "shape", "Hash of the offsets of the pointers; empty without pointers", VALUE_ADDRESS,
     18, 2, FIELD_UNLESS_0(struct shape, hash)},
	{"example", "first object", "The first object of this shape, by address", VALUE_ADDRESS, 18, 0,
     .cell = object_address_cell},
};

static void shapes_close(struct rows *rows)
{
	struct shapes_rows *data = rows->data;
	shapes_free(data->own);
}

DEFINE_PLUGIN(tables, struct table, table_shapes) = {
	.rank = 100,
	.name = "types-shape",
	.form_of = "types",
	.former = "shapes",
	.from = DAMAGE_ROOTS,
	.help = "Objects by shape, which is the slot size and the offsets of the pointers: all "
			"objects, or only the reachable or unreachable ones",
	.argument = "[reachable|unreachable]",
	.needs = STAGE_REACHED,
	.parts = PART_MEMORY,
	COLUMNS(columns),
	.open = shapes_open,
	RECORDS(struct shapes_rows, shape),
	.object = ROW_MEMBER(struct shape, first, uint32_t),
	.close = shapes_close,
	.sort = "bytes",
};
