#include "table/owners/owner_tree.h"

#include "format/runtime.h"
#include "table/cell.h"
#include "table/columns.h"
#include "table/naming/typed.h"
#include "table/naming/variable_user.h"

#include <inttypes.h>

static void owners_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	owner_tree_add_name(rows, owner_tree_row(rows, row), cell_begin(value));
}

/* Returns an entity that represents the row; ENTITY_NONE: none. */
static struct entity example(const struct rows *rows, const struct owner_row *owner_row)
{
	const struct node_groups *groups = owner_tree_groups(rows, owner_row);
	switch ((enum owner_row_kind)owner_row->kind) {
	case OWNER_ROW_HOLDING:
		return entity_of_node(rows->analysis, groups->node[groups->group[0].first]);
	case OWNER_ROW_OWNER:
		return entity_of_owner(&owner_tree_owners(rows)->owner[owner_row->id]);
	case OWNER_ROW_NODE:
	case OWNER_ROW_GROUP:
		return entity_of_node(rows->analysis, owner_row->id);
	default:
		return (struct entity){0};
	}
}

/* Shows the type of an object, or for a group the common type of its objects. */
static void owners_type_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct owner_row *owner_row = owner_tree_row(rows, row);
	struct entity entity = example(rows, owner_row);
	bool one = owner_row->kind == OWNER_ROW_NODE || owner_row->kind == OWNER_ROW_OWNER;
	struct buf *out = cell_begin(value);
	if (one && entity.kind == ENTITY_OBJECT)
		typed_add(rows->analysis, entity.id, out);
	else if (one || entity.kind == ENTITY_ROOT_NODE)
		entity_add_type(rows->analysis, entity, out);
	else if (entity.kind == ENTITY_OBJECT && analysis_typing(rows->analysis))
		entity_add_alike(rows->analysis, entity, out);
}

static bool owners_row_is_shared(const struct rows *rows, size_t row)
{
	const struct owner_row *owner_row = owner_tree_row(rows, row);
	return owner_row->kind == OWNER_ROW_HOLDING
	       && owners_of_shared_set(owner_tree_owners(rows), owner_row->id).count != 1;
}

static void owners_kind_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct owner_row *owner_row = owner_tree_row(rows, row);
	struct entity entity = example(rows, owner_row);
	if (owners_row_is_shared(rows, row))
		cell_text(value, "shared");
	else if (entity.kind == ENTITY_OBJECT && owner_row->kind != OWNER_ROW_NODE)
		cell_text(value, "group");
	else
		cell_text(value, entity_word(rows->analysis, entity));
}

/* Returns the owner of a row; NULL: none. */
static const struct owner *owner_of(const struct rows *rows, const struct owner_row *owner_row)
{
	const struct owners *owners = owner_tree_owners(rows);
	const struct root_nodes *root_nodes = analysis_root_nodes(rows->analysis);
	struct ids set;
	uint32_t root_node;
	switch ((enum owner_row_kind)owner_row->kind) {
	case OWNER_ROW_OWNER:
		return &owners->owner[owner_row->id];
	case OWNER_ROW_HOLDING:
		set = owners_of_shared_set(owners, owner_row->id);
		return set.count == 1 ? &owners->owner[*set.id] : NULL;
	case OWNER_ROW_NODE:
		root_node = root_nodes_of_node(root_nodes, owner_row->id);
		if (root_node == UINT32_MAX || owners->of_root_node[root_node] == UINT32_MAX)
			return NULL;
		/* A single thread is only a part of an owner of several. */
		return owners->owner[owners->of_root_node[root_node]].root_nodes == 1
		           ? &owners->owner[owners->of_root_node[root_node]]
		           : NULL;
	default:
		return NULL;
	}
}

static bool owners_count_all_paths(const struct rows *rows)
{
	return owner_tree_owners(rows)->dominators->retain != RETAIN_STRONGEST;
}

/* Returns true for rows of other tables, and before types are known. */
static bool owners_know_no_libraries(const struct rows *rows)
{
	return !((const struct owner_tree *)rows->data)->libraries;
}

static void owners_package_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct owners *owners = owner_tree_owners(rows);
	if (!owners_know_no_libraries(rows) && row < owners->shared_sets)
		owner_libraries_add_package(rows->analysis, owners, (uint32_t)row, cell_begin(value));
}

static void owners_library_cell(const struct rows *rows, size_t row, struct value *value)
{
	bool fold = owner_tree_row(rows, row)->kind == OWNER_ROW_LIBRARIES;
	if (fold || (!owners_know_no_libraries(rows) && row < owner_tree_owners(rows)->shared_sets))
		cell_number(value, VALUE_BOOL, fold || owner_tree_is_folded(rows, row));
}

static void owners_owned_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct owner_row *owner_row = owner_tree_row(rows, row);
	if (owner_row->part)
		cell_number(value, VALUE_BYTES, owner_row->bytes);
}

/* Returns true for the only topmost row of which it is known what its nodes retain together. */
static bool owners_row_is_together(const struct rows *rows, size_t row)
{
	return row == 0 && ((const struct owner_tree *)rows->data)->knows_together;
}

