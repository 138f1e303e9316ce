/* The table of types that the dump names: those that occur in an itab. */
#include "format/format.h"
#include "table/cell.h"

static const struct column columns[] = {
	{"address", "address", "Address of the runtime's record of the type", VALUE_ADDRESS, 14, 0,
     FIELD(struct type_record, address)},
	{"size", "size", "Bytes of a value of the type", VALUE_BYTES, 9, 0,
     FIELD(struct type_record, size)},
	{"name", "name",
     "Name in the dump; since Go 1.7 a name that ends with a dot is that of a pointer type, whose "
     "name is lost",
     VALUE_TEXT, 0, 0, FIELD(struct type_record, name)},
};

DEFINE_PLUGIN(tables, struct table, table_descriptors) = {
	.rank = 370,
	.name = "descriptors",
	.rare = true,
	.from = DAMAGE_TYPES,
	.help = "The type descriptors in the dump: those of values in interfaces",
	.needs = STAGE_READ,
	.parts = PART_GO,
	COLUMNS(columns),
	.records = RECORD_TYPE,
	.title = "type descriptors in the dump",
	.none = "The dump has no type descriptors.",
};
