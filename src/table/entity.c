/* What things are called and what they lead to, a row a kind: table/entity.h. */
#include "table/entity_parts.h"

#include "base/text.h"
#include "table/goroutine.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/step.h"
#include "table/typed.h"

#include <inttypes.h>

/* ---- Objects, and references between them */

static void entity_object_add_name(const struct analysis *analysis, struct entity entity,
                                   struct buf *out)
{
	typed_add(analysis, entity.id, out);
}

static void entity_object_add_label(const struct analysis *analysis, struct entity entity,
                                    struct buf *out)
{
	if (!typed_add(analysis, entity.id, out))
		buf_add(out, "object");
	buf_addf(out, " 0x%" PRIx64, heap_address(analysis_heap(analysis), entity.id));
}

static void entity_object_add_alike(const struct analysis *analysis, struct entity entity,
                                    struct buf *out)
{
	size_t type = typed_key(analysis, entity.id);
	if (type != TYPED_KEY_UNKNOWN) {
		typed_add_key(analysis, type, out);
	} else {
		buf_add(out, "object of ");
		text_add_size(out, heap_size(analysis_heap(analysis), entity.id));
	}
}

static void entity_object_add_argument(const struct analysis *analysis, struct entity entity,
                                       struct buf *out)
{
	buf_addf(out, "0x%" PRIx64, heap_address(analysis_heap(analysis), entity.id));
}

static void entity_object_link(const struct analysis *analysis, struct entity entity,
                               struct buf *command)
{
	buf_addf(command, "object 0x%" PRIx64, heap_address(analysis_heap(analysis), entity.id));
}

static uint32_t entity_object_self(const struct analysis *analysis, struct entity entity)
{
	(void)analysis;
	return entity.id;
}

/* "main.Node.Next to main.Node 0xc000056780" */
static void entity_reference_add_name(const struct analysis *analysis, struct entity entity,
                                      struct buf *out)
{
	uint32_t to = (uint32_t)entity.extra;
	entity_object_add_label(analysis, entity, out);
	step_add(analysis, entity.id, reference_offset(analysis_heap(analysis), entity.id, to, 0), out);
	buf_add(out, " to ");
	entity_object_add_label(analysis, entity_of_object(to), out);
}

static void entity_reference_add_argument(const struct analysis *analysis, struct entity entity,
                                          struct buf *out)
{
	buf_addf(out, "0x%" PRIx64 ">0x%" PRIx64, heap_address(analysis_heap(analysis), entity.id),
	         heap_address(analysis_heap(analysis), (uint32_t)entity.extra));
}

/* ---- Roots */

static uint32_t entity_pointer_object(const struct analysis *analysis, struct entity entity)
{
	return analysis_heap(analysis)->roots[entity.id].target;
}

static void entity_pointer_link(const struct analysis *analysis, struct entity entity,
                                struct buf *command)
{
	entity_link(analysis, entity_of_object(entity_pointer_object(analysis, entity)), command);
}

static void entity_memory_add_name(const struct analysis *analysis, struct entity entity,
                                   struct buf *out)
{
	entity_root_add_name(analysis, entity, out);
	buf_add(out, " and what stands beside it");
}

/* ---- Goroutines, and what is one's */

static const struct goroutine *entity_goroutine_self(const struct analysis *analysis,
                                                     struct entity entity)
{
	return &analysis_heap(analysis)->goroutines[entity.id];
}

static const struct goroutine *entity_group_first(const struct analysis *analysis,
                                                  struct entity entity)
{
	const struct groups *groups = analysis_groups(analysis);
	return &analysis_heap(analysis)->goroutines[groups->members[groups->group[entity.id].first]];
}

static const struct goroutine *entity_thread_goroutine(const struct analysis *analysis,
                                                       struct entity entity)
{
	return entity.extra == UINT32_MAX ? NULL : &analysis_heap(analysis)->goroutines[entity.extra];
}

static const struct goroutine *entity_defer_goroutine(const struct analysis *analysis,
                                                      struct entity entity)
{
	return goroutine_before(analysis_heap(analysis),
	                        analysis_heap(analysis)->defers[entity.id].offset);
}

static const struct goroutine *entity_panic_goroutine(const struct analysis *analysis,
                                                      struct entity entity)
{
	return goroutine_before(analysis_heap(analysis),
	                        analysis_heap(analysis)->panics[entity.id].offset);
}

static void entity_goroutine_add_name(const struct analysis *analysis, struct entity entity,
                                      struct buf *command)
{
	const struct goroutine *goroutine = entity_goroutine(analysis, entity);
	if (goroutine)
		buf_addf(command, "goroutine %" PRIu64, goroutine->record.id);
}

static void entity_goroutine_add_label(const struct analysis *analysis, struct entity entity,
                                       struct buf *out)
{
	entity_goroutine_add_name(analysis, entity, out);
	goroutine_add_function(analysis_heap(analysis), entity_goroutine_self(analysis, entity), out);
}

