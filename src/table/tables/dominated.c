/* The table of the dominator tree below one node. */
#include "base/text.h"
#include "format/format.h"
#include "format/runtime.h"
#include "table/contents/object_set.h"
#include "table/naming/argument.h"
#include "table/naming/operand.h"
#include "table/owners/node.h"
#include "table/owners/owner_tree.h"
#include "table/paths/what_if_part.h"

#include <stdlib.h>

static void explain_empty(const struct analysis *analysis, const struct dominators *d,
                          uint32_t node, struct buf *out)
{
	const struct dominators *firm = analysis_dominators(analysis, RETAIN_STRONGEST);
	if (dominators_has(d, node)) {
		buf_add(out, "It retains only itself: everything that it references is also reachable "
		             "without it.");
		if (firm && dominators_bytes(firm, node) > dominators_bytes(d, node)) {
			buf_addf(out, " With retain strong it owns %s: the other roots are weaker.",
			         text_size(dominators_bytes(firm, node)).text);
		}
	} else if (node_is_weak(analysis, node)) {
		buf_add(out, "Only weak roots reach it, so it retains nothing. With retain all, weak "
		             "roots count, too.");
	} else {
		buf_addf(out, "It is unreachable from any %s, so it retains nothing.",
		         damage_any_root(analysis_heap(analysis)));
	}
}

/* Counts what a thread retains, or those of a group together, with their stacks. */
static bool count_threads(struct rows *rows, struct entity threads, struct freed *freed,
                          struct err *err)
{
	return what_if_part_frees(rows->analysis, threads, rows->progress, freed)
	       || err_set(err, "Counting the remaining objects was cancelled");
}

static bool open_one(struct rows *rows, uint32_t node, struct err *err)
{
	struct entity entity = entity_of_node(rows->analysis, node);
	struct freed freed;
	if (!owner_tree_open_node(rows, node, err))
		return false;
	const struct dominators *d = analysis_retained(rows->analysis);
	uint64_t bytes = dominators_bytes(d, node);
	bool thread = what_if_part_is_thread(rows->analysis, entity);
	if (thread && !count_threads(rows, entity, &freed, err))
		return false;
	buf_add(&rows->title, "below ");
	entity_add_label(rows->analysis, entity, &rows->title);
	buf_addf(&rows->title, ", which retains %s", text_size(thread ? freed.bytes : bytes).text);
	if (!rows->count)
		explain_empty(rows->analysis, d, node, &rows->note);
	return true;
}

/* Counts what several things retain together. */
static bool count_together(struct rows *rows, const struct operand *operand, struct freed *freed,
                           struct err *err)
{
	SCOPED_BUF set = {0};
	size_t count;
	if (operand->kind == OPERAND_GROUP)
		return count_threads(rows, (struct entity){ENTITY_GROUP, operand->index, 0}, freed, err);
	operand_add_set(operand, &set);
	return object_set_frees(rows->analysis, buf_text(&set), rows->progress, &count, freed, err);
}

/* Opens several nodes. Separately they retain nothing in common, but together they may retain more
   than the sum. */
static bool open_several(struct rows *rows, const struct operand *operand, struct ids nodes,
                         struct err *err)
{
	struct freed freed;
	if (!owner_tree_open_nodes(rows, nodes, err) || !count_together(rows, operand, &freed, err))
		return false;
	buf_addf(&rows->title, "below %s × ", text_count(nodes.count).text);
	entity_add_alike(rows->analysis, entity_of_node(rows->analysis, *nodes.id), &rows->title);
	buf_addf(&rows->title, ", which retain %s together", text_size(freed.bytes).text);
	owner_tree_retain_together(rows, &freed);
	return true;
}

static bool dominated_open(struct rows *rows, const char *argument, struct err *err)
{
	struct operand operand;
	size_t count;
	if (!argument_operand(rows->analysis, argument, &operand, err))
		return false;
	uint32_t *nodes = operand_nodes(rows->analysis, &operand, &count, err);
	bool done = nodes
	            && (count == 1 ? open_one(rows, *nodes, err)
	                           : open_several(rows, &operand, (struct ids){nodes, count}, err));
	free(nodes);
	return done;
}

DEFINE_PLUGIN(tables, struct table, table_dominated) = {
	.rank = 50,
	.name = "retained-tree",
	.form_of = "retained",
	.former = "dominated",
	.from = DAMAGE_ROOTS,
	.help = "The objects that an object, a variable or a " THREAD_WORD
			" dominates, as a tree; similar "
			"objects are one row. Rows below " THREAD_WORD "s are without their stacks",
	.argument = "ADDR|VARIABLE|group=N",
	.takes = TAKES_PLACE | TAKES_THIS_HOLDER,
	.needs = STAGE_OWNED | STAGE_TYPED,
	.parts = PART_OBJECTS,
	.columns = owner_tree_columns,
	.column_count = OWNER_TREE_COLUMNS,
	.open = dominated_open,
	RECORDS(struct owner_tree, owner_row),
	.link = owner_tree_link,
	.style = owner_tree_style,
	.entity = owner_tree_entity,
	.close = owner_tree_close,
	.tree = &owner_tree_tree,
};
