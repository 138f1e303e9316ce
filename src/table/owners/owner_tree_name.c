/* Names of the rows in trees of owners. */

#include "base/text.h"
#include "heap/name_part.h"
#include "heap/root.h"
#include "table/naming/shorten.h"
#include "table/naming/step.h"
#include "table/naming/typed.h"
#include "table/naming/variable_user.h"
#include "table/owners/owner_own.h"
#include "table/owners/owner_place.h"
#include "table/owners/owner_tree.h"
#include "table/paths/libraries.h"

#include <inttypes.h>
#include <stdlib.h>

enum { NEARLY_ALL = 20 }; /* a row's name does not mention a rest of less than a 20th */

struct entity entity_of_owner(const struct owner *owner)
{
	return (struct entity){ENTITY_ROOT_NODE, owner->root_node, 0};
}

static void owner_tree_name_add_count(struct buf *out, uint64_t count)
{
	if (name_wants(out, NAME_COUNT))
		text_add_count(out, count);
}

/* Appends "250 × main.Session"; for a single one, its name. */
static void owner_tree_name_add_several(const struct analysis *analysis, uint64_t count,
                                        struct entity entity, struct buf *out)
{
	if (count == 1) {
		entity_add_label(analysis, entity, out);
		return;
	}
	owner_tree_name_add_count(out, count);
	buf_add(out, " × ");
	entity_add_alike(analysis, entity, out);
}

void owner_tree_add_owner(const struct analysis *analysis, const struct owner *owner,
                          struct buf *out)
{
	const struct root_node *first = &analysis_root_nodes(analysis)->root_node[owner->root_node];
	/* the two parts of a pool are one pool */
	uint64_t count = first->kind == ROOT_NODE_POOL ? 1 : owner->root_nodes;
	owner_tree_name_add_several(analysis, count, entity_of_owner(owner), out);
}

void owner_tree_add_owners(const struct analysis *analysis, const struct owners *owners,
                           struct ids set, struct buf *out)
{
	if (set.count == 0) {
		buf_addf(out, "more than %d owners", OWNERS_MOST);
		return;
	}
	uint32_t significant[OWNERS_MOST];
	owner_tree_order_owners(analysis, owners, set, significant);
	if (set.count == 1)
		owner_own_add(analysis, owners->owner[significant[0]].root_node, out);
	owner_tree_add_owner(analysis, &owners->owner[significant[0]], out);
	if (set.count == 1)
		return;
	buf_add(out, " and ");
	if (set.count == 2) {
		owner_tree_add_owner(analysis, &owners->owner[significant[1]], out);
		return;
	}
	owner_tree_name_add_count(out, set.count - 1);
	buf_add(out, " more");
}

/* Appends the owners of a shared set other than the variable in its name. */
static void owner_tree_name_add_other_owners(const struct rows *rows, struct ids set,
                                             uint32_t owner, struct buf *out)
{
	buf_add(out, ", shared with ");
	if (set.count == 2) {
		owner_tree_add_owner(rows->analysis,
		                     &owner_tree_owners(rows)->owner[set.id[set.id[0] == owner]], out);
		return;
	}
	buf_add(out, set.count ? "" : "more than ");
	owner_tree_name_add_count(out, (set.count ? set.count : OWNERS_MOST) - 1);
	buf_add(out, " others");
}

/* Appends "main.app.Clients[*].subs, also held by 16 others". False: no variable leads to most of
   it. */
static bool owner_tree_name_add_shared(const struct rows *rows, const struct owner_row *owner_row,
                                       struct ids set, struct buf *out)
{
	const struct owner_tree *e = rows->data;
	struct owner_place place = owner_tree_source(rows, owner_row)->place;
	if (place.place == OBJECT_NONE)
		return false;
	uint32_t root_node = analysis_root_nodes(rows->analysis)->of_root[place.root];
	owner_places_add_name(e->shared_places, place.place, out);
	owner_tree_name_add_other_owners(rows, set, e->owners->of_root_node[root_node], out);
	return true;
}

static void owner_tree_name_add_shared_set(const struct rows *rows,
                                           const struct owner_row *owner_row, struct buf *out)
{
	const struct node_groups *groups = owner_tree_groups(rows, owner_row);
	struct ids set = owners_of_shared_set(owner_tree_owners(rows), owner_row->id);
	if (set.count == 1) { /* several threads or a pool: a variable has a row of its own kind */
		owner_tree_add_owners(rows->analysis, owner_tree_owners(rows), set, out);
		return;
	}
	if (owner_tree_name_add_shared(rows, owner_row, set, out))
		return;
	owner_tree_name_add_several(
		rows->analysis, groups->group[0].count,
		entity_of_node(rows->analysis, groups->node[groups->group[0].first]), out);
	bool nearly_all = owner_row->bytes - groups->group[0].bytes < owner_row->bytes / NEARLY_ALL;
	if (groups->count > 1 && !nearly_all) {
		buf_add(out, " and ");
		owner_tree_name_add_count(out, owner_row->count - groups->group[0].count);
		buf_add(out, " more");
	}
	buf_add(out, " held by ");
	owner_tree_add_owners(rows->analysis, owner_tree_owners(rows), set, out);
}

static void owner_tree_name_add_together(const struct rows *rows, const struct owner_row *owner_row,
                                         struct buf *out)
{
	size_t count = owners_of_shared_set(owner_tree_owners(rows), owner_row->id).count;
	struct owned together = owners_together(owner_tree_owners(rows), owner_row->id);
	if (count == 2)
		buf_add(out, "is freed only when both of these release it: then ");
	else
		buf_addf(out, "is freed only when all %zu of these release it: then ", count);
	buf_addf(out, "%s are freed in all", text_size(together.bytes).text);
}

