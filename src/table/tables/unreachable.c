/* The objects that no root of the dump leads to, by what they hang on. */
#include "table/cell.h"

#include "analysis/heads.h"
#include "analysis/preview.h"

enum { OBJECT, SIZE, OBJECTS, BYTES, RING, TEXT };

static const struct column columns[] = {
	[OBJECT] = {"object", "object", "An object that no other one without a root points to",
				VALUE_ADDRESS, 18, 0},
	[SIZE] = {"size", "size", "Bytes of its slot", VALUE_BYTES, 9, 0},
	[OBJECTS] = {"objects", "leads to",
				 "Objects without a root that it leads to, itself included; each is counted in "
				 "the first row that leads to it",
				 VALUE_COUNT, 10, 0},
	[BYTES] = {"bytes", "bytes", "Bytes of these", VALUE_BYTES, 10, 0},
	[RING] = {"ring", "ring",
			  "Does it stand for a ring, whose objects all have another one pointing to them?",
			  VALUE_BOOL, 5, 1},
	[TEXT] = {"text", "text", "Text that it seems to hold; ~ marks a guess", VALUE_TEXT, 0, 0},
};

static const struct head *head_of(const struct rows *rows, size_t row)
{
	return &((const struct heads *)rows->data)->head[row];
}

static bool unreachable_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument;
	const struct analysis *analysis = rows->analysis;
	struct heads *heads = rows->data = heads_new(analysis->heap, analysis->reach, rows->progress);
	if (!heads)
		return err_set(err, "Cancelled");
	rows->count = heads->count;
	buf_add(&rows->title, analysis->reach->known
							  ? "objects without a root in the dump, by their heads"
							  : "all objects, by their heads: the dump has no roots to tell which "
								"are alive");
	if (!rows->count)
		buf_add(&rows->note, "The roots of the dump lead to every object.");
	return true;
}

static void unreachable_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct heap *heap = rows->analysis->heap;
	const struct head *head = head_of(rows, row);
	switch (column) {
	case OBJECT:
		cell_object(value, heap, head->object);
		break;
	case SIZE:
		cell_object_size(value, heap, head->object);
		break;
	case OBJECTS:
		cell_number(value, VALUE_COUNT, head->objects);
		break;
	case BYTES:
		cell_number(value, VALUE_BYTES, head->bytes);
		break;
	case RING:
		cell_number(value, VALUE_BOOL, head->ring);
		break;
	case TEXT:
		preview_object(heap, head->object, cell_begin(value));
		cell_end(value);
		break;
	}
}

static void unreachable_link(const struct rows *rows, size_t row, struct buf *command)
{
	link_object(rows->analysis->heap, head_of(rows, row)->object, command);
}

static uint64_t unreachable_address(const struct rows *rows, size_t row)
{
	return heap_address(rows->analysis->heap, head_of(rows, row)->object);
}

static void unreachable_close(struct rows *rows)
{
	heads_free(rows->data);
}

const struct table table_unreachable = {
	.name = "unreachable",
	.from = DAMAGE_ROOTS,
	.help = "The objects that no root of the dump leads to, by what they hang on: each row is one "
			"that no other of them points to. The collector would free them, or they are held in "
			"a way that no dump tells of: arguments of runtime.AddCleanup, weak handles. Of a dump "
			"without roots, all objects",
	.needs = STAGE_REACHED,
	.parts = HAS_OBJECTS,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = unreachable_open,
	.cell = unreachable_cell,
	.link = unreachable_link,
	.close = unreachable_close,
	.address = unreachable_address,
	.sort = BYTES,
};
