/* The biggest owners in a few columns, for the shell. */
#include "table/estate_cell.h"

static bool top_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument;
	buf_add(&rows->title, "the biggest owners");
	return estate_open_owners(rows, err);
}

const struct table table_top = {
	.name = "top",
	.from = DAMAGE_ROOTS,
	.help = "The owners of the memory, those first that retain most",
	.needs = STAGE_OWNED | STAGE_TYPED,
	.columns = top_columns,
	.column_count = TOP_COLUMNS,
	.open = top_open,
	.link = estate_link,
	.style = estate_style,
	.close = estate_close,
};
