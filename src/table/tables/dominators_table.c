/* The tables dominators, owned and retained, which have the same columns. */
#include "table/columns.h"
#include "table/contents/object_set.h"
#include "table/naming/argument.h"
#include "table/naming/operand.h"
#include "table/naming/typed.h"
#include "table/owners/owner_tree.h"
#include "table/paths/what_if_part.h"

#include "analysis/groups.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "format/runtime.h"

#include <stdlib.h>
#include <string.h>

/* What the objects retain together that one argument names. */
struct nodes_many {
	size_t count;        /* 0: the row is a node */
	struct entity group; /* of threads, not objects */
	bool threads;        /* they are several threads without a group */
	struct freed freed;
};
struct nodes_data {
	uint32_t *node;
	struct nodes_many *many; /* by row, of the table retained; NULL: each row is a node */
	const struct dominators *dominators; /* the tree of the rows */
};

static uint32_t dominators_node_of(const struct rows *rows, size_t row)
{
	const struct nodes_data *data = rows->data;
	return data->node[row];
}

/* Returns what the objects of a row retain together; NULL: the row is a node. */
static const struct nodes_many *nodes_many_of(const struct rows *rows, size_t row)
{
	const struct nodes_data *data = rows->data;
	return data->many && data->many[row].count ? &data->many[row] : NULL;
}

/* Returns the tree; NULL: the node of the row is unreachable. */
static const struct dominators *nodes_known(const struct rows *rows, size_t row)
{
	const struct nodes_data *data = rows->data;
	if (nodes_many_of(rows, row))
		return NULL;
	return dominators_has(data->dominators, dominators_node_of(rows, row)) ? data->dominators
	                                                                       : NULL;
}

static struct entity nodes_entity(const struct rows *rows, size_t row)
{
	return entity_of_node(rows->analysis, dominators_node_of(rows, row));
}

static struct entity dominator_of(const struct rows *rows, size_t row)
{
	const struct nodes_data *data = rows->data;
	if (nodes_many_of(rows, row))
		return (struct entity){0};
	return entity_of_node(rows->analysis,
	                      dominators_above(data->dominators, dominators_node_of(rows, row)));
}

/* Returns the code of an entity's name; 0: none. */
static uint64_t nodes_code_of(const struct rows *rows, struct entity entity)
{
	return entity.kind == ENTITY_OBJECT && analysis_has(rows->analysis, STAGE_TYPED)
	           ? typed_code(rows->analysis, entity.id)
	           : 0;
}

static uint64_t nodes_name_code(const struct rows *rows, size_t row)
{
	return nodes_code_of(rows, nodes_entity(rows, row));
}

static uint64_t nodes_held_by_code(const struct rows *rows, size_t row)
{
	return nodes_code_of(rows, dominator_of(rows, row));
}

static void nodes_coded_cell(const struct rows *rows, uint64_t code, struct value *value)
{
	typed_add_marked(rows->analysis, code, cell_begin(value));
}

static const struct coding nodes_name_coding = {nodes_name_code, nodes_coded_cell};
static const struct coding nodes_held_by_coding = {nodes_held_by_code, nodes_coded_cell};

static void nodes_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct nodes_many *many = nodes_many_of(rows, row);
	if (many && many->group.kind)
		entity_add_label(rows->analysis, many->group, cell_begin(value));
	else if (many && many->threads)
		text_add_number_of(cell_begin(value), many->count, THREAD_WORD, THREADS_WORD);
	else if (many)
		text_add_number_of(cell_begin(value), many->count, "object", "objects");
	else
		entity_add_name(rows->analysis, nodes_entity(rows, row), cell_begin(value));
}

static void nodes_retained_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct dominators *d = nodes_known(rows, row);
	const struct nodes_many *many = nodes_many_of(rows, row);
	if (many)
		cell_number(value, VALUE_BYTES, many->freed.bytes);
	if (d)
		cell_number(value, VALUE_BYTES, dominators_bytes(d, dominators_node_of(rows, row)));
}

