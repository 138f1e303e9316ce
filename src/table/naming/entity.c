/* Names and targets of entities, in a table with a row per kind: table/naming/entity.h. */
#include "analysis/root_nodes.h"
#include "table/naming/entity_parts.h"

#include "base/text.h"
#include "heap/heap.h"
#include "heap/name_part.h"
#include "heap/profile.h"
#include "table/naming/root.h"
#include "table/naming/step.h"
#include "table/naming/thread.h"
#include "table/naming/typed.h"

#include <inttypes.h>

/* ---- Objects, and references between them */

static void entity_object_name(const struct naming *n)
{
	typed_add(n->analysis, n->id, n->out);
}

static void entity_object_label(const struct naming *n)
{
	if (!typed_add(n->analysis, n->id, n->out))
		buf_add(n->out, "object");
	if (name_wants(n->out, NAME_ADDRESS))
		buf_addf(n->out, " 0x%" PRIx64, heap_address(n->heap, n->id));
}

static void entity_object_argument(const struct naming *n)
{
	buf_addf(n->out, "0x%" PRIx64, heap_address(n->heap, n->id));
}

static void entity_object_link(const struct naming *n)
{
	buf_add(n->out, "object ");
	entity_object_argument(n);
}

static bool entity_object_type(const struct naming *n)
{
	return typed_add(n->analysis, n->id, n->out);
}

static uint32_t entity_object_self(const struct naming *n)
{
	return n->id;
}

/* "main.Node.Next to main.Node 0xc000056780" */
static void entity_reference_name(const struct naming *n)
{
	uint32_t to = (uint32_t)n->extra;
	entity_object_label(n);
	step_add(n->analysis, n->id, reference_offset(n->heap, n->id, to, 0), n->out);
	buf_add(n->out, " to ");
	entity_add_label(n->analysis, entity_of_object(to), n->out);
}

static void entity_reference_argument(const struct naming *n)
{
	entity_object_argument(n);
	buf_addf(n->out, ">0x%" PRIx64, heap_address(n->heap, (uint32_t)n->extra));
}

/* ---- Roots */

static uint32_t entity_pointer_object(const struct naming *n)
{
	return n->heap->roots[n->id].target;
}

static void entity_pointer_link(const struct naming *n)
{
	entity_link(n->analysis, entity_of_object(entity_pointer_object(n)), n->out);
}

static void entity_memory_name(const struct naming *n)
{
	entity_root_name(n);
	buf_add(n->out, " and what stands beside it");
}

/* ---- Threads, and their parts */

static const struct thread *entity_thread_self(const struct naming *n)
{
	return &n->heap->threads[n->id];
}

static const struct thread *entity_group_first(const struct naming *n)
{
	const struct groups *groups = analysis_groups(n->analysis);
	return &n->heap->threads[groups->members[groups->group[n->id].first]];
}

static const struct thread *entity_os_thread_thread(const struct naming *n)
{
	return n->extra == UINT32_MAX ? NULL : &n->heap->threads[n->extra];
}

static const struct thread *entity_defer_thread(const struct naming *n)
{
	return thread_before(n->heap, n->heap->defers[n->id].behind);
}

static const struct thread *entity_panic_thread(const struct naming *n)
{
	return thread_before(n->heap, n->heap->panics[n->id].behind);
}

static void add_thread(const struct naming *n, const struct thread *thread)
{
	if (thread)
		thread_add_name(n->heap, thread, n->out);
}

void entity_thread_name(const struct naming *n)
{
	add_thread(n, entity_thread_self(n));
}

void entity_thread_label(const struct naming *n)
{
	entity_thread_name(n);
	thread_add_function(n->analysis, entity_thread_self(n), n->out);
}

static void entity_thread_argument(const struct naming *n)
{
	buf_addf(n->out, "%s=%" PRIu64, heap_words(n->heap)->thread, entity_thread_self(n)->record.id);
}

static uint64_t entity_thread_address(const struct naming *n)
{
	return entity_thread_self(n)->record.address;
}

static void entity_group_name(const struct naming *n)
{
	text_add_count(n->out, analysis_groups(n->analysis)->group[n->id].count);
	buf_addf(n->out, " × %s", heap_words(n->heap)->thread);
	thread_add_function(n->analysis, entity_group_first(n), n->out);
}

static void entity_group_link(const struct naming *n)
{
	if (analysis_groups(n->analysis)->group[n->id].count == 1)
		add_thread(n, entity_group_first(n));
	else
		buf_addf(n->out, "%s group=%" PRIu32, heap_words(n->heap)->threads, n->id);
}

static void entity_group_argument(const struct naming *n)
{
	buf_addf(n->out, "group=%" PRIu32, n->id);
}

static uint64_t entity_os_thread_address(const struct naming *n)
{
	return n->heap->os_threads[n->id].address;
}

