/* Coroutines of iter.Pull (runtime/coro.go): while a goroutine waits in one, the first word of the
   coroutine's record is that goroutine, and any goroutine that holds the record can switch to
   it. */
#include "gowait_coroutine.h"

#include "format/record.h"
#include "go/runtime/size_class.h"
#include "gosudog.h"
#include "heap/heap.h"
#include "heap/object_ids.h"
#include "heap/pointer_walk.h"

enum {
	FRAMES_MOST = 64,   /* innermost frames searched */
	CLOSURE_MOST = 256, /* maximum bytes of a closure that holds the record */
	RECORD_WORDS = 4,   /* words of runtime.coro; two in Go 1.22 */
	RECORD_WORDS_LEAST = 2
};

/* Returns true if the object is the record of a coroutine of g. Its second word is a function. */
static bool coroutine_is_of(const struct heap *heap, uint64_t address, uint64_t g)
{
	unsigned width = heap->params.layout.pointer_size;
	struct object_record record;
	uint32_t id;
	if (address == g || !gosudog_object(heap, address, &record, &id)
	    || record.stored - record.header < (uint64_t)RECORD_WORDS_LEAST * width)
		return false;
	uint64_t size = heap_size(heap, id);
	const uint8_t *data = record.data + record.header;
	return (size_class_fits(size, (uint64_t)RECORD_WORDS * width)
	        || size_class_fits(size, (uint64_t)RECORD_WORDS_LEAST * width))
	       && heap_word(heap, data) == g && heap_word(heap, data + width) != 0;
}

/* Returns the record that a pointer refers to, directly or through a closure, or 0. */
static uint64_t coroutine_behind(const struct heap *heap, uint64_t pointer, uint64_t g)
{
	struct pointer_walk walk;
	struct pointer inner;
	struct object_record record;
	uint32_t id;
	if (coroutine_is_of(heap, pointer, g))
		return pointer;
	if (!gosudog_object(heap, pointer, &record, &id) || heap_size(heap, id) > CLOSURE_MOST)
		return 0;
	pointer_walk_object(&walk, heap, &record);
	while (pointer_walk_next(&walk, &inner))
		if (coroutine_is_of(heap, inner.value, g))
			return inner.value;
	return 0;
}

uint64_t gowait_coroutine(const struct heap *heap, const struct thread *g)
{
	uint64_t address = g->record.address, found = 0;
	struct pointer_walk walk;
	struct pointer pointer;
	struct object_record record;
	uint32_t id;
	for (uint32_t i = 0; i < g->frames && i < FRAMES_MOST; i++) {
		pointer_walk_frame(&walk, heap, &heap->frames[g->first_frame + i].record);
		while (!found && pointer_walk_next(&walk, &pointer))
			found = coroutine_behind(heap, pointer.value, address);
	}
	/* a coroutine that has not started yet is in the goroutine's record */
	if (found || !gosudog_object(heap, address, &record, &id))
		return found;
	pointer_walk_object(&walk, heap, &record);
	while (!found && pointer_walk_next(&walk, &pointer))
		if (coroutine_is_of(heap, pointer.value, address))
			found = pointer.value;
	return found;
}
