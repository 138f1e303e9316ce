/* Converts the waits of go/runtime/gowait.h to awaited objects, to find out which objects can wake
   a goroutine. */
#include "lost_waits.h"

#include "analysis/damage.h"
#include "base/buf.h"
#include "base/mem.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

struct waits_finder {
	struct lost_waits *waits;
	const struct gowaits *told;
	const struct heap *heap;
	bool doubted; /* roots may be missing that lead to what a goroutine waits for */
};

/* ---- Records of the runtime */

/* Notes those of goroutines, and of waits, also where it is not known whose these are. */
static void find_records(struct waits_finder *f)
{
	struct lost_waits *w = f->waits;
	wait_records_init(&w->records, f->heap, f->told);
	for (uint32_t i = 0; i < w->records.first[f->heap->thread_count]; i++)
		word_bit_set(w->record, w->records.id[i]);
	for (uint32_t i = 0; i < f->told->sudog_count; i++)
		word_bit_set(w->record, f->told->sudogs[i]);
}

/* ---- Awaited objects */

static void lost_await(struct lost_waits *w, struct lost_wait *wait, uint32_t object)
{
	MEM_PUSH(w->object, w->count, w->capacity, object);
	wait->kind = LOST_WAIT_OBJECTS;
	wait->count++;
}

static enum lost_wait_kind kind_of_forever(const struct thread *g)
{
	static const char none[] = "(no cases)";
	struct text reason = g->record.wait_reason;
	return memmem(reason.data, reason.len, none, strlen(none)) ? LOST_WAIT_NO_CASE
	                                                           : LOST_WAIT_NIL_CHANNEL;
}

/* A goroutine whose wait is unknown, or is not for an object, counts as alive. */
static void find_wait(struct waits_finder *f, uint32_t g)
{
	const struct thread *thread = &f->heap->threads[g];
	const struct gowait *told = &f->told->of[g];
	struct lost_wait *wait = &f->waits->wait[g];
	*wait = (struct lost_wait){.first = (uint32_t)f->waits->count};
	if (thread->record.system || thread->dumping)
		return;
	if (!told->known || (f->doubted && told->kind != GOWAIT_NONE && told->kind != GOWAIT_FOREVER)) {
		f->waits->unknown++;
		f->waits->unknown_reasons += !thread->record.wait_reason.len;
		f->waits->unknown_coroutines += told->kind == GOWAIT_COROUTINE && !told->known;
		return;
	}
	if (told->kind == GOWAIT_NONE)
		return;
	if (told->kind == GOWAIT_FOREVER)
		wait->kind = kind_of_forever(thread);
	if (wait->kind == LOST_WAIT_NO_CASE && thread->record.id == 1)
		f->waits->parked_main = g + 1;
	for (uint32_t i = told->first; i < told->first + told->cases; i++)
		lost_await(f->waits, wait, f->told->cases[i].object);
	uint32_t lock = told->address ? heap_find(f->heap, told->address) : OBJECT_NONE;
	if (lock != OBJECT_NONE)
		lost_await(f->waits, wait, lock);
	else if (told->address) /* a lock in a global variable, or in memory beside the heap */
		f->waits->outside++;
}

void lost_waits_init(struct lost_waits *waits, const struct heap *heap, const struct gowaits *told)
{
	SCOPED_BUF cause = {0};
	struct waits_finder f = {.waits = waits, .told = told, .heap = heap};
	f.doubted = damage_cause(heap, DAMAGE_ROOTS, &cause);
	*waits = (struct lost_waits){0};
	waits->wait = mem_alloc(heap->thread_count * sizeof *waits->wait);
	waits->record = mem_alloc((heap_object_count(heap) / 64 + 1) * sizeof *waits->record);
	find_records(&f);
	for (uint32_t g = 0; g < heap->thread_count; g++)
		find_wait(&f, g);
}

void lost_waits_fini(struct lost_waits *waits)
{
	free(waits->wait);
	free(waits->object);
	free(waits->record);
	wait_records_fini(&waits->records);
}
