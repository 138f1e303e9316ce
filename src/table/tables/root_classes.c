/* The table of memory by root class, the strongest first. Every byte has one owner here, so the
   rows add up to the whole heap. An owner is a global variable, a thread, a finalizer, a pool
   ...; several owners of one class together; or nobody. */
#include "table/owners/node.h"

#include "base/mem.h"
#include "format/format.h"
#include "format/runtime.h"

#include <string.h>

struct share {
	uint32_t node;      /* OBJECT_NONE: unreachable */
	uint8_t root_class; /* ROOT_CLASSES: none */
	bool several;       /* owned by several nodes of the root class */
	uint64_t bytes, objects;
};

static void root_classes_add(struct rows *rows, struct share owner, size_t *capacity)
{
	struct share *shares = rows->data;
	if (!owner.objects)
		return;
	MEM_PUSH(shares, rows->count, *capacity, owner);
	rows->data = shares;
}

/* Adds the root nodes of a root class, then the memory that several of them share. */
static void add_root_class(struct rows *rows, enum root_class root_class, size_t *capacity)
{
	const struct dominators *d = node_root_class_tree(rows->analysis, root_class);
	const struct root_nodes *root_nodes = d->root_nodes;
	uint32_t above = root_nodes->root_class[root_class], all = root_nodes_node(root_nodes, above);
	uint64_t bytes = dominators_bytes(d, all), objects = dominators_objects(d, all);
	uint32_t end = root_class + 1 < ROOT_CLASSES ? root_nodes->root_class[root_class + 1]
	                                             : root_nodes->count;
	for (uint32_t a = above + 1; a < end; a++) {
		uint32_t node = root_nodes_node(root_nodes, a);
		if (root_nodes->root_node[a].parent != above)
			continue;
		root_classes_add(rows,
		                 (struct share){node, (uint8_t)root_class, false, dominators_bytes(d, node),
		                                dominators_objects(d, node)},
		                 capacity);
		bytes -= dominators_bytes(d, node);
		objects -= dominators_objects(d, node);
	}
	root_classes_add(rows, (struct share){all, (uint8_t)root_class, true, bytes, objects},
	                 capacity);
}

static void add_nobody(struct rows *rows, size_t *capacity)
{
	const struct analysis *analysis = rows->analysis;
	struct share nobody = {.node = OBJECT_NONE, .root_class = ROOT_CLASSES};
	const struct reach *reach = analysis_reach(analysis);
	nobody.bytes = objects_bytes(heap_objects(analysis_heap(analysis))) - reach->bytes
	               - reach->weak_bytes;
	nobody.objects = heap_object_count(analysis_heap(analysis)) - reach->objects
	                 - reach->weak_objects;
	root_classes_add(rows, nobody, capacity);
}

static const char *root_class_name(uint8_t root_class)
{
	return root_class < ROOT_CLASSES ? root_class_names[root_class] : "none";
}

static bool root_classes_known(const char *argument, struct err *err)
{
	SCOPED_BUF known = {0};
	bool found = !*argument;
	for (uint8_t s = 0; s <= ROOT_CLASSES; s++) {
		found = found || strcmp(root_class_name(s), argument) == 0;
		buf_addf(&known, "%s%s", s ? ", " : "", root_class_name(s));
	}
	if (!found)
		err_set(err, "Owners can be selected by %s, not by \"%.40s\"", buf_text(&known), argument);
	return found;
}

static bool root_classes_open(struct rows *rows, const char *argument, struct err *err)
{
	size_t capacity = 0;
	if (!root_classes_known(argument, err) || !reach_must_be_known(rows->analysis, err))
		return false;
	for (uint8_t s = 0; s < ROOT_CLASSES; s++)
		if (!*argument || strcmp(root_class_name(s), argument) == 0)
			add_root_class(rows, s, &capacity);
	if (!*argument || strcmp(root_class_name(ROOT_CLASSES), argument) == 0)
		add_nobody(rows, &capacity);
	buf_addf(&rows->title, "owners by the strength of their roots%s%s", *argument ? ": " : "",
	         argument);
	return true;
}

static void root_classes_strength_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct share *owner = rows_record(rows, row);
	cell_text(value, root_class_name(owner->root_class));
}

static void root_classes_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct share *owner = rows_record(rows, row);
	struct buf *out = cell_begin(value);
	if (owner->node == OBJECT_NONE) {
		buf_addf(out, "nobody: unreachable from any %s",
		         damage_any_root(analysis_heap(rows->analysis)));
	} else {
		buf_add(out, owner->several ? "several of the " : "");
		entity_add_name(rows->analysis, entity_of_node(rows->analysis, owner->node), out);
	}
}

static void root_classes_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct share *owner = rows_record(rows, row);
	if (owner->root_class < ROOT_CLASS_WEAK)
		cell_share(value, owner->bytes, analysis_reach(rows->analysis)->bytes);
}

static const struct column columns[] = {
	{"strength", "held by",
     "global, parked, running, runtime, finalizer, pool, weak or none, the strongest first: "
     "memory belongs to the strongest kind of root that reaches it",
     VALUE_TEXT, 9, 0, .cell = root_classes_strength_cell},
	{"name", "owner", "The variable, " THREAD_WORD ", finalizer ... that owns it", VALUE_TEXT, 0, 0,
     .cell = root_classes_name_cell, .wants = STAGE_TYPED},
	{"owned_bytes", "owned", "Bytes that it owns", VALUE_BYTES, 9, 0, FIELD(struct share, bytes)},
	{"share", "share", "Share of all reachable bytes", VALUE_SHARE, 6, 0,
     .cell = root_classes_share_cell},
	{"retained_objects", "objects", "Objects that it owns", VALUE_COUNT, 10, 0,
     FIELD(struct share, objects)},
};

static void root_classes_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct share *owner = rows_record(rows, row);
	if (owner->node == OBJECT_NONE)
		buf_add(command, "unreachable");
	else
		entity_link(rows->analysis, entity_of_node(rows->analysis, owner->node), command);
}

static enum row_style root_classes_style(const struct rows *rows, size_t row)
{
	const struct share *owner = rows_record(rows, row);
	return owner->node == OBJECT_NONE ? ROW_FAINT : ROW_PLAIN;
}

DEFINE_PLUGIN(tables, struct table, table_root_classes) = {
	.rank = 30,
	.name = "owners-root",
	.form_of = "owners",
	.former = "root-classes",
	.from = DAMAGE_ROOTS,
	.help = "The memory by the strongest kind of root that reaches it: variables, " THREADS_WORD
			" and "
			"others, each with the bytes that it owns; the rows add up to all objects",
	.argument = "[CLASS]",
	.needs = STAGE_OWNED,
	.parts = PART_OBJECTS,
	COLUMNS(columns),
	.open = root_classes_open,
	.none = "No memory in this dump is owned by such roots.",
	RECORD_ARRAY(struct share),
	.link = root_classes_link,
	.style = root_classes_style,
	.sort = "owned_bytes",
};