static uint64_t entity_defer_address(const struct naming *n)
{
	return n->heap->defers[n->id].function;
}

static uint64_t entity_panic_address(const struct naming *n)
{
	return n->heap->panics[n->id].data;
}

/* ---- Allocation sites */

static void entity_site_name(const struct naming *n)
{
	struct stack_frame frame;
	if (profile_site(&n->heap->profiles.profile[n->id], &frame))
		text_add_symbol(n->out, frame.function.data, frame.function.len, ENTITY_NAME_LIMIT);
}

static void entity_site_link(const struct naming *n)
{
	buf_addf(n->out, "profiles-stack 0x%" PRIx64, n->heap->profiles.profile[n->id].id);
}

/* ---- All kinds */

static const struct entity_row entity_rows[ENTITY_KINDS] = {
	[ENTITY_NONE] = {.word = ""},
	[ENTITY_OBJECT] = {"object", entity_object_name, entity_object_label, entity_object_argument,
                       entity_object_link, .type = entity_object_type,
                       .object = entity_object_self},
	[ENTITY_REFERENCE] = {"reference", entity_reference_name, NULL, entity_reference_argument,
                          entity_object_link, .object = entity_object_self},
	[ENTITY_ROOT] = {"root", entity_root_name, NULL, entity_root_argument,
                     .link = entity_root_link},
	[ENTITY_POINTER] = {"root", entity_root_name, NULL, entity_root_argument, entity_pointer_link,
                        .object = entity_pointer_object},
	[ENTITY_MEMORY] = {"memory", entity_memory_name, .link = entity_root_link},
	[ENTITY_THREAD] = {NULL, entity_thread_name, entity_thread_label, entity_thread_argument,
                       entity_thread_name, .address = entity_thread_address,
                       .thread = entity_thread_self},
	[ENTITY_GROUP] = {"group", entity_group_name, NULL, entity_group_argument, entity_group_link,
                      .thread = entity_group_first},
	[ENTITY_OS_THREAD] = {"thread", .address = entity_os_thread_address,
                          .thread = entity_os_thread_thread},
	[ENTITY_DEFER] = {"defer", .address = entity_defer_address, .thread = entity_defer_thread},
	[ENTITY_PANIC] = {"panic", .address = entity_panic_address, .thread = entity_panic_thread},
	[ENTITY_ALLOC_SITE] = {"site", entity_site_name, .link = entity_site_link},
};

struct entity entity_of_object(uint32_t object)
{
	return (struct entity){object == OBJECT_NONE ? ENTITY_NONE : ENTITY_OBJECT, object, 0};
}

struct entity entity_of_node(const struct analysis *analysis, uint32_t node)
{
	/* Objects have names before root nodes exist. */
	if (node == OBJECT_NONE || node < heap_object_count(analysis_heap(analysis)))
		return entity_of_object(node);
	uint32_t root_node = root_nodes_of_node(analysis_root_nodes(analysis), node);
	return (struct entity){ENTITY_ROOT_NODE, root_node, 0};
}

struct entity entity_of_root(const struct heap *heap, const struct root *root)
{
	return root ? (struct entity){ENTITY_ROOT, (uint32_t)(root - heap->roots), 0}
	            : (struct entity){0};
}

struct entity entity_of_pointer(const struct heap *heap, const struct root *root)
{
	return root ? (struct entity){ENTITY_POINTER, (uint32_t)(root - heap->roots), 0}
	            : (struct entity){0};
}

/* Returns the row of an entity's kind, and initializes *n for its functions. */
static const struct entity_row *entity_begin(const struct analysis *analysis, struct entity entity,
                                             struct buf *out, struct naming *n)
{
	*n = (struct naming){analysis, analysis_heap(analysis), entity.id, entity.extra, NULL, out};
	if (entity.kind != ENTITY_ROOT_NODE)
		return &entity_rows[entity.kind];
	n->root_node = &analysis_root_nodes(analysis)->root_node[entity.id];
	n->extra = entity.id;
	n->id = n->root_node->index;
	return &entity_node_rows[n->root_node->kind];
}

void entity_add_name(const struct analysis *analysis, struct entity entity, struct buf *out)
{
	struct naming n;
	const struct entity_row *row = entity_begin(analysis, entity, out, &n);
	if (row->name)
		row->name(&n);
}

void entity_add_label(const struct analysis *analysis, struct entity entity, struct buf *out)
{
	struct naming n;
	const struct entity_row *row = entity_begin(analysis, entity, out, &n);
	naming_add *add = row->label ? row->label : row->name;
	if (add)
		add(&n);
}

void entity_add_argument(const struct analysis *analysis, struct entity entity, struct buf *out)
{
	struct naming n;
	const struct entity_row *row = entity_begin(analysis, entity, out, &n);
	if (row->argument)
		row->argument(&n);
}

