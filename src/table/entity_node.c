/* What holds objects from outside of the heap (analysis/root_nodes.h), a row a kind: part of
   table/entity.h. */
#include "table/entity_parts.h"

#include "base/text.h"
#include "table/goroutine.h"
#include "table/root.h"
#include "table/source.h"
#include "table/typed.h"

#include <inttypes.h>
#include <string.h>

typedef void entity_node_add(const struct analysis *, const struct root_node *, struct buf *);

static const struct root_node *root_node_of(const struct analysis *analysis, struct entity entity)
{
	return &analysis_root_nodes(analysis)->root_node[entity.id];
}

static struct entity root_of_node(const struct root_node *root_node)
{
	return (struct entity){ENTITY_ROOT, root_node->index, 0};
}

static void entity_node_add_all(const struct analysis *analysis, const struct root_node *root_node,
                                struct buf *out)
{
	(void)analysis, (void)root_node;
	buf_add(out, "everything");
}

static void entity_node_add_class(const struct analysis *analysis,
                                  const struct root_node *root_node, struct buf *out)
{
	static const char *const titles[2][ROOT_CLASSES] = {
		{
			[ROOT_CLASS_GLOBAL] = "global variables",
			[ROOT_CLASS_PARKED] = "goroutines that wait",
			[ROOT_CLASS_RUNNING] = "goroutines that run",
			[ROOT_CLASS_RUNTIME] = "runtime variables",
			[ROOT_CLASS_FINALIZER] = "finalizers",
			[ROOT_CLASS_POOL] = "sync.Pools",
			[ROOT_CLASS_WEAK] = "",
		},
		{
			[ROOT_CLASS_GLOBAL] = "statics and handles",
			[ROOT_CLASS_PARKED] = "",
			[ROOT_CLASS_RUNNING] = "local variables",
			[ROOT_CLASS_RUNTIME] = "roots of the runtime",
			[ROOT_CLASS_FINALIZER] = "finalizers",
			[ROOT_CLASS_POOL] = "",
			[ROOT_CLASS_WEAK] = "weak roots",
		},
	};
	buf_add(out, titles[!heap_has(analysis_heap(analysis), HAS_RUNTIME)][root_node->index]);
}

/* The variable's name; NULL: only where it is is known. */
static const char *name_of_variable(const struct analysis *analysis,
                                    const struct root_node *root_node)
{
	const char *name;
	uint64_t offset, address = analysis_heap(analysis)->roots[root_node->index].address;
	bool known = names_variable(analysis_names(analysis), address, &name, &offset);
	return known ? name : NULL;
}

static void entity_node_add_root(const struct analysis *analysis, const struct root_node *root_node,
                                 struct buf *out)
{
	entity_root_add_name(analysis, root_of_node(root_node), out);
}

static void entity_node_add_variable(const struct analysis *analysis,
                                     const struct root_node *root_node, struct buf *out)
{
	const char *name = name_of_variable(analysis, root_node);
	if (name)
		text_add_escaped(out, name, strlen(name), ENTITY_NAME_LIMIT);
	else
		entity_node_add_root(analysis, root_node, out);
}

static const struct goroutine *goroutine_of_node(const struct analysis *analysis,
                                                 const struct root_node *root_node)
{
	return &analysis_heap(analysis)->goroutines[root_node->index];
}

static void entity_node_add_goroutine(const struct analysis *analysis,
                                      const struct root_node *root_node, struct buf *out)
{
	entity_add_goroutine(goroutine_of_node(analysis, root_node), out);
}

static void entity_node_add_goroutine_label(const struct analysis *analysis,
                                            const struct root_node *root_node, struct buf *out)
{
	entity_node_add_goroutine(analysis, root_node, out);
	goroutine_add_function(analysis_heap(analysis), goroutine_of_node(analysis, root_node), out);
}

static void entity_node_add_frame_label(const struct analysis *analysis,
                                        const struct root_node *root_node, struct buf *out)
{
	entity_add_function(analysis_heap(analysis), root_node->index, out);
	source_add_frame(analysis, root_node->index, out);
}

