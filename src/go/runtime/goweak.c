#include "go/runtime/goweak.h"

#include "heap/heap.h"

bool goweak_is_pointer(const char *name)
{
	return goruntime_is_named(name, "weak.Pointer[")
	       || goruntime_is_named(name, "internal/weak.Pointer[");
}

enum goweak_state goweak_state(const struct struct_view *pointer, uint64_t *target)
{
	const struct heap *heap = pointer->in->heap;
	uint64_t handle;
	if (!struct_view_number(pointer, "u", &handle))
		return GOWEAK_UNKNOWN;
	if (!handle)
		return GOWEAK_NIL;
	const uint8_t *word = gomemory_bytes(pointer->in, handle, heap->params.layout.pointer_size);
	if (!word || heap->params.redacted)
		return GOWEAK_UNKNOWN;
	*target = heap_word(heap, word);
	return *target ? GOWEAK_LIVE : GOWEAK_DEAD;
}
