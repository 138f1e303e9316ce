/* The table of the owners of memory: the topmost nodes of the dominator tree, and below them all
   others. */
#include "base/text.h"
#include "format/format.h"
#include "format/runtime.h"
#include "table/owners/owner_tree.h"

static bool owners_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument;
	if (!owner_tree_open_owners(rows, err))
		return false;
	static const char *const titles[RETAIN_COUNT] = {
		[RETAIN_ALIVE] = "retained sizes of the owners of ",
		[RETAIN_STRONGEST] = "owners by the strongest roots, of ",
		[RETAIN_WEAK] = "retained sizes of the owners, weak roots included, of ",
	};
	const struct dominators *d =
		analysis_dominators(rows->analysis, analysis_owner_retain(rows->analysis));
	buf_addf(&rows->title, "%s%s", titles[d->retain], text_size(dominators_bytes(d, d->root)).text);
	bool typed = analysis_has(rows->analysis, STAGE_TYPED);
	buf_add(&rows->title, typed ? " reachable" : " reachable; types follow");
	struct owner_tree *e = rows->data;
	if (!typed)
		return true;
	e->libraries = owner_libraries_of(rows->analysis, d->retain, rows->progress);
	return e->libraries ? owner_delta_open(rows, &e->delta, err) : err_set(err, "Cancelled");
}

DEFINE_PLUGIN(tables, struct table, table_owners) = {
	.rank = 10,
	.name = "owners",
	.from = DAMAGE_ROOTS,
	.help = "The owners of the memory: variables, " THREADS_WORD ", and sets that several of them "
			"share; below each the objects that it owns, similar objects as one row",
	.needs = STAGE_OWNED,
	.wants = STAGE_TYPED,
	.parts = PART_OBJECTS,
	.columns = owner_tree_columns,
	.column_count = OWNER_TREE_COLUMNS,
	.open = owners_open,
	.none = "No object has an owner: nothing in the dump is reachable.",
	RECORDS(struct owner_tree, owner_row),
	.link = owner_tree_link,
	.style = owner_tree_style,
	.entity = owner_tree_entity,
	.close = owner_tree_close,
	.tree = &owner_tree_tree,
};