static void entity_node_add_frame(const struct analysis *analysis,
                                  const struct root_node *root_node, struct buf *out)
{
	entity_add_goroutine(frame_goroutine(analysis_heap(analysis), root_node->index), out);
	buf_add_char(out, ' ');
	entity_node_add_frame_label(analysis, root_node, out);
}

static void entity_node_add_slot_label(const struct analysis *analysis,
                                       const struct root_node *root_node, struct buf *out)
{
	entity_add_slot(analysis, &analysis_heap(analysis)->roots[root_node->index], out);
}

static void entity_node_add_finalizer(const struct analysis *analysis,
                                      const struct root_node *root_node, struct buf *out)
{
	entity_add_finalizer(&analysis_heap(analysis)->finalizers[root_node->index], out);
}

static void entity_node_add_pool(const struct analysis *analysis, const struct root_node *root_node,
                                 struct buf *out)
{
	buf_addf(out, "sync.Pool at 0x%" PRIx64,
	         heap_address(analysis_heap(analysis), root_node->index));
}

/* As the first of its roots. */
static void entity_node_add_record(const struct analysis *analysis,
                                   const struct root_node *root_node, struct buf *out)
{
	static const enum root_kind kinds[ROOT_NODE_KINDS] = {
		[ROOT_NODE_DEFER] = ROOT_DEFER,
		[ROOT_NODE_PANIC] = ROOT_PANIC,
		[ROOT_NODE_OTHER] = ROOT_OTHER,
	};
	const struct heap *heap = analysis_heap(analysis);
	enum root_kind kind = kinds[root_node->kind];
	for (uint32_t r = heap->root_kind_first[kind]; r < heap->root_kind_first[kind + 1]; r++)
		if (heap->roots[r].holder == root_node->index) {
			entity_root_add_name(analysis, (struct entity){ENTITY_ROOT, r, 0}, out);
			return;
		}
}

static const struct entity_node {
	const char *word; /* JSON */
	entity_node_add *name;
	entity_node_add *label; /* NULL: the name */
	const char *alike;      /* what those of the kind are called; NULL: only like itself */
	const char *list;       /* the command that lists these */
} entity_nodes[ROOT_NODE_KINDS] = {
	[ROOT_NODE_ALL] = {"all", entity_node_add_all, NULL, NULL, NULL},
	[ROOT_NODE_CLASS] = {"strength", entity_node_add_class, NULL, NULL, NULL},
	[ROOT_NODE_GLOBAL] = {"global", entity_node_add_variable, NULL, NULL, NULL},
	[ROOT_NODE_GOROUTINE] = {"goroutine", entity_node_add_goroutine,
                             entity_node_add_goroutine_label, "goroutine", NULL},
	[ROOT_NODE_FRAME] = {"frame", entity_node_add_frame, entity_node_add_frame_label, NULL, NULL},
	[ROOT_NODE_SLOT] = {"slot", entity_node_add_root, entity_node_add_slot_label, NULL, NULL},
	[ROOT_NODE_FINALIZER] = {"finalizer", entity_node_add_finalizer, NULL, "finalizer",
                             "finalizers"},
	[ROOT_NODE_DEFER] = {"defer", entity_node_add_record, NULL, "deferred call", "defers"},
	[ROOT_NODE_PANIC] = {"panic", entity_node_add_record, NULL, "panic", "panics"},
	[ROOT_NODE_OTHER] = {"other", entity_node_add_record, NULL, "record of the runtime",
                         "roots other"},
	[ROOT_NODE_POOL] = {"pool", entity_node_add_pool, NULL, "sync.Pool", NULL},
	[ROOT_NODE_LOG] = {"root", entity_node_add_root, NULL, NULL, NULL},
};

void entity_node_add_name(const struct analysis *analysis, struct entity entity, struct buf *out)
{
	const struct root_node *root_node = root_node_of(analysis, entity);
	entity_nodes[root_node->kind].name(analysis, root_node, out);
}

void entity_node_add_label(const struct analysis *analysis, struct entity entity, struct buf *out)
{
	const struct root_node *root_node = root_node_of(analysis, entity);
	const struct entity_node *kind = &entity_nodes[root_node->kind];
	(kind->label ? kind->label : kind->name)(analysis, root_node, out);
}