static void entity_goroutine_add_argument(const struct analysis *analysis, struct entity entity,
                                          struct buf *out)
{
	buf_addf(out, "goroutine=%" PRIu64, analysis_heap(analysis)->goroutines[entity.id].record.id);
}

static void entity_group_add_name(const struct analysis *analysis, struct entity entity,
                                  struct buf *out)
{
	const struct goroutine *first = entity_group_first(analysis, entity);
	text_add_count(out, analysis_groups(analysis)->group[entity.id].count);
	buf_add(out, " × ");
	buf_add(out, "goroutine");
	goroutine_add_function(analysis_heap(analysis), first, out);
}

static void entity_group_link(const struct analysis *analysis, struct entity entity,
                              struct buf *command)
{
	if (analysis_groups(analysis)->group[entity.id].count == 1)
		entity_goroutine_add_name(analysis, entity, command);
	else
		buf_addf(command, "goroutines group=%" PRIu32, entity.id);
}

static void entity_group_add_argument(const struct analysis *analysis, struct entity entity,
                                      struct buf *out)
{
	(void)analysis;
	buf_addf(out, "group=%" PRIu32, entity.id);
}

static uint64_t entity_goroutine_address(const struct analysis *analysis, struct entity entity)
{
	return analysis_heap(analysis)->goroutines[entity.id].record.address;
}

static uint64_t entity_thread_address(const struct analysis *analysis, struct entity entity)
{
	return analysis_heap(analysis)->threads[entity.id].address;
}

static uint64_t entity_defer_address(const struct analysis *analysis, struct entity entity)
{
	return analysis_heap(analysis)->defers[entity.id].function;
}

static uint64_t entity_panic_address(const struct analysis *analysis, struct entity entity)
{
	return analysis_heap(analysis)->panics[entity.id].data;
}

/* ---- Allocation sites */

static void entity_site_add_name(const struct analysis *analysis, struct entity entity,
                                 struct buf *out)
{
	struct stack_frame frame;
	if (profile_site(&analysis_heap(analysis)->profiles.profile[entity.id], &frame))
		text_add_escaped(out, frame.function.data, frame.function.len, ENTITY_NAME_LIMIT);
}

static void entity_site_link(const struct analysis *analysis, struct entity entity,
                             struct buf *command)
{
	buf_addf(command, "profile 0x%" PRIx64,
	         analysis_heap(analysis)->profiles.profile[entity.id].id);
}

/* ---- All of them */

static const struct entity_row {
	const char *word;  /* NULL: that of the root node */
	entity_add *name;  /* NULL: nothing, as all that follow */
	entity_add *label; /* NULL: the name */
	entity_add *argument, *link;
	uint32_t (*object)(const struct analysis *, struct entity);
	uint64_t (*address)(const struct analysis *, struct entity); /* NULL: the object's */
	const struct goroutine *(*goroutine)(const struct analysis *, struct entity);
} entity_rows[ENTITY_KINDS] = {
	[ENTITY_NONE] = {.word = ""},
	[ENTITY_OBJECT] = {.word = "object",
                       .name = entity_object_add_name,
                       .label = entity_object_add_label,
                       .argument = entity_object_add_argument,
                       .link = entity_object_link,
                       .object = entity_object_self},
	[ENTITY_REFERENCE] = {.word = "reference",
                          .name = entity_reference_add_name,
                          .argument = entity_reference_add_argument,
                          .link = entity_object_link,
                          .object = entity_object_self},
	[ENTITY_ROOT] = {.word = "root",
                     .name = entity_root_add_name,
                     .argument = entity_root_add_argument,
                     .link = entity_root_link},
	[ENTITY_POINTER] = {.word = "root",
                        .name = entity_root_add_name,
                        .argument = entity_root_add_argument,
                        .link = entity_pointer_link,
                        .object = entity_pointer_object},
	[ENTITY_MEMORY] = {.word = "memory", .name = entity_memory_add_name, .link = entity_root_link},
	[ENTITY_ROOT_NODE] = {.name = entity_node_add_name,
                          .label = entity_node_add_label,
                          .argument = entity_node_add_argument,
                          .link = entity_node_link},
	[ENTITY_GOROUTINE] = {.word = "goroutine",
                          .name = entity_goroutine_add_name,
                          .label = entity_goroutine_add_label,
                          .argument = entity_goroutine_add_argument,
                          .link = entity_goroutine_add_name,
                          .address = entity_goroutine_address,
                          .goroutine = entity_goroutine_self},
	[ENTITY_GROUP] = {.word = "group",
                      .name = entity_group_add_name,
                      .argument = entity_group_add_argument,
                      .link = entity_group_link,
                      .goroutine = entity_group_first},
	[ENTITY_THREAD] = {.word = "thread",
                       .link = entity_goroutine_add_name,
                       .address = entity_thread_address,
                       .goroutine = entity_thread_goroutine},
	[ENTITY_DEFER] = {.word = "defer",
                      .link = entity_goroutine_add_name,
                      .address = entity_defer_address,
                      .goroutine = entity_defer_goroutine},
	[ENTITY_PANIC] = {.word = "panic",
                      .link = entity_goroutine_add_name,
                      .address = entity_panic_address,
                      .goroutine = entity_panic_goroutine},
	[ENTITY_ALLOC_SITE] = {.word = "site", .name = entity_site_add_name, .link = entity_site_link},
};

