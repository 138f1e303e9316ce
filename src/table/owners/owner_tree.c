#include "table/owners/owner_tree.h"

#include "base/mem.h"
#include "table/owners/node.h"
#include "table/paths/libraries.h"

#include <stdlib.h>

enum { SLICE = 1000 };    /* rows made at a time; another row stands for the rest */
enum { FEW = 3 };         /* owners of a shared set that are shown at first */
enum { LONG = 100000 };   /* grouping more nodes takes too long for a key press */
#define IN_NODES SIZE_MAX /* owner_row.shown of a rest that opens into single nodes */

static struct owner_tree *owner_tree_of(const struct rows *rows)
{
	return rows->data;
}

const struct owners *owner_tree_owners(const struct rows *rows)
{
	return owner_tree_of(rows)->owners;
}

const struct owner_row *owner_tree_row(const struct rows *rows, size_t row)
{
	return &owner_tree_of(rows)->owner_row[row];
}

void owner_tree_add_row(struct rows *rows, struct owner_row owner_row)
{
	struct owner_tree *e = rows->data;
	e->owner_row = mem_grow(e->owner_row, rows->count, &e->capacity, sizeof *e->owner_row);
	owner_row.part = owner_row.kind != OWNER_ROW_OWNER && owner_row.kind != OWNER_ROW_OTHERS
	                 && owner_row.kind != OWNER_ROW_TOGETHER;
	e->owner_row[rows->count++] = owner_row;
}

uint32_t owner_tree_keep_source(struct owner_tree *e, struct group_source source)
{
	return (uint32_t)MEM_PUSH(e->source, e->sources, e->source_capacity, source);
}

uint32_t owner_tree_keep(struct owner_tree *e, struct node_groups groups, uint32_t node)
{
	return owner_tree_keep_source(e, (struct group_source){
										 .groups = groups,
										 .node = node,
										 .shared_set = OBJECT_NONE,
										 .place = {OBJECT_NONE, OBJECT_NONE},
									 });
}

struct owner_row owner_tree_row_of_node(const struct owner_tree *e, uint32_t node)
{
	const struct dominators *d = e->owners->dominators;
	return (struct owner_row){
		.kind = OWNER_ROW_NODE,
		.id = node,
		.count = 1,
		.bytes = dominators_bytes(d, node),
		.objects = dominators_objects(d, node),
	};
}

static struct owner_row owner_row_of_group(const struct owner_tree *e, uint32_t source, size_t at)
{
	const struct node_groups *groups = &e->source[source].groups;
	const struct node_group *group = &groups->group[at];
	const uint32_t *first = groups->node + group->first;
	if (group->count == 1)
		return owner_tree_row_of_node(e, *first);
	return (struct owner_row){
		.kind = OWNER_ROW_GROUP,
		.id = *first,
		.count = (uint32_t)group->count,
		.bytes = group->bytes,
		.objects = group->objects,
		.nodes = {first, group->count},
		.source = source,
	};
}

/* Appends a row for the part of `rest` that no row added since `first` covers. */
static void owner_tree_add_rest(struct rows *rows, struct owner_row rest, size_t first)
{
	const struct owner_row *owner_row = owner_tree_of(rows)->owner_row;
	rest.kind = OWNER_ROW_REST;
	rest.made = false;
	for (size_t row = first; row < rows->count; row++) {
		rest.bytes -= owner_row[row].bytes;
		rest.objects -= owner_row[row].objects;
		rest.count -= owner_row[row].count;
	}
	if (rest.count)
		owner_tree_add_row(rows, rest);
}

/* Appends the next SLICE single nodes, those that retain most first, and a row for the rest. `all`
   has the nodes, their sums, and in id the last node that was shown. */
static void add_nodes(struct rows *rows, struct owner_row all, bool begin)
{
	const struct owner_tree *e = rows->data;
	uint32_t picked[SLICE];
	size_t first = rows->count;
	size_t count =
		node_group_pick(e->owners->dominators, all.nodes, begin ? NULL : &all.id, picked, SLICE);
	for (size_t i = 0; i < count; i++)
		owner_tree_add_row(rows, owner_tree_row_of_node(e, picked[i]));
	all.shown = IN_NODES;
	all.id = count ? picked[count - 1] : all.id;
	owner_tree_add_rest(rows, all, first);
}

/* Appends the next `slice` groups, and a row for the rest. */
static void add_node_groups(struct rows *rows, struct owner_row all, size_t slice)
{
	const struct owner_tree *e = rows->data;
	size_t first = rows->count, count = e->source[all.source].groups.count;
	for (; all.shown < count && slice-- > 0; all.shown++)
		owner_tree_add_row(rows, owner_row_of_group(e, all.source, all.shown));
	owner_tree_add_rest(rows, all, first);
}