void entity_node_add_alike(const struct analysis *analysis, struct entity entity, struct buf *out)
{
	const struct root_node *root_node = root_node_of(analysis, entity);
	const char *alike = entity_nodes[root_node->kind].alike;
	if (!alike)
		entity_node_add_label(analysis, entity, out);
	else
		buf_add(out, alike);
	if (root_node->kind == ROOT_NODE_GOROUTINE)
		goroutine_add_function(analysis_heap(analysis), goroutine_of_node(analysis, root_node),
		                       out);
}

const char *entity_node_word(const struct analysis *analysis, struct entity entity)
{
	return entity_nodes[root_node_of(analysis, entity)->kind].word;
}

uint64_t entity_node_key(const struct analysis *analysis, struct entity entity)
{
	const struct root_node *root_node = root_node_of(analysis, entity);
	uint64_t group = root_node->kind == ROOT_NODE_GOROUTINE
	                     ? analysis_groups(analysis)->of[root_node->index]
	                     : 0;
	if (!entity_nodes[root_node->kind].alike)
		return UINT64_MAX;
	return (uint64_t)root_node->kind << 40 | group;
}

void entity_node_add_argument(const struct analysis *analysis, struct entity entity,
                              struct buf *out)
{
	(void)analysis;
	buf_addf(out, "@%" PRIu32, entity.id);
}

void entity_node_link(const struct analysis *analysis, struct entity entity, struct buf *command)
{
	const struct root_node *root_node = root_node_of(analysis, entity);
	const char *name = NULL;
	switch ((enum root_node_kind)root_node->kind) {
	case ROOT_NODE_GLOBAL:
		/* A variable's roots are found by its name; a word without one by its address. */
		name = name_of_variable(analysis, root_node);
		if (name) {
			buf_add(command, "roots ");
			text_add_escaped(command, name, strlen(name), SIZE_MAX);
			return;
		}
		entity_root_link(analysis, root_of_node(root_node), command);
		return;
	case ROOT_NODE_GOROUTINE:
		entity_node_add_goroutine(analysis, root_node, command);
		return;
	case ROOT_NODE_SLOT:
	case ROOT_NODE_LOG:
		entity_root_link(analysis, root_of_node(root_node), command);
		return;
	default:
		buf_addf(command, "dominated @%" PRIu32, entity.id);
	}
}

void entity_node_link_alike(const struct analysis *analysis, struct entity entity,
                            struct buf *command)
{
	const struct root_node *root_node = root_node_of(analysis, entity);
	if (root_node->kind == ROOT_NODE_GOROUTINE)
		buf_addf(command, "goroutines group=%" PRIu32,
		         analysis_groups(analysis)->of[root_node->index]);
	else if (entity_nodes[root_node->kind].list)
		buf_add(command, entity_nodes[root_node->kind].list);
}

static bool entity_variable_add_type(const struct analysis *analysis, uint64_t address,
                                     struct buf *out)
{
	if (!analysis_typing(analysis))
		return false;
	uint64_t place = address - analysis_names(analysis)->fit.data_bias;
	const struct exe_global *global = gotypes_global_at(analysis_types(analysis), place);
	const struct static_value *value = statics_find(analysis_statics(analysis), address);
	if (!global && !value)
		return false;
	gotype_display(analysis_types(analysis), global ? global->type : value->type, out);
	return true;
}

static bool entity_slot_add_type(const struct analysis *analysis, const struct root *root,
                                 struct buf *out)
{
	struct buf name = {0};
	gotype_id type = 0;
	typed_add_local(analysis, &analysis_heap(analysis)->frames[root->holder].record, root->address,
	                &type, &name);
	buf_free(&name);
	if (type)
		gotype_display(analysis_types(analysis), type, out);
	return type != 0;
}

bool entity_node_add_type(const struct analysis *analysis, struct entity entity, struct buf *out)
{
	const struct root_node *root_node = root_node_of(analysis, entity);
	const struct root *roots = analysis_heap(analysis)->roots;
	if (root_node->kind == ROOT_NODE_GLOBAL)
		return entity_variable_add_type(analysis, roots[root_node->index].address, out);
	return root_node->kind == ROOT_NODE_SLOT
	       && entity_slot_add_type(analysis, &roots[root_node->index], out);
}