struct entity entity_of_object(uint32_t object)
{
	return (struct entity){object == OBJECT_NONE ? ENTITY_NONE : ENTITY_OBJECT, object, 0};
}

struct entity entity_of_node(const struct analysis *analysis, uint32_t node)
{
	/* Objects have names before there are root nodes. */
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

static void entity_add_by(entity_add *add, const struct analysis *analysis, struct entity entity,
                          struct buf *out)
{
	if (add)
		add(analysis, entity, out);
}

void entity_add_name(const struct analysis *analysis, struct entity entity, struct buf *out)
{
	entity_add_by(entity_rows[entity.kind].name, analysis, entity, out);
}

void entity_add_label(const struct analysis *analysis, struct entity entity, struct buf *out)
{
	const struct entity_row *row = &entity_rows[entity.kind];
	entity_add_by(row->label ? row->label : row->name, analysis, entity, out);
}

void entity_add_argument(const struct analysis *analysis, struct entity entity, struct buf *out)
{
	entity_add_by(entity_rows[entity.kind].argument, analysis, entity, out);
}

void entity_link(const struct analysis *analysis, struct entity entity, struct buf *command)
{
	entity_add_by(entity_rows[entity.kind].link, analysis, entity, command);
}

bool entity_add_type(const struct analysis *analysis, struct entity entity, struct buf *out)
{
	if (entity.kind == ENTITY_ROOT_NODE)
		return entity_node_add_type(analysis, entity, out);
	uint32_t object = entity_object(analysis, entity);
	return object != OBJECT_NONE && typed_add(analysis, object, out);
}

const char *entity_word(const struct analysis *analysis, struct entity entity)
{
	const char *word = entity_rows[entity.kind].word;
	return word ? word : entity_node_word(analysis, entity);
}

uint64_t entity_key(const struct analysis *analysis, struct entity entity)
{
	/* The topmost bits say what the others are. */
	enum { ALONE, ROOT_NODE, TYPE, SIZE, SHIFT = 60 };
	if (entity.kind != ENTITY_OBJECT) {
		uint64_t key = entity_node_key(analysis, entity);
		return key == UINT64_MAX ? (uint64_t)ALONE << SHIFT | entity.id
		                         : (uint64_t)ROOT_NODE << SHIFT | key;
	}
	size_t type = typed_key(analysis, entity.id);
	if (type == TYPED_KEY_UNKNOWN)
		return (uint64_t)SIZE << SHIFT | heap_size(analysis_heap(analysis), entity.id);
	return (uint64_t)TYPE << SHIFT | type;
}

void entity_add_alike(const struct analysis *analysis, struct entity entity, struct buf *out)
{
	if (entity.kind == ENTITY_ROOT_NODE)
		entity_node_add_alike(analysis, entity, out);
	else
		entity_object_add_alike(analysis, entity, out);
}

void entity_link_alike(const struct analysis *analysis, struct entity entity, struct buf *command)
{
	if (entity.kind == ENTITY_ROOT_NODE)
		entity_node_link_alike(analysis, entity, command);
}

uint32_t entity_object(const struct analysis *analysis, struct entity entity)
{
	const struct entity_row *row = &entity_rows[entity.kind];
	return row->object ? row->object(analysis, entity) : OBJECT_NONE;
}

uint64_t entity_address(const struct analysis *analysis, struct entity entity)
{
	const struct entity_row *row = &entity_rows[entity.kind];
	if (row->address)
		return row->address(analysis, entity);
	uint32_t object = entity_object(analysis, entity);
	return object == OBJECT_NONE ? 0 : heap_address(analysis_heap(analysis), object);
}

const struct root *entity_root(const struct analysis *analysis, struct entity entity)
{
	bool is_root = entity.kind == ENTITY_ROOT || entity.kind == ENTITY_POINTER;
	return is_root ? &analysis_heap(analysis)->roots[entity.id] : NULL;
}

const struct goroutine *entity_goroutine(const struct analysis *analysis, struct entity entity)
{
	const struct entity_row *row = &entity_rows[entity.kind];
	return row->goroutine ? row->goroutine(analysis, entity) : NULL;
}