static void nodes_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct dominators *d = nodes_known(rows, row),
							*all = ((struct nodes_data *)rows->data)->dominators;
	const struct nodes_many *many = nodes_many_of(rows, row);
	if (many && !many->group.kind && !many->threads) /* stacks are no part of the heap */
		cell_share(value, many->freed.bytes, dominators_bytes(all, all->root));
	if (d)
		cell_share(value, dominators_bytes(d, dominators_node_of(rows, row)),
		           dominators_bytes(d, d->root));
}

static void nodes_objects_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct dominators *d = nodes_known(rows, row);
	const struct nodes_many *many = nodes_many_of(rows, row);
	if (many)
		cell_number(value, VALUE_COUNT, many->freed.objects);
	if (d)
		cell_number(value, VALUE_COUNT, dominators_objects(d, dominators_node_of(rows, row)));
}

static void nodes_dominator_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_object(value, analysis_heap(rows->analysis),
	            entity_object(rows->analysis, dominator_of(rows, row)));
}

static void nodes_held_by_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct entity dominator = dominator_of(rows, row);
	if (dominator.kind == ENTITY_ROOT_NODE && dominator.id == 0)
		cell_text(value, "several kinds of roots");
	else if (dominator.kind != ENTITY_NONE)
		entity_add_name(rows->analysis, dominator, cell_begin(value));
}

static const struct column columns[] = {
	{"address", "object", "The object; empty for rows outside of the heap", VALUE_ADDRESS, 14, 0,
     .cell = object_address_cell},
	{"name", "what", "Type of the object, or the root for rows outside of the heap", VALUE_TEXT, 0,
     0, .cell = nodes_name_cell, .coding = &nodes_name_coding, .wants = STAGE_TYPED},
	{"retained_bytes", "retained",
     "Bytes that would be freed without it: its own, and those of all objects that only it keeps "
     "alive",
     VALUE_BYTES, 9, 0, .cell = nodes_retained_cell},
	{"share", "share", "Share of all reachable bytes", VALUE_SHARE, 6, 0, .cell = nodes_share_cell},
	{"retained_objects", "objects", "Objects that would be freed without it, itself included",
     VALUE_COUNT, 10, 0, .cell = nodes_objects_cell},
	{OBJECT_SIZE, .width = 9, .rank = 1},
	{"dominator", "dominator",
     "The immediate dominator: the nearest object on every path to it; empty if that is outside "
     "of the heap",
     VALUE_ADDRESS, 14, 2, .cell = nodes_dominator_cell},
	{"held_by", "held by",
     "Type of the immediate dominator, or the root if that is outside of the heap", VALUE_TEXT, 24,
     3, .cell = nodes_held_by_cell, .coding = &nodes_held_by_coding, .wants = STAGE_TYPED},
};

/* Links an object to its page, and a root node to its children. */
static void nodes_link(const struct rows *rows, size_t row, struct buf *command)
{
	struct entity entity = nodes_entity(rows, row);
	if (entity.kind == ENTITY_OBJECT) {
		entity_link(rows->analysis, entity, command);
	} else {
		buf_add(command, "retained-tree ");
		entity_add_argument(rows->analysis, entity, command);
	}
}

/* Uses the paths that count for these rows. Fails where the analysis has not come so far, or there
   are no roots. */
static struct nodes_data *nodes_begin(struct rows *rows, enum retain retain, struct err *err)
{
	struct nodes_data *data = rows->data = mem_alloc(sizeof *data);
	data->dominators = analysis_dominators(rows->analysis, retain);
	if (!reach_must_be_known(rows->analysis, err))
		return NULL;
	if (data->dominators)
		return data;
	err_set(err, "Owners are not known yet: set retain all shows what is");
	return NULL;
}

static void nodes_close(struct rows *rows)
{
	struct nodes_data *data = rows->data;
	free(data->node);
	free(data->many);
}

static bool dominators_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	uint32_t total = heap_object_count(analysis_heap(analysis));
	(void)argument;
	struct nodes_data *data = nodes_begin(rows, analysis_retain(analysis), err);
	if (!data)
		return false;
	const struct dominators *d = data->dominators;
	data->node = mem_alloc(dominators_objects(d, d->root) * sizeof *data->node);
	for (uint32_t id = 0; id < total; id++)
		if (dominators_has(d, id))
			data->node[rows->count++] = id;
	buf_addf(&rows->title, "objects by what they retain%s",
	         d->retain == RETAIN_WEAK ? ", weak roots included" : "");
	return true;
}

