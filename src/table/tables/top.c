/* The table of the biggest owners with few columns, for the shell. */
#include "table/owners/owner_tree.h"

static bool top_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument;
	buf_add(&rows->title, "the biggest owners");
	return owner_tree_open_owners(rows, err);
}

DEFINE_PLUGIN(tables, struct table, table_top) = {
	.rank = 20,
	.name = "owners-list",
	.form_of = "owners",
	.former = "top",
	.from = DAMAGE_ROOTS,
	.help = "The owners of the memory, the largest first",
	.needs = STAGE_OWNED | STAGE_TYPED,
	.columns = top_columns,
	.column_count = TOP_COLUMNS,
	.open = top_open,
	RECORDS(struct owner_tree, owner_row),
	.link = owner_tree_link,
	.style = owner_tree_style,
	.close = owner_tree_close,
};
