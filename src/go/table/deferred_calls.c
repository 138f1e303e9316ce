#include "go/table/deferred_calls.h"

#include "base/bound.h"
#include "base/mem.h"
#include "heap/heap.h"

#include <stdlib.h>

/* The frames of a goroutine by stack address; in Go 1.3 a stack may consist of several segments. */
struct place {
	uint64_t sp, size;
	uint32_t frame;
};
struct stack {
	struct place *at;
	uint32_t count;
};

static struct stack sorted_stack(const struct heap *heap, const struct thread *thread)
{
	struct stack stack = {mem_alloc((thread->frames + 1ULL) * sizeof *stack.at), thread->frames};
	for (uint32_t i = 0; i < stack.count; i++) {
		const struct frame_record *frame = &heap->frames[thread->first_frame + i].record;
		stack.at[i] = (struct place){frame->sp, frame->size, i};
	}
	bound_sort(stack.at, stack.count, BOUND_BY(struct place, sp));
	return stack;
}

static bool deferred_calls_find_frame(const struct stack *stack, uint64_t address, uint32_t *frame)
{
	size_t after = upper_bound(stack->at, stack->count, BOUND_BY(struct place, sp), address);
	if (!after || address - stack->at[after - 1].sp >= stack->at[after - 1].size)
		return false;
	*frame = stack->at[after - 1].frame;
	return true;
}

/* The records of a kind that follow a goroutine in the file. */
struct span {
	uint32_t first, end;
};

static struct span records_behind(const void *items, uint32_t count, struct bound_by by,
                                  uint64_t behind)
{
	return (struct span){(uint32_t)lower_bound(items, count, by, behind),
	                     (uint32_t)upper_bound(items, count, by, behind)};
}

static int by_frame(const void *a, const void *b)
{
	const struct deferred_call *x = a, *y = b;
	if (x->frame != y->frame)
		return x->frame < y->frame ? -1 : 1;
	if (x->panic != y->panic)
		return x->panic ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static void deferred_calls_add(struct deferred_calls *calls, const struct stack *stack,
                               struct deferred_call call, uint64_t sp, uint64_t address)
{
	call.placed = deferred_calls_find_frame(stack, sp, &call.frame)
	              || deferred_calls_find_frame(stack, address, &call.frame);
	calls->at[calls->count++] = call;
}

struct deferred_calls deferred_calls_find(const struct heap *heap, const struct thread *thread)
{
	uint64_t behind = (uint64_t)(thread - heap->threads) + 1;
	struct span defers = records_behind(heap->defers, heap->defer_count,
	                                    BOUND_BY(struct defer_record, behind), behind);
	struct span panics = records_behind(heap->panics, heap->panic_count,
	                                    BOUND_BY(struct panic_record, behind), behind);
	struct deferred_calls found = {0};
	if (!thread->frames || (defers.first == defers.end && panics.first == panics.end))
		return found;
	struct stack stack = sorted_stack(heap, thread);
	found.at = mem_alloc(((size_t)defers.end - defers.first + panics.end - panics.first)
	                     * sizeof *found.at);
	for (uint32_t i = defers.first; i < defers.end; i++)
		deferred_calls_add(&found, &stack, (struct deferred_call){.index = i}, heap->defers[i].sp,
		                   heap->defers[i].address);
	for (uint32_t i = panics.first; i < panics.end; i++)
		deferred_calls_add(&found, &stack, (struct deferred_call){.index = i, .panic = true},
		                   heap->panics[i].address, heap->panics[i].address);
	qsort(found.at, found.count, sizeof *found.at, by_frame);
	free(stack.at);
	return found;
}

void deferred_calls_free(struct deferred_calls *calls)
{
	free(calls->at);
}

size_t deferred_calls_before(const struct deferred_calls *calls, size_t frame)
{
	return lower_bound(calls->at, calls->count, BOUND_BY(struct deferred_call, frame), frame);
}
