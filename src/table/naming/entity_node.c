/* Names of root nodes (analysis/root_nodes.h): part of table/naming/entity.h. */
#include "analysis/root_nodes.h"
#include "table/naming/entity_parts.h"

#include "base/bound.h"
#include "base/text.h"
#include "format/runtime.h"
#include "go/runtime/goplumbing.h"
#include "go/runtime/gotimer.h"
#include "heap/heap.h"
#include "heap/name_part.h"
#include "heap/root.h"
#include "table/naming/root.h"
#include "table/naming/typed.h"

#include <inttypes.h>
#include <string.h>

static void entity_all_name(const struct naming *n)
{
	buf_add(n->out, "everything");
}

static void entity_class_name(const struct naming *n)
{
	const struct runtime_words *words = heap_words(n->heap);
	const char *const titles[ROOT_CLASSES] = {
		[ROOT_CLASS_GLOBAL] = words->globals,
		[ROOT_CLASS_PARKED] = words->parked,
		[ROOT_CLASS_RUNNING] = words->running,
		[ROOT_CLASS_TIMER] = "timers",
		[ROOT_CLASS_RUNTIME] = words->own,
		[ROOT_CLASS_FINALIZER] = heap_root_count(n->heap, ROOT_CLEANUP) ? "finalizers, cleanups"
	                                                                    : "finalizers",
		[ROOT_CLASS_POOL] = "sync.Pools",
		[ROOT_CLASS_WEAK] = "weak roots",
	};
	buf_add(n->out, titles[n->id] ? titles[n->id] : "");
}

/* Returns the variable's name; NULL: only its address is known. */
static const char *name_of_variable(const struct naming *n)
{
	const char *name;
	uint64_t offset, address = n->heap->roots[n->id].address;
	bool known = names_variable(analysis_names(n->analysis), address, &name, &offset);
	return known ? name : NULL;
}

static void entity_variable_name(const struct naming *n)
{
	const char *name = name_of_variable(n);
	if (name)
		text_add_symbol(n->out, name, strlen(name), ENTITY_NAME_LIMIT);
	else
		entity_root_name(n);
}

static void entity_variable_label(const struct naming *n)
{
	const char *name = name_of_variable(n);
	entity_variable_name(n);
	if (name && name_wants(n->out, NAME_NOTE))
		buf_add(n->out, root_variable_note(n->heap, name));
}

/* Links to the roots of the variable, by its name; to a word without a name, by its address. */
static void entity_variable_link(const struct naming *n)
{
	const char *name = name_of_variable(n);
	if (!name) {
		entity_root_link(n);
		return;
	}
	buf_add(n->out, "roots ");
	text_add_symbol(n->out, name, strlen(name), SIZE_MAX);
}

/* Appends the variable or field that is the pool; the address for a pool on the heap. */
static void entity_pool_name(const struct naming *n)
{
	uint64_t pool = root_nodes_pool(analysis_root_nodes(n->analysis), (uint32_t)n->extra);
	SCOPED_BUF name = {.without = n->out->without | NAME_WORD};
	if (heap_find(n->heap, pool) != OBJECT_NONE
	    || !typed_add_global(n->analysis, pool, NULL, &name)) {
		buf_add(&name, "sync.Pool");
		if (name_wants(n->out, NAME_ADDRESS))
			buf_addf(&name, " at 0x%" PRIx64, pool);
	}
	buf_add(n->out, buf_text(&name));
}

/* Appends "timers" and the function or purpose of most of them. */
static void entity_timers_name(const struct naming *n)
{
	static const char *const most_of[] = {
		[GOTIMER_TIMER] = ", most of package time",
		[GOTIMER_TICKER] = ", most of tickers",
		[GOTIMER_SLEEP] = ", most of sleeping " THREADS_WORD,
		[GOTIMER_RUNTIME] = ", most of the runtime",
	};
	const struct gotimers *timers = analysis_root_nodes(n->analysis)->plumbing->timers;
	const struct gotimer *timer = n->id == UINT32_MAX ? NULL : &timers->item[n->id];
	const char *function = NULL;
	buf_add(n->out, "timers");
	if (!timer)
		return;
	if (timer->kind != GOTIMER_CALL) {
		buf_add(n->out, most_of[timer->kind]);
		return;
	}
	buf_add(n->out, ", most call ");
	if (timer->code && names_function(analysis_names(n->analysis), timer->code, &function))
		text_add_symbol(n->out, function, strlen(function), ENTITY_NAME_LIMIT);
	else
		buf_addf(n->out, "0x%" PRIx64, timer->code ? timer->code : timer->target);
}

static void entity_plumbing_name(const struct naming *n)
{
	buf_add(n->out, goplumbing_name((enum goplumbing_kind)n->id));
}

static void entity_weak_references_name(const struct naming *n)
{
	buf_add(n->out, "weak references");
}

