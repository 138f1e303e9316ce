#include "lost_asleep.h"

#include "analysis/damage.h"
#include "base/buf.h"
#include "base/text.h"
#include "cleanups.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/object_ids.h"

#include <stdlib.h>

static bool asleep_is_said(const struct heap *heap)
{
	struct crash_note note;
	return heap->format->crash && heap->reader && heap->format->crash(heap->reader, &note)
	       && text_is(note.fatal, CRASH_ASLEEP);
}

/* Returns true for the goroutine of package os/signal, which waits for signals in the runtime. It
   sends them to channels, and does nothing else. */
static bool asleep_takes_signals(const struct heap *heap, const struct thread *g)
{
	for (uint32_t i = 0; i < g->frames; i++)
		if (text_is(heap->frames[g->first_frame + i].record.function, "os/signal.signal_recv"))
			return true;
	return false;
}

/* Returns true if each goroutine of the program waits for what only another one ends. Adds bits to
   *doubts: the runtime's own are at work; without symbols the channels of package os/signal are not
   known, for which some may wait. */
static bool asleep_all_wait(const struct heap *heap, const struct gowaits *waits,
                            struct lost_alarms *alarms, uint32_t *doubts)
{
	uint32_t waiting = 0;
	bool channels = false, signals = false;
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		const struct thread *g = &heap->threads[i];
		bool waits_now = goroutine_status_waits(g->record.status);
		bool channel = waits->of[i].kind == GOWAIT_CHANNEL || waits->of[i].kind == GOWAIT_SELECT;
		if (g->dumping)
			return false;
		if (g->record.system) {
			*doubts |= waits_now ? 0 : LOST_DOUBT_BUSY;
			continue;
		}
		if (waits_now && waits->of[i].kind != GOWAIT_NONE) {
			/* without its channel it cannot be told whether one of these is meant */
			if (channel && !waits->of[i].known && (alarms->channel_count || alarms->start))
				return false;
			channels |= channel;
			waiting++;
			continue;
		}
		if (waits_now || !asleep_takes_signals(heap, g))
			return false;
		signals = true;
	}
	alarms->signals = signals && alarms->start;
	*doubts |= signals && !alarms->start && channels ? LOST_DOUBT_SIGNALS : 0;
	return waiting;
}

/* Counts the functions that the next collection may call: of objects that nothing keeps alive. */
static uint64_t asleep_callbacks(const struct reach *reach)
{
	const struct heap *heap = reach->heap;
	struct cleanups cleanups = cleanups_find(heap);
	uint64_t count = heap->queued_finalizer_count;
	for (uint32_t i = 0; i < heap->finalizer_count; i++) {
		uint32_t object = heap_find(heap, heap->finalizers[i].object);
		count += object != OBJECT_NONE && !reach_has(reach, object);
	}
	for (size_t i = 0; i < cleanups.count; i++)
		count += !reach_has(reach, cleanups.item[i].object);
	free(cleanups.item);
	return count;
}

struct lost_asleep lost_asleep_find(const struct reach *reach, const struct gowaits *waits,
                                    struct lost_alarms *alarms)
{
	const struct heap *heap = reach->heap;
	struct lost_asleep asleep = {0};
	SCOPED_BUF damage = {0};
	*alarms = (struct lost_alarms){0};
	if (asleep_is_said(heap)) {
		asleep.state = LOST_ASLEEP_SAID;
		return asleep;
	}
	const struct wakers_note *note =
		heap->format->wakers && heap->reader ? heap->format->wakers(heap->reader) : NULL;
	if (!note || damage_cause(heap, DAMAGE_ROOTS, &damage))
		return asleep;
	alarms->start = note->signals_start;
	alarms->end = note->signals_end;
	alarms->channels = note->channels;
	alarms->channel_count = note->timers_known ? note->channel_count : 0;
	if (!asleep_all_wait(heap, waits, alarms, &asleep.doubts)
	    || (note->timers_known && note->timers))
		return (struct lost_asleep){0};
	asleep.callbacks = asleep_callbacks(reach);
	asleep.foreign = note->threads_known ? note->foreign : 0;
	asleep.doubts |= (note->timers_known ? 0 : LOST_DOUBT_TIMERS)
	                 | (note->threads_known ? 0 : LOST_DOUBT_THREADS)
	                 | (note->timers_known && note->busy ? LOST_DOUBT_BUSY : 0);
	bool doubted = asleep.doubts || asleep.foreign || asleep.callbacks;
	asleep.state = doubted ? LOST_ASLEEP_DOUBTED : LOST_ASLEEP_FOUND;
	return asleep;
}