static void owner_tree_name_add_holder(const struct rows *rows, const struct owner_row *owner_row,
                                       struct buf *out)
{
	const struct owner *owner = &owner_tree_owners(rows)->owner[owner_row->id];
	buf_add(out, "held by ");
	owner_tree_add_owner(rows->analysis, owner, out);
	buf_add(out, ", which alone owns ");
	text_add_size(out, owner_tree_owners(rows)->shared_set[owner->shared_set].bytes);
}

static void owner_tree_name_add_others(const struct rows *rows, const struct owner_row *owner_row,
                                       struct buf *out)
{
	(void)rows;
	buf_addf(out, "held by %" PRIu32 " more", owner_row->count);
}

static void owner_tree_name_add_node(const struct rows *rows, const struct owner_row *owner_row,
                                     struct buf *out)
{
	const struct analysis *analysis = rows->analysis;
	struct entity entity = entity_of_node(analysis, owner_row->id);
	bool object = entity.kind == ENTITY_OBJECT;
	if (object && owner_row->above
	    && (step_add_trie_key(analysis, entity.id, out)
	        || owner_step_add(analysis, owner_row->above - 1, entity.id, out))) {
		buf_add(out, "  ");
		typed_add(analysis, entity.id, out);
	} else {
		if (entity.kind == ENTITY_ROOT_NODE)
			owner_own_add(analysis, entity.id, out);
		entity_add_label(analysis, entity, out);
		variable_user_add_behind(analysis, entity, out);
	}
	if (object)
		typed_add_entries(analysis, entity.id, out);
}

static void owner_tree_name_add_group(const struct rows *rows, const struct owner_row *owner_row,
                                      struct buf *out)
{
	if (owner_tree_add_place(rows, owner_row, out))
		buf_add(out, "  ");
	owner_tree_name_add_several(rows->analysis, owner_row->count,
	                            entity_of_node(rows->analysis, owner_row->id), out);
}

static void owner_tree_name_add_rest(const struct rows *rows, const struct owner_row *owner_row,
                                     struct buf *out)
{
	(void)rows;
	buf_addf(out, "%s more", text_count(owner_row->count).text);
}

static void owner_tree_name_add_libraries(const struct rows *rows,
                                          const struct owner_row *owner_row, struct buf *out)
{
	(void)rows;
	libraries_add_name(owner_row->count, out);
}

void owner_tree_add_name(const struct rows *rows, const struct owner_row *owner_row,
                         struct buf *out)
{
	static void (*const add[])(const struct rows *, const struct owner_row *, struct buf *) = {
		[OWNER_ROW_HOLDING] = owner_tree_name_add_shared_set,
		[OWNER_ROW_TOGETHER] = owner_tree_name_add_together,
		[OWNER_ROW_OWNER] = owner_tree_name_add_holder,
		[OWNER_ROW_NODE] = owner_tree_name_add_node,
		[OWNER_ROW_GROUP] = owner_tree_name_add_group,
		[OWNER_ROW_REST] = owner_tree_name_add_rest,
		[OWNER_ROW_OTHERS] = owner_tree_name_add_others,
		[OWNER_ROW_LIBRARIES] = owner_tree_name_add_libraries,
	};
	if (owner_row->kind == OWNER_ROW_NODE
	    && entity_of_node(rows->analysis, owner_row->id).kind != ENTITY_OBJECT) {
		add[owner_row->kind](rows, owner_row, out);
		return;
	}
	SCOPED_BUF whole = {.without = out->without};
	add[owner_row->kind](rows, owner_row, &whole);
	shorten_paths(buf_text(&whole), out);
}

/* ---- The order of the owners of a shared set */

struct significant_owner {
	uint32_t owner;
	int rank; /* the smallest first */
	uint32_t alike;
};

static bool owner_tree_order_is_named(const struct analysis *analysis,
                                      const struct root_node *root_node)
{
	const char *name;
	uint64_t offset;
	return names_variable(analysis_names(analysis),
	                      heap_root(analysis_heap(analysis), root_node->index)->address, &name,
	                      &offset);
}

static int owner_tree_order_rank_of(const struct analysis *analysis, uint32_t root_node)
{
	enum { VARIABLE, THREAD, WORD, REST };
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	const struct root_node *a = &root_nodes->root_node[root_node];
	bool runtime = a->parent == root_nodes->root_class[ROOT_CLASS_RUNTIME];
	if (a->kind == ROOT_NODE_THREAD)
		return THREAD;
	if (a->kind != ROOT_NODE_GLOBAL || runtime)
		return REST;
	return owner_tree_order_is_named(analysis, a) ? VARIABLE : WORD;
}

static int most_significant(const void *a, const void *b)
{
	const struct significant_owner *x = a, *y = b;
	if (x->rank != y->rank)
		return x->rank - y->rank;
	if (x->alike != y->alike)
		return x->alike > y->alike ? -1 : 1;
	return x->owner < y->owner ? -1 : x->owner > y->owner;
}

void owner_tree_order_owners(const struct analysis *analysis, const struct owners *owners,
                             struct ids set, uint32_t *out)
{
	struct significant_owner significant[OWNERS_MOST];
	for (size_t i = 0; i < set.count; i++) {
		const struct owner *owner = &owners->owner[set.id[i]];
		significant[i] = (struct significant_owner){
			set.id[i], owner_tree_order_rank_of(analysis, owner->root_node), owner->root_nodes};
	}
	qsort(significant, set.count, sizeof *significant, most_significant);
	for (size_t i = 0; i < set.count; i++)
		out[i] = significant[i].owner;
}
