/* The biggest owners in a few columns, for the shell. */
#include "table/estate_cell.h"

static const enum estate_column shown[] = {
	ESTATE_NAME, ESTATE_TYPE, ESTATE_RETAINED, ESTATE_SHARE, ESTATE_OBJECTS, ESTATE_KIND,
};

static const struct column columns[] = {
	{"name", "owner",
	 "The variable, the goroutines, or what several owners hold jointly; the table owners has what is "
	 "below each",
	 VALUE_TEXT, 0, 0},
	{"type", "type", "Type of the variable, or of the objects that take most of it", VALUE_TEXT, 24,
	 2},
	{"retained_bytes", "retained", "Bytes that go when all that the row names goes", VALUE_BYTES, 9,
	 0},
	{"share", "share", "These, of the bytes of all that is reachable", VALUE_SHARE, 6, 0},
	{"retained_objects", "objects", "Objects that go with it", VALUE_COUNT, 9, 1},
	{"kind", "kind", "joint, or the kind of owner, such as global or goroutine", VALUE_TEXT, 9,
	 3},
};

static bool top_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument;
	buf_add(&rows->title, "the biggest owners");
	return estate_open_owners(rows, err);
}

static void top_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	estate_cell(rows, row, (int)shown[column], value);
}

const struct table table_top = {
	.name = "top",
	.from = DAMAGE_ROOTS,
	.help = "The owners of the memory, those first that retain most",
	.needs = STAGE_TYPED,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = top_open,
	.cell = top_cell,
	.link = estate_link,
	.style = estate_style,
	.close = estate_close,
	.sort = -1,
};