static void add_members(struct rows *rows, struct owner_row owner_row)
{
	const struct node_groups *groups = &owner_tree_of(rows)->source[owner_row.source].groups;
	/* The row of a shared set that is one group of root nodes already shows the group. */
	if (owner_row.kind == OWNER_ROW_HOLDING && groups->count == 1
	    && node_root_node(rows->analysis, groups->node[0])) {
		owner_row.nodes = (struct ids){groups->node, owner_row.count};
		add_nodes(rows, owner_row, true);
	} else {
		owner_row.shown = 0;
		add_node_groups(rows, owner_row, SLICE);
	}
}

/* Appends the owners from..end of a shared set, the most significant first. */
static void owner_tree_do_add_owners(struct rows *rows, uint32_t shared_set, size_t from,
                                     size_t end)
{
	const struct owners *owners = owner_tree_owners(rows);
	uint32_t owner[OWNERS_MOST];
	owner_tree_order_owners(rows->analysis, owners, owners_of_shared_set(owners, shared_set),
	                        owner);
	for (size_t i = from; i < end; i++)
		owner_tree_add_row(rows, (struct owner_row){.kind = OWNER_ROW_OWNER, .id = owner[i]});
}

/* Appends the owners of a shared set with several, only a few at first: the objects below matter
   more. */
static void owner_tree_add_holders(struct rows *rows, uint32_t shared_set)
{
	size_t count = owners_of_shared_set(owner_tree_owners(rows), shared_set).count;
	if (count < 2)
		return;
	size_t end = count > FEW + 1 ? FEW : count;
	owner_tree_add_row(rows, (struct owner_row){.kind = OWNER_ROW_TOGETHER, .id = shared_set});
	owner_tree_do_add_owners(rows, shared_set, 0, end);
	if (end < count)
		owner_tree_add_row(rows, (struct owner_row){
									 .kind = OWNER_ROW_OTHERS,
									 .id = shared_set,
									 .count = (uint32_t)(count - end),
								 });
}

/* Returns a row with the sums of a source. */
static struct owner_row owner_row_of_all(const struct owner_tree *e, uint32_t source)
{
	const struct node_groups *groups = &e->source[source].groups;
	struct owner_row all = {.source = source};
	for (size_t i = 0; i < groups->count; i++) {
		all.bytes += groups->group[i].bytes;
		all.objects += groups->group[i].objects;
		all.count += (uint32_t)groups->group[i].count;
	}
	return all;
}

void owner_tree_add_source(struct rows *rows, uint32_t source)
{
	add_node_groups(rows, owner_row_of_all(rows->data, source), SIZE_MAX);
}

static void below_node(struct rows *rows, struct owner_row owner_row, size_t row)
{
	struct owner_tree *e = rows->data;
	struct node_groups groups = {0};
	if (e->prepared_row == row + 1) {
		groups = e->prepared;
		e->prepared = (struct node_groups){0};
		e->prepared_row = 0;
	}
	if (!groups.node)
		owner_tree_group(e, owner_row.id, NULL, &groups);
	owner_places_whole(e->analysis, NULL, &e->places);
	struct owner_row all = owner_row_of_all(e, owner_tree_keep(e, groups, owner_row.id));
	all.kind = owner_row.kind;
	all.id = owner_row.id;
	add_members(rows, all);
}

static void make_below(struct rows *rows, size_t row)
{
	struct owner_row owner_row = *owner_tree_row(rows, row);
	size_t first = rows->count;
	if (owner_row.kind == OWNER_ROW_HOLDING) {
		owner_tree_add_holders(rows, owner_row.id);
		add_members(rows, owner_row);
	} else if (owner_row.kind == OWNER_ROW_NODE)
		below_node(rows, owner_row, row);
	else if (owner_row.kind == OWNER_ROW_GROUP)
		add_nodes(rows, owner_row, true);
	else if (owner_row.kind == OWNER_ROW_OTHERS)
		owner_tree_do_add_owners(rows, owner_row.id, FEW, FEW + owner_row.count);
	else if (owner_row.shown == IN_NODES)
		add_nodes(rows, owner_row, false);
	else
		add_node_groups(rows, owner_row, SLICE);
	struct owner_row *made = &owner_tree_of(rows)->owner_row[row];
	uint32_t above = made->kind == OWNER_ROW_NODE ? made->id + 1 : made->above;
	for (size_t below = first; below < rows->count; below++)
		owner_tree_of(rows)->owner_row[below].above = above;
	made->made = true;
	made->first_below = first;
	made->below = rows->count - first;
}

