#include "analysis/root_class.h"

#include "format/format.h"
#include "format/record.h"
#include "go/types/names.h"
#include "heap/heap.h"
#include "heap/root.h"

#include <string.h>

const char *const root_class_names[ROOT_CLASSES] = {
	"global", "parked", "running", "timer", "runtime", "finalizer", "pool", "weak",
};

bool root_retains(const struct root *root)
{
	return !(root->flags & ROOT_WEAK);
}

bool root_is_of_page(const struct heap *heap, const struct root *root)
{
	return heap_has(heap, PART_NAMES) && root->kind == ROOT_STATIC && root_retains(root);
}

bool root_has_page(const struct heap *heap)
{
	const uint32_t *first = heap->root_kind_first;
	for (uint32_t r = first[ROOT_STATIC]; r < first[ROOT_STATIC + 1]; r++)
		if (root_is_of_page(heap, &heap->roots[r]))
			return true;
	return false;
}

enum root_class root_class_of_thread(const struct heap *heap, uint32_t thread)
{
	const struct thread *g = &heap->threads[thread];
	bool parked = !g->dumping && thread_waits(heap, g);
	return parked ? ROOT_CLASS_PARKED : ROOT_CLASS_RUNNING;
}

static bool is_pool_list(const char *name)
{
	return strcmp(name, "sync.allPools") == 0 || strcmp(name, "sync.oldPools") == 0;
}

bool root_is_pool_list(const struct names *names, const struct root *root)
{
	const char *name;
	uint64_t offset;
	return (root->kind == ROOT_DATA || root->kind == ROOT_BSS)
	       && names_variable(names, root->address, &name, &offset) && is_pool_list(name);
}

/* Returns true for variables of the runtime itself. The lists of pools reach every object with a
   pool as a field. */
static bool is_of_runtime(const char *name)
{
	static const char internal[] = "internal/runtime/";
	return symbol_is_of_runtime((struct text){name, strlen(name)})
	       || strncmp(name, internal, strlen(internal)) == 0 || is_pool_list(name);
}

static enum root_class class_of_variable(const struct names *names, const struct root *root)
{
	const char *name;
	uint64_t offset;
	bool runtime = names_variable(names, root->address, &name, &offset)
	                   ? is_of_runtime(name)
	                   : names_is_of_runtime(names, root->address);
	return runtime ? ROOT_CLASS_RUNTIME : ROOT_CLASS_GLOBAL;
}

enum root_class root_class_of(const struct heap *heap, const struct names *names,
                              const struct root *root)
{
	/* Deferred calls and panics belong to threads that have not ended. */
	static const uint8_t of_kind[ROOT_KINDS] = {
		[ROOT_FINALIZER] = ROOT_CLASS_FINALIZER, [ROOT_QUEUED_FINALIZER] = ROOT_CLASS_FINALIZER,
		[ROOT_DEFER] = ROOT_CLASS_PARKED,        [ROOT_PANIC] = ROOT_CLASS_PARKED,
		[ROOT_CLEANUP] = ROOT_CLASS_FINALIZER,   [ROOT_WEAK_HANDLE] = ROOT_CLASS_RUNTIME,
		[ROOT_OTHER] = ROOT_CLASS_RUNTIME,       [ROOT_STATIC] = ROOT_CLASS_GLOBAL,
		[ROOT_HANDLE] = ROOT_CLASS_GLOBAL,       [ROOT_LOCAL] = ROOT_CLASS_RUNNING,
		[ROOT_INTERNAL] = ROOT_CLASS_RUNTIME,    [ROOT_SPECIFIC] = ROOT_CLASS_RUNTIME,
		[ROOT_UNKNOWN] = ROOT_CLASS_RUNTIME,     [ROOT_FINALIZER_QUEUE] = ROOT_CLASS_FINALIZER,
	};
	if (!root_retains(root))
		return ROOT_CLASS_WEAK;
	if (root->kind == ROOT_FRAME) {
		uint32_t thread = heap->frames[root->holder].thread;
		return thread == UINT32_MAX ? ROOT_CLASS_RUNNING : root_class_of_thread(heap, thread);
	}
	if (root->kind == ROOT_DATA || root->kind == ROOT_BSS)
		return class_of_variable(names, root);
	return of_kind[root->kind];
}