/* Shows the bytes freed without a single node. Several nodes may retain more together than
   separately, so groups have no such number, unless the tree is that of all paths. */
static void owners_retained_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct owner_row *owner_row = owner_tree_row(rows, row);
	const struct dominators *alive = analysis_dominators(rows->analysis, RETAIN_ALIVE);
	if (owners_row_is_together(rows, row))
		cell_number(value, VALUE_BYTES, ((const struct owner_tree *)rows->data)->together.bytes);
	else if (owners_count_all_paths(rows))
		owners_owned_cell(rows, row, value);
	else if (owner_row->kind == OWNER_ROW_NODE && alive && dominators_has(alive, owner_row->id))
		cell_number(value, VALUE_BYTES, dominators_bytes(alive, owner_row->id));
}

static void owners_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct dominators *d = owner_tree_owners(rows)->dominators;
	if (owner_tree_row(rows, row)->part)
		cell_share(value, owner_tree_row(rows, row)->bytes, dominators_bytes(d, d->root));
}

/* Returns the variable of a row; ENTITY_NONE: the row is something else, or several things. */
static struct entity owners_variable(const struct rows *rows, size_t row)
{
	const struct owner_row *owner_row = owner_tree_row(rows, row);
	const struct owner *owner = owner_of(rows, owner_row);
	return owner ? entity_of_owner(owner) : (struct entity){0};
}

static void owners_user_cell(const struct rows *rows, size_t row, struct value *value)
{
	variable_user_function_cell(rows->analysis, owners_variable(rows, row), value);
}

static void owners_variable_known_cell(const struct rows *rows, size_t row, struct value *value)
{
	variable_user_known_cell(rows->analysis, owners_variable(rows, row), value);
}

static void owners_shared_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct owner *owner = owner_of(rows, owner_tree_row(rows, row));
	if (owner)
		cell_number(value, VALUE_BYTES, owner->shared);
}

static void owners_together_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct owner_row *owner_row = owner_tree_row(rows, row);
	if (owner_row->kind == OWNER_ROW_HOLDING
	    && owners_of_shared_set(owner_tree_owners(rows), owner_row->id).count > 1)
		cell_number(value, VALUE_BYTES,
		            owners_together(owner_tree_owners(rows), owner_row->id).bytes);
}

/* Returns the entity of a node; for a shared set, its biggest node, if it is the only one of its
   group. */
struct entity owner_tree_entity(const struct rows *rows, size_t row)
{
	const struct owner_row *owner_row = owner_tree_row(rows, row);
	const struct node_groups *groups = owner_tree_groups(rows, owner_row);
	bool single = owner_row->kind == OWNER_ROW_HOLDING && groups->group[0].count == 1;
	return owner_row->kind == OWNER_ROW_NODE || single ? example(rows, owner_row)
	                                                   : (struct entity){0};
}

/* The bytes of the tree. With --retain all they are retained sizes: a screen shows them once. */
#define OWNED                                                                                      \
	.name = "owned_bytes", .title = "owned", .kind = VALUE_BYTES,                                  \
	.help =                                                                                        \
		"Bytes that only this row keeps alive. For an owner, roots of weaker kinds do not count: " \
		"memory that a variable and a " THREAD_WORD " reach is owned by the variable. "            \
		"With --retain all it is retained_bytes",                                                  \
	.absent = owners_count_all_paths
#define OWNER_RETAINED                                                                           \
	.name = "retained_bytes", .title = "retained", .kind = VALUE_BYTES,                          \
	.help = "Retained size: bytes that would be freed without it. Less than what it owns if "    \
			"roots of weaker kinds reach the same memory; empty for several objects or owners, " \
			"unless --retain all",                                                               \
	.cell = owners_retained_cell

