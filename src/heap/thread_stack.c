#include "heap/heap.h"

#include <inttypes.h>

enum {
	STACK_LEAST = 1024, /* alignment of stacks */
	ALLOCATED = 7       /* word of struct g: in Go 1.5 to 1.8 a stack ends before its memory */
};

static bool thread_stack_is_size(uint64_t size)
{
	return size >= STACK_LEAST && (size & (size - 1)) == 0;
}

/* Returns the bytes of a thread's stack and its address; 0: not known. Since Go 1.4 the
   runtime's g is an object that begins with the bounds of its stack. The bounds are accepted only
   if the size is a power of two and sp lies inside. */
static uint64_t thread_stack_size(const struct heap *heap, const struct thread *g,
                                  uint64_t *address)
{
	const struct goroutine_record *record = &g->record;
	uint64_t word = heap->params.pointer_size;
	uint32_t id = heap_find(heap, record->address);
	struct object_record object;
	if (id == OBJECT_NONE || heap_address(heap, id) != record->address
	    || !heap_object(heap, id, &object)
	    || object.stored < object.header + (ALLOCATED + 1) * word)
		return 0;
	const uint8_t *words = object.data + object.header;
	uint64_t low = heap_word(heap, words), high = heap_word(heap, words + word);
	uint64_t size = high - low, allocated = heap_word(heap, words + ALLOCATED * word);
	*address = low;
	if (low >= high || low % STACK_LEAST || record->sp < low || record->sp > high)
		return 0;
	if (thread_stack_is_size(size))
		return size;
	bool fits = allocated > size && size > allocated / 2;
	return fits && thread_stack_is_size(allocated) ? allocated : 0;
}

struct thread_stack heap_thread_stack(const struct heap *heap, uint32_t thread)
{
	const struct thread *g = &heap->threads[thread];
	struct thread_stack stack = {0};
	stack.bytes = thread_stack_size(heap, g, &stack.address);
	stack.exact = stack.bytes;
	for (uint32_t i = 0; !stack.exact && i < g->frames; i++)
		stack.bytes += heap->frames[g->first_frame + i].record.size;
	return stack;
}

void thread_add_name(const struct heap *heap, const struct thread *thread, struct buf *out)
{
	buf_add(out, heap_words(heap)->thread);
	if (buf_wants(out, NAME_ID))
		buf_addf(out, " %" PRIu64, thread->record.id);
}
