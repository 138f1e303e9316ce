/* What goes with one node: the tree of dominators below it. */
#include "base/text.h"
#include "table/argument.h"
#include "table/estate_cell.h"
#include "table/node_kind.h"

static const char *why_empty(const struct analysis *analysis, const struct dominators *d,
							 uint32_t node)
{
	if (dominators_has(d, node))
		return "It retains nothing but itself: whatever it points to, others hold as well.";
	if (node_is_weak(analysis, node))
		return "Only weak roots lead to it, so it keeps nothing. With retain all they count, too.";
	return "No root in the dump leads to it: nothing keeps it, and it keeps nothing.";
}

static bool dominated_open(struct rows *rows, const char *argument, struct err *err)
{
	uint32_t node;
	if (!argument_node(rows->analysis, argument, &node, err) || !estate_open_node(rows, node, err))
		return false;
	const struct dominators *d = analysis_retained(rows->analysis);
	buf_add(&rows->title, "below ");
	node_add_label(rows->analysis, node, &rows->title);
	buf_add(&rows->title, ", which retains ");
	text_add_size(&rows->title, d->bytes[node]);
	if (!rows->count)
		buf_add(&rows->note, why_empty(rows->analysis, d, node));
	return true;
}

const struct table table_dominated = {
	.name = "dominated",
	.from = DAMAGE_ROOTS,
	.help = "What goes with an object, a variable or a goroutine, and goes only with it: a tree, "
			"equals as one row",
	.argument = "ADDR|VARIABLE",
	.needs = STAGE_TYPED,
	.parts = HAS_OBJECTS,
	.columns = estate_columns,
	.column_count = ESTATE_COLUMNS,
	.open = dominated_open,
	.cell = estate_cell,
	.link = estate_link,
	.style = estate_style,
	.address = estate_address,
	.close = estate_close,
	.tree = &estate_tree,
	.sort = -1,
};