/* Counts the children of a node, up to `most`. */
static size_t count_children(const struct rows *rows, const struct owner_row *owner_row,
                             size_t most)
{
	size_t count = 0;
	struct path_arrays arrays = {.analysis = rows->analysis};
	if (owner_row->kind == OWNER_ROW_NODE)
		free(owner_tree_children(&arrays, owner_tree_of(rows), owner_row->id, most, &count));
	path_arrays_fini(&arrays);
	return count;
}

static size_t owner_tree_fold(struct rows *rows)
{
	const struct owner_libraries *libraries = owner_tree_of(rows)->libraries;
	size_t fold = rows->count;
	if (!libraries || libraries->count < LIBRARIES_LEAST)
		return SIZE_MAX;
	owner_tree_add_row(rows, (struct owner_row){
								 .kind = OWNER_ROW_LIBRARIES,
								 .count = (uint32_t)libraries->variables,
								 .bytes = libraries->bytes,
								 .objects = libraries->objects,
								 .made = true,
							 });
	return fold;
}

bool owner_tree_is_folded(const struct rows *rows, size_t row)
{
	const struct owner_tree *e = owner_tree_of(rows);
	return e->libraries && row < e->owners->shared_sets && e->libraries->is_one[row];
}

static bool owner_tree_has_below(const struct rows *rows, size_t row)
{
	const struct owner_row *owner_row = owner_tree_row(rows, row);
	if (owner_row->kind == OWNER_ROW_NODE)
		return count_children(rows, owner_row, 1) > 0;
	return owner_row->kind != OWNER_ROW_OWNER && owner_row->kind != OWNER_ROW_TOGETHER;
}

static bool owner_tree_is_rest(const struct rows *rows, size_t row)
{
	return owner_tree_row(rows, row)->kind == OWNER_ROW_REST;
}

static size_t owner_tree_below(struct rows *rows, size_t row, size_t *first)
{
	if (!owner_tree_row(rows, row)->made)
		make_below(rows, row);
	*first = owner_tree_row(rows, row)->first_below;
	return owner_tree_row(rows, row)->below;
}

static bool owner_tree_takes_long(const struct rows *rows, size_t row)
{
	const struct owner_row *owner_row = owner_tree_row(rows, row);
	const struct owner_tree *e = rows->data;
	bool places = owner_row->kind == OWNER_ROW_NODE && analysis_typing(e->analysis)
	              && !analysis_kept_made(e->analysis, &path_tree_whole, RETAIN_ALIVE)
	              && heap_object_count(analysis_heap(e->analysis)) > LONG;
	return !owner_row->made && (places || count_children(rows, owner_row, LONG + 1) > LONG);
}

static bool owner_tree_prepare(const struct rows *rows, size_t row, struct progress *progress)
{
	struct owner_tree *e = rows->data;
	node_groups_fini(&e->prepared);
	e->prepared_row = 0;
	const struct path_tree *places;
	if (!owner_places_whole(e->analysis, progress, &places))
		return false;
	if (!owner_tree_group(e, owner_tree_row(rows, row)->id, progress, &e->prepared))
		return false;
	e->prepared_row = row + 1;
	return true;
}

const struct table_tree owner_tree_tree = {
	.has_below = owner_tree_has_below,
	.below = owner_tree_below,
	.is_rest = owner_tree_is_rest,
	.takes_long = owner_tree_takes_long,
	.prepare = owner_tree_prepare,
	.fold = owner_tree_fold,
	.is_folded = owner_tree_is_folded,
	.weight = "owned_bytes",
	.weight_else = "retained_bytes",
	.delta = "retained_delta",
};

const struct node_groups *owner_tree_groups(const struct rows *rows,
                                            const struct owner_row *owner_row)
{
	return owner_row->source ? &owner_tree_of(rows)->source[owner_row->source].groups : NULL;
}

const struct group_source *owner_tree_source(const struct rows *rows,
                                             const struct owner_row *owner_row)
{
	return &owner_tree_of(rows)->source[owner_row->source];
}

bool owner_tree_add_place(const struct rows *rows, const struct owner_row *owner_row,
                          struct buf *out)
{
	const struct owner_tree *e = owner_tree_of(rows);
	bool is_shared = owner_tree_source(rows, owner_row)->shared_set != OBJECT_NONE;
	uint32_t above = owner_row->above ? owner_row->above - 1 : OBJECT_NONE;
	return owner_places_add(is_shared ? e->shared_places : e->places, e->analysis, above,
	                        owner_row->nodes, out);
}