static bool find_shared_set(struct rows *rows, enum retain retain, const char *holder,
                            uint64_t number, struct ids *nodes, struct err *err)
{
	const struct owners *owners = analysis_owners(rows->analysis, retain, rows->progress);
	if (!owners)
		return err_set(err, "Cancelled");
	if (number >= owners->shared_sets)
		return err_set(err, "\"%.60s\" is not an owner; the table owners lists them", holder);
	const struct shared_set *shared_set = &owners->shared_set[number];
	*nodes = (struct ids){owners->top + shared_set->first, shared_set->nodes};
	struct ids set = owners_of_shared_set(owners, (uint32_t)number);
	buf_add(&rows->title, set.count == 1 ? "owned by " : "shared by ");
	owner_tree_add_owners(rows->analysis, owners, set, &rows->title);
	return true;
}

static bool find_nodes(struct rows *rows, const char *holder, struct ids *nodes, struct err *err)
{
	const struct nodes_data *data = rows->data;
	enum retain retain = data->dominators->retain;
	uint64_t number;
	uint32_t node;
	bool ok;
	if (argument_setting(holder, "holding", &number, &ok))
		return find_shared_set(rows, retain, holder, ok ? number : UINT64_MAX, nodes, err);
	const struct dominator_children *children =
		analysis_children(rows->analysis, retain, rows->progress);
	if (!children)
		return err_set(err, "Cancelled");
	if (!argument_node(rows->analysis, holder, &node, err))
		return false;
	*nodes = dominator_children_of(children, node);
	buf_add(&rows->title, "retained by ");
	entity_add_label(rows->analysis, entity_of_node(rows->analysis, node), &rows->title);
	return true;
}

/* Adds those of `nodes` that have the key of `like`; all for OBJECT_NONE. */
static void select_nodes(struct rows *rows, struct ids nodes, uint32_t like)
{
	uint64_t key =
		like == OBJECT_NONE ? 0 : entity_key(rows->analysis, entity_of_node(rows->analysis, like));
	uint32_t *kept = ((struct nodes_data *)rows->data)->node =
		mem_alloc(nodes.count * sizeof *kept);
	for (size_t i = 0; i < nodes.count; i++)
		if (like == OBJECT_NONE
		    || entity_key(rows->analysis, entity_of_node(rows->analysis, nodes.id[i])) == key)
			kept[rows->count++] = nodes.id[i];
}

/* Parses the address of an object after " like="; *length is the length of the node before it. */
static bool find_like(struct rows *rows, const char *argument, uint32_t *like, size_t *length,
                      struct err *err)
{
	static const char word[] = " like=";
	const char *at = strstr(argument, word);
	*like = OBJECT_NONE;
	const char *strong = strstr(argument, " strong"), *end = strong ? strong : strchr(argument, 0);
	*length = (size_t)((at ? at : end) - argument);
	SCOPED_BUF address = {0};
	if (at)
		buf_add_bytes(&address, at + sizeof word - 1, (size_t)(end - at) - (sizeof word - 1));
	return !at || argument_object(rows->analysis, buf_text(&address), like, err);
}

static bool owned_open(struct rows *rows, const char *argument, struct err *err)
{
	SCOPED_BUF holder = {0};
	struct ids nodes = {0};
	size_t length;
	uint32_t like;
	/* Rows below owners always follow the strongest paths, whatever else is set. */
	enum retain retain = strstr(argument, " strong") ? RETAIN_STRONGEST
	                                                 : analysis_retain(rows->analysis);
	if (!nodes_begin(rows, retain, err) || !find_like(rows, argument, &like, &length, err))
		return false;
	buf_add_bytes(&holder, argument, length);
	bool found = find_nodes(rows, buf_text(&holder), &nodes, err);
	if (!found)
		return false;
	select_nodes(rows, nodes, like);
	if (like != OBJECT_NONE) {
		SCOPED_BUF kind = {0};
		entity_add_alike(rows->analysis, entity_of_node(rows->analysis, like), &kind);
		buf_addf(&rows->title, ": %s", buf_text(&kind));
	}
	return true;
}