/* Appends the name of the first root of a record. */
static void entity_record_name(const struct naming *n)
{
	static const enum root_kind kinds[ROOT_NODE_KINDS] = {
		[ROOT_NODE_DEFER] = ROOT_DEFER,
		[ROOT_NODE_PANIC] = ROOT_PANIC,
		[ROOT_NODE_OTHER] = ROOT_OTHER,
		[ROOT_NODE_CLEANUP] = ROOT_CLEANUP,
		[ROOT_NODE_WEAK_HANDLE] = ROOT_WEAK_HANDLE,
	};
	struct naming root = *n;
	enum root_kind kind = kinds[n->root_node->kind];
	uint32_t first = n->heap->root_kind_first[kind];
	uint32_t count = heap_root_count(n->heap, kind);
	const struct root *roots = n->heap->roots + first;
	size_t at = lower_bound(roots, count, BOUND_BY(struct root, holder), n->id);
	root.id = first + (uint32_t)at;
	if (at < count && roots[at].holder == n->id)
		entity_root_name(&root);
}

static void entity_node_argument(const struct naming *n)
{
	buf_addf(n->out, "@%" PRIu64, n->extra);
}

static void entity_node_link(const struct naming *n)
{
	buf_addf(n->out, "retained-tree @%" PRIu64, n->extra);
}

/* Appends the type of the variable; if unknown, the type of the object that it references. */
static bool entity_variable_type(const struct naming *n)
{
	const struct analysis *analysis = n->analysis;
	if (!analysis_typing(analysis))
		return false;
	uint64_t address = n->heap->roots[n->id].address;
	uint64_t place = address - analysis_names(analysis)->fit.data_bias;
	const struct exe_global *global = gotypes_global_at(analysis_types(analysis), place);
	const struct static_value *value = statics_find(analysis_statics(analysis), address);
	if (!global && !value)
		return typed_add(analysis, n->heap->roots[n->id].target, n->out);
	gotype_display(analysis_types(analysis), global ? global->type : value->type, n->out);
	return true;
}

static bool entity_slot_type(const struct naming *n)
{
	const struct root *root = &n->heap->roots[n->id];
	gotype_id type = 0;
	typed_add_local(n->analysis, &n->heap->frames[root->holder].record, root->address, &type, NULL);
	if (type)
		gotype_display(analysis_types(n->analysis), type, n->out);
	return type != 0;
}

#define NODE .argument = entity_node_argument, .link = entity_node_link

const struct entity_row entity_node_rows[ROOT_NODE_KINDS] = {
	[ROOT_NODE_ALL] = {"all", entity_all_name, NODE},
	[ROOT_NODE_CLASS] = {"strength", entity_class_name, NODE},
	[ROOT_NODE_GLOBAL] = {"global", entity_variable_name, entity_variable_label,
                          entity_node_argument, entity_variable_link, .type = entity_variable_type},
	[ROOT_NODE_THREAD] = {NULL, entity_thread_name, entity_thread_label, entity_node_argument,
                          entity_thread_name, .alike = THREAD_WORD},
	[ROOT_NODE_FRAME] = {"frame", entity_frame_name, entity_frame_label, NODE},
	[ROOT_NODE_SLOT] = {"slot", entity_root_name, entity_slot_label, entity_node_argument,
                        entity_root_link, .type = entity_slot_type},
	[ROOT_NODE_FINALIZER] = {"finalizer", entity_finalizer_name, NODE, .alike = "finalizer",
                             .list = "finalizers"},
	[ROOT_NODE_DEFER] = {"defer", entity_record_name, NODE, .alike = "deferred call",
                         .list = "stack-defer"},
	[ROOT_NODE_PANIC] = {"panic", entity_record_name, NODE, .alike = "panic",
                         .list = "stack-panic"},
	[ROOT_NODE_OTHER] = {"other", entity_record_name, NODE, .alike = "record of the runtime",
                         .list = "roots other"},
	[ROOT_NODE_CLEANUP] = {"cleanup", entity_record_name, NODE, .alike = "cleanup",
                           .list = "roots cleanup"},
	[ROOT_NODE_WEAK_HANDLE] = {"weak handle", entity_record_name, NODE, .alike = "weak handle",
                               .list = "roots weak_handle"},
	[ROOT_NODE_POOL] = {"pool", entity_pool_name, NODE},
	[ROOT_NODE_TIMERS] = {"timers", entity_timers_name, NODE, .list = "timers"},
	[ROOT_NODE_PLUMBING] = {"runtime", entity_plumbing_name, NODE},
	[ROOT_NODE_WEAK_REFERENCES] = {"weak references", entity_weak_references_name, NODE},
	[ROOT_NODE_LOG] = {"root", entity_root_name, NULL, entity_node_argument,
                       .link = entity_root_link},
};