void entity_link(const struct analysis *analysis, struct entity entity, struct buf *command)
{
	struct naming n;
	const struct entity_row *row = entity_begin(analysis, entity, command, &n);
	if (row->link)
		row->link(&n);
	else if (row->thread)
		add_thread(&n, row->thread(&n));
}

bool entity_add_type(const struct analysis *analysis, struct entity entity, struct buf *out)
{
	struct naming n;
	const struct entity_row *row = entity_begin(analysis, entity, out, &n);
	return row->type && row->type(&n);
}

const char *entity_word(const struct analysis *analysis, struct entity entity)
{
	struct naming n;
	const char *word = entity_begin(analysis, entity, NULL, &n)->word;
	if (n.root_node && n.root_node->kind == ROOT_NODE_GLOBAL
	    && n.root_node->parent == analysis_root_nodes(analysis)->root_class[ROOT_CLASS_RUNTIME])
		return "runtime";
	return word ? word : heap_words(analysis_heap(analysis))->thread;
}

uint64_t entity_key(const struct analysis *analysis, struct entity entity)
{
	/* The topmost bits select the meaning of the others. */
	enum { ALONE, ROOT_NODE, TYPE, SIZE, KIND_SHIFT = 40, SHIFT = 60 };
	struct naming n;
	const struct entity_row *row = entity_begin(analysis, entity, NULL, &n);
	if (n.root_node && !row->alike)
		return (uint64_t)ALONE << SHIFT | entity.id;
	if (n.root_node) {
		bool thread = n.root_node->kind == ROOT_NODE_THREAD;
		return (uint64_t)ROOT_NODE << SHIFT | (uint64_t)n.root_node->kind << KIND_SHIFT
		       | (thread ? analysis_groups(analysis)->of[n.id] : 0);
	}
	size_t type = typed_key(analysis, n.id);
	return type == TYPED_KEY_UNKNOWN
	           ? (uint64_t)SIZE << SHIFT | heap_size(analysis_heap(analysis), n.id)
	           : (uint64_t)TYPE << SHIFT | type;
}

void entity_add_alike(const struct analysis *analysis, struct entity entity, struct buf *out)
{
	struct naming n;
	const struct entity_row *row = entity_begin(analysis, entity, out, &n);
	size_t type = n.root_node ? TYPED_KEY_UNKNOWN : typed_key(analysis, n.id);
	if (type != TYPED_KEY_UNKNOWN) {
		typed_add_key(analysis, type, out);
	} else if (!n.root_node) {
		buf_addf(out, "object of %s", text_size(heap_size(analysis_heap(analysis), n.id)).text);
	} else if (!row->alike) {
		entity_add_label(analysis, entity, out);
	} else {
		buf_add(out, row->alike);
		if (n.root_node->kind == ROOT_NODE_THREAD)
			thread_add_function(n.analysis, entity_thread_self(&n), out);
	}
}

void entity_link_alike(const struct analysis *analysis, struct entity entity, struct buf *command)
{
	struct naming n;
	const struct entity_row *row = entity_begin(analysis, entity, command, &n);
	if (n.root_node && n.root_node->kind == ROOT_NODE_THREAD)
		buf_addf(command, "%s group=%" PRIu32, heap_words(n.heap)->threads,
		         analysis_groups(analysis)->of[n.id]);
	else if (row->list)
		buf_add(command, row->list);
}

uint32_t entity_object(const struct analysis *analysis, struct entity entity)
{
	struct naming n;
	const struct entity_row *row = entity_begin(analysis, entity, NULL, &n);
	return row->object ? row->object(&n) : OBJECT_NONE;
}

uint64_t entity_address(const struct analysis *analysis, struct entity entity)
{
	struct naming n;
	const struct entity_row *row = entity_begin(analysis, entity, NULL, &n);
	uint32_t object = row->object ? row->object(&n) : OBJECT_NONE;
	if (row->address)
		return row->address(&n);
	return object == OBJECT_NONE ? 0 : heap_address(analysis_heap(analysis), object);
}

const struct root *entity_root(const struct analysis *analysis, struct entity entity)
{
	bool is_root = entity.kind == ENTITY_ROOT || entity.kind == ENTITY_POINTER;
	return is_root ? &analysis_heap(analysis)->roots[entity.id] : NULL;
}

const struct thread *entity_thread(const struct analysis *analysis, struct entity entity)
{
	struct naming n;
	const struct entity_row *row = entity_begin(analysis, entity, NULL, &n);
	return row->thread ? row->thread(&n) : NULL;
}

const struct root *entity_variable(const struct analysis *analysis, struct entity entity)
{
	if (entity.kind != ENTITY_ROOT_NODE)
		return entity_root(analysis, entity);
	const struct root_node *node = &analysis_root_nodes(analysis)->root_node[entity.id];
	return node->kind == ROOT_NODE_GLOBAL ? &analysis_heap(analysis)->roots[node->index] : NULL;
}