/* Counts what a node retains that is a thread, with its stack; others are in the tree. */
static bool retained_add_thread(struct rows *rows, uint32_t node, struct nodes_many *many,
                                struct err *err)
{
	struct entity entity = entity_of_node(rows->analysis, node);
	if (!what_if_part_is_thread(rows->analysis, entity))
		return true;
	many->group = entity;
	many->count = 1;
	return what_if_part_frees(rows->analysis, entity, rows->progress, &many->freed)
	       || err_set(err, "Counting the remaining objects was cancelled");
}

/* Adds a row for what an argument begins with, and advances past it. */
static bool retained_add(struct rows *rows, const char **argument, struct nodes_many *many,
                         uint32_t *node, struct err *err)
{
	SCOPED_BUF set = {0};
	struct operand operand;
	*node = OBJECT_NONE;
	if (!object_set_next(rows->analysis, argument, &operand, &set, err))
		return false;
	if (operand.kind == OPERAND_GROUP) {
		many->group = (struct entity){ENTITY_GROUP, operand.index, 0};
		many->count = groups_members(analysis_groups(rows->analysis), operand.index).count;
		return what_if_part_frees(rows->analysis, many->group, rows->progress, &many->freed)
		       || err_set(err, "Counting the remaining objects was cancelled");
	}
	if (!set.len)
		return operand_node(rows->analysis, &operand, node, err)
		       && retained_add_thread(rows, *node, many, err);
	many->threads = strncmp(buf_text(&set), OPERAND_OF_THREADS, strlen(OPERAND_OF_THREADS)) == 0;
	return object_set_frees(rows->analysis, buf_text(&set), rows->progress, &many->count,
	                        &many->freed, err);
}

static bool retained_open(struct rows *rows, const char *argument, struct err *err)
{
	size_t capacity = 0, room = 0;
	struct nodes_data *data = nodes_begin(rows, analysis_retain(rows->analysis), err);
	bool done = data;
	while (done && *argument) {
		struct nodes_many many = {0};
		uint32_t node;
		size_t count = rows->count;
		done = retained_add(rows, &argument, &many, &node, err);
		MEM_PUSH(data->many, count, room, many);
		MEM_PUSH(data->node, rows->count, capacity, node);
	}
	buf_add(&rows->title, "what objects retain");
	return done;
}

#define NODES_TABLE                                                                         \
	COLUMNS(columns), .link = nodes_link, .style = style_reachable, .entity = nodes_entity, \
					  .close = nodes_close

DEFINE_PLUGIN(tables, struct table, table_dominators) = {
	.rank = 40,
	.name = "dominators",
	.from = DAMAGE_ROOTS,
	.help = "The reachable objects, each with its retained size and its immediate dominator",
	.needs = STAGE_DOMINATED,
	.parts = PART_OBJECTS,
	.open = dominators_open,
	.none = "No object is reachable from any root in the dump.",
	NODES_TABLE,
	.sort = "retained_bytes",
};

DEFINE_PLUGIN(tables, struct table, table_owned) = {
	.rank = 60,
	.name = "retained-list",
	.form_of = "retained",
	.former = "owned",
	.from = DAMAGE_ROOTS,
	.help = "The objects whose immediate dominator is an object, a variable or a " THREAD_WORD
			", as a "
			"list: all, or those of the same type as the object at an address",
	.argument = "ADDR|VARIABLE [like=ADDR]",
	.takes = TAKES_PLACE | TAKES_THIS_HOLDER,
	.needs = STAGE_OWNED | STAGE_TYPED,
	.parts = PART_OBJECTS,
	.open = owned_open,
	.none = "It dominates no such object: everything that it references is also "
			"reachable without it.",
	NODES_TABLE,
	.sort = "retained_bytes",
};

DEFINE_PLUGIN(tables, struct table, table_retained) = {
	.rank = 70,
	.name = "retained",
	.from = DAMAGE_ROOTS,
	.help = "Retained sizes of the given objects, in the given order",
	.argument = "ADDR...",
	.takes = TAKES_PLACE | TAKES_THIS_OBJECT,
	.needs = STAGE_DOMINATED,
	.parts = PART_OBJECTS,
	.open = retained_open,
	NODES_TABLE,
};