const struct column owner_tree_columns[OWNER_TREE_COLUMNS] = {
	{OWNED, .width = 9, .cell = owners_owned_cell},
	{OWNER_RETAINED, .width = 9, .rank = 2},
	{"share", "share", "Share of all reachable bytes", VALUE_SHARE, 6, 0,
     .cell = owners_share_cell},
	{"retained_objects", "objects", "Number of the objects that it owns", VALUE_COUNT, 9, 2,
     FIELD_IF(struct owner_row, objects, part)},
	{"shared_bytes", "shared",
     "Bytes that the owner shares with others: they are freed only when all of these release "
     "them. Sets with more than 64 owners are not counted",
     VALUE_BYTES, 9, 2, .cell = owners_shared_cell},
	{"together_bytes", "together",
     "For a shared set: bytes that would be freed without all of its owners, with those that each "
     "of them owns alone",
     VALUE_BYTES, 9, 2, .cell = owners_together_cell},
	{"name", "what",
     "The owner, after the object of the program that it leads to if it is a registry of another "
     "package; or the object, or the number of objects and their type, after their place in the "
     "row above. For a shared set, the place that holds more than half of its bytes, and its "
     "other owners",
     VALUE_TEXT, 0, 0, .cell = owners_name_cell},
	{"type", "type",
     "Type of the objects (the one with the most bytes if there are several), or of the variable, "
     "or of the object that it references",
     VALUE_TEXT, 24, 3, .cell = owners_type_cell},
	{"kind", "kind",
     "shared (by several owners), group or object, or the kind of owner: global, " THREAD_WORD
     ", frame, "
     "slot, finalizer, defer, panic, other, pool or runtime, also for its variables",
     VALUE_TEXT, 9, 4, .cell = owners_kind_cell},
	{"count", "count", "Number of objects or owners of the row", VALUE_COUNT, 7, 4,
     FIELD_IF(struct owner_row, count, part)},
	{"address", "address", "Address of the object", VALUE_ADDRESS, 14, 4,
     .cell = object_address_cell},
	{VARIABLE_USER, .width = 30, .rank = 5, .cell = owners_user_cell},
	{VARIABLE_KNOWN, .width = 8, .rank = 5, .cell = owners_variable_known_cell},
	{LIBRARY_PACKAGE, .width = 20, .rank = 5, .cell = owners_package_cell,
     .absent = owners_know_no_libraries},
	{LIBRARY_IS_ONE, .width = 8, .rank = 5, .cell = owners_library_cell,
     .absent = owners_know_no_libraries},
	{"count_delta", "more", "Change in the number of its objects since the oldest earlier dump",
     VALUE_COUNT, 9, 2, .cell = owner_delta_count_cell, .absent = owner_delta_absent},
	{"retained_delta", "more held",
     "Change in its bytes since the oldest earlier dump; below the owners, only for objects that "
     "existed then",
     VALUE_BYTES, 10, 0, .cell = owner_delta_retained_cell, .absent = owner_delta_absent},
};

const struct column top_columns[TOP_COLUMNS] = {
	{"name", "owner",
     "The variable, the " THREADS_WORD
     ", or the place of a shared set; the table owners shows what is "
     "below each",
     VALUE_TEXT, 0, 0, .cell = owners_name_cell},
	{"type", "type",
     "Type of the variable, or of the object that it references; for a shared set, the type with "
     "the most bytes",
     VALUE_TEXT, 24, 2, .cell = owners_type_cell},
	{OWNED, .width = 9, .cell = owners_owned_cell},
	{OWNER_RETAINED, .width = 9, .rank = 2},
	{"share", "share", "Share of all reachable bytes", VALUE_SHARE, 6, 0,
     .cell = owners_share_cell},
	{"retained_objects", "objects", "Number of the objects that it owns", VALUE_COUNT, 9, 1,
     FIELD_IF(struct owner_row, objects, part)},
	{"kind", "kind",
     "shared (by several owners), or the kind of owner, such as global or " THREAD_WORD, VALUE_TEXT,
     9, 3, .cell = owners_kind_cell},
	{VARIABLE_USER, .width = 30, .rank = 4, .cell = owners_user_cell},
	{VARIABLE_KNOWN, .width = 8, .rank = 4, .cell = owners_variable_known_cell},
};

/* Adds which paths count in this table, if others count elsewhere. */
static void link_paths(const struct rows *rows, struct buf *command)
{
	enum retain retain = owner_tree_owners(rows)->dominators->retain;
	if (retain == RETAIN_STRONGEST && retain != analysis_retain(rows->analysis))
		buf_add(command, " strong");
}

static void link_group(const struct rows *rows, const struct owner_row *owner_row,
                       struct buf *command)
{
	const struct group_source *source = owner_tree_source(rows, owner_row);
	buf_add(command, "retained-list ");
	if (source->node == OBJECT_NONE)
		buf_addf(command, "holding=%" PRIu32, source->shared_set);
	else
		entity_add_argument(rows->analysis, entity_of_node(rows->analysis, source->node), command);
	buf_addf(command, " like=0x%" PRIx64,
	         heap_address(analysis_heap(rows->analysis), owner_row->id));
	link_paths(rows, command);
}

void owner_tree_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct owner_row *owner_row = owner_tree_row(rows, row);
	const struct analysis *analysis = rows->analysis;
	const struct owner *owner = owner_of(rows, owner_row);
	struct entity entity = example(rows, owner_row);
	if (entity.kind == ENTITY_NONE)
		return;
	if (owner_row->kind == OWNER_ROW_NODE || (owner && owner->root_nodes == 1))
		entity_link(analysis, entity, command);
	else if (owner || entity.kind == ENTITY_ROOT_NODE)
		entity_link_alike(analysis, entity, command);
	else if (owner_row->kind == OWNER_ROW_GROUP)
		link_group(rows, owner_row, command);
	else if (owner_tree_entity(rows, row).kind == ENTITY_OBJECT)
		entity_link(analysis, entity, command);
	else {
		buf_addf(command, "retained-list holding=%" PRIu32, owner_row->id);
		link_paths(rows, command);
	}
}

enum row_style owner_tree_style(const struct rows *rows, size_t row)
{
	return owner_tree_row(rows, row)->part ? ROW_PLAIN : ROW_FAINT;
}
