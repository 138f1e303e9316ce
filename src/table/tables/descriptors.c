/* The types that the dump names: those that occur in an itab. */
#include "table/cell.h"

static bool descriptors_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	rows->count = rows->analysis->heap->type_count;
	buf_add(&rows->title, "types that the dump names");
	if (!rows->count)
		buf_add(&rows->note, "The dump names no types.");
	return true;
}

static const void *descriptors_record(const struct rows *rows, size_t row)
{
	return &rows->analysis->heap->types[row];
}

static const struct column columns[] = {
	{"address", "address", "Address of the runtime's record of the type", VALUE_ADDRESS, 14, 0,
     FIELD(struct type_record, address)},
	{"size", "size", "Bytes of a value of the type", VALUE_BYTES, 9, 0,
     FIELD(struct type_record, size)},
	{"name", "name",
     "As the dump has it; since Go 1.7 one that ends in a dot is of a pointer type, whose name is "
     "lost",
     VALUE_TEXT, 0, 0, FIELD(struct type_record, name)},
};

const struct table table_descriptors = {
	.name = "descriptors",
	.from = DAMAGE_TYPES,
	.help = "The type descriptors that the dump has: those of values that some interface type "
			"holds",
	.needs = STAGE_READ,
	.parts = HAS_RUNTIME,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = descriptors_open,
	.record = descriptors_record,
};
