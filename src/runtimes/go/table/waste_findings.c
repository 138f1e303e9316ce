/* Finds memory that is reachable but unused, and what will never run. */
#include "table/findings/finding.h"

#include "analysis/damage.h"
#include "analysis/kept.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "goruntime/gospans.h"
#include "goruntime/gotimer.h"
#include "heap/heap.h"
#include "runtimes/go/analysis/finalizer_cycles.h"
#include "table/waste/outside.h"
#include "table/waste/waste.h"

#include <stdlib.h>
#include <string.h>

enum {
	LEAST = 2, /* percent of the reachable bytes */
	LEAST_SLOTS = 50,
	LEAST_TIMERS = 1000,
};

struct waste {
	struct waste_sum sum[WASTE_KINDS];
	struct outside outside;
	struct waste_numbers {
		uint64_t cycles, cleanups, cycle_bytes;
		uint64_t slot_bytes;
		uint64_t timers, unheard, timer_bytes; /* unheard: no thread waits on their channels */
	} n;
};

/* Returns the bytes of slots without an object, in spans that have objects. */
static uint64_t waste_free_slots(const struct heap *heap)
{
	struct gospans spans;
	uint64_t bytes = 0;
	SCOPED_BUF cause = {0};
	if (!heap_has(heap, PART_GO | PART_MEMORY) || damage_cause(heap, DAMAGE_OBJECTS, &cause))
		return 0; /* an object that is missing may lie there */
	gospans_init(&spans, heap);
	for (size_t i = 0; i < spans.count; i++)
		bytes += gospans_free_slots(&spans.span[i]) * spans.span[i].size;
	gospans_fini(&spans);
	return bytes;
}

/* Counts the timers that a program creates and may stop. */
static bool waste_find_timers(const struct analysis *analysis, struct waste_numbers *waste,
                              struct progress *progress, struct err *err)
{
	if (!heap_has(analysis_heap(analysis), PART_GO | PART_MEMORY))
		return true;
	SCOPED_BUF cause = {0};
	struct rows *rows = rows_open_watched(table_find("timers"), analysis, NULL, progress, err);
	for (size_t row = 0; rows && row < rows->count; row++) {
		const struct gotimer *timer = rows_record(rows, row);
		if (timer->kind > GOTIMER_CALL)
			continue;
		waste->timers++;
		waste->timer_bytes += rows_number(rows, row, "retained_bytes").number;
		waste->unheard += timer->kind != GOTIMER_CALL
		                  && rows_number(rows, row, "goroutine").kind == VALUE_NONE;
	}
	/* A thread whose wait is unknown may wait for them. */
	const struct gowaits *waits = analysis_waits(analysis);
	for (uint32_t g = 0; g < analysis_heap(analysis)->thread_count; g++)
		if (!waits->of[g].known)
			waste->unheard = 0;
	if (damage_cause(analysis_heap(analysis), DAMAGE_THREADS, &cause))
		waste->unheard = 0;
	rows_close(rows);
	return rows;
}

enum { TEXTS = WASTE_KINDS + OUTSIDE_MOST * OUTSIDE_TEXTS };

static struct buf *waste_text(struct waste *waste, size_t text)
{
	return text < WASTE_KINDS ? &waste->sum[text].most : &waste->outside.text[text - WASTE_KINDS];
}

static void waste_free(void *made)
{
	struct waste *waste = made;
	for (size_t i = 0; waste && i < TEXTS; i++)
		buf_free(waste_text(waste, i));
	free(waste);
}

/* Computes the sums. Rows retain by the current setting, so only its tree has a result. */
static void *waste_make(const struct analysis *analysis, enum retain retain,
                        struct progress *progress)
{
	const struct reach *reach = analysis_reach(analysis);
	struct waste *waste = mem_alloc(sizeof *waste);
	struct err err = {0};
	bool done = analysis_has_roots(analysis) && analysis_retained(analysis)->retain == retain;
	if (done)
		analysis_walk_kept(analysis, progress);
	for (size_t i = 0; done && i < WASTE_KINDS; i++)
		done = waste_add_up(analysis, &waste_kinds[i], &waste->sum[i], progress, &err);
	done = done && outside_find(&waste->outside, analysis, progress)
	       && waste_find_timers(analysis, &waste->n, progress, &err);
	struct finalizer_cycles *cycles = done ? finalizer_cycles_new(reach, progress) : NULL;
	if (!cycles) {
		waste_free(waste);
		return NULL;
	}
	waste->n.cycles = cycles->cycles;
	waste->n.cleanups = cycles->cleanups;
	waste->n.cycle_bytes = cycles->bytes;
	finalizer_cycles_free(cycles);
	waste->n.slot_bytes = waste_free_slots(analysis_heap(analysis));
	return waste;
}

static bool waste_index(void *made, const struct index_io *io)
{
	struct waste *waste = made;
	SCOPED_BUF most = {0};
	uint64_t bytes[WASTE_KINDS];
	for (size_t i = 0; io->writer && i < WASTE_KINDS; i++)
		bytes[i] = waste->sum[i].bytes;
	for (size_t i = 0; io->writer && i < TEXTS; i++)
		buf_add_bytes(&most, buf_text(waste_text(waste, i)), waste_text(waste, i)->len + 1);
	bool done = INDEX_VALUES(io, "numbers", INDEX_VALUE(bytes), INDEX_VALUE(waste->n),
	                         INDEX_VALUE(waste->outside.place))
	            && index_io_buf(io, "most", &most);
	for (size_t i = 0; done && io->file && i < WASTE_KINDS; i++)
		waste->sum[i].bytes = bytes[i];
	const char *text = most.data;
	for (size_t i = 0; done && io->file && i < TEXTS; i++, text += strlen(text) + 1)
		buf_add(waste_text(waste, i), text);
	return done;
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, waste_kept) = {
	.name = "waste",
	.needs = STAGE_ALL,
	.by_retain = true,
	.make = waste_make,
	.free = waste_free,
	.size = sizeof(struct waste),
	.index = waste_index,
};

/* ---- Findings */

enum {
	KIND_CYCLES = WASTE_KINDS,
	KIND_DUE,
	KIND_SLOTS,
	KIND_UNHEARD,
	KIND_TIMERS,
	KIND_OUTSIDE,
	KIND_OUTSIDE_LEAST
};
static const struct finding_kind kinds[] = {
	/* in the order of waste_kinds */
	{FINDING_USUAL, "unused parts", "~",
     "Slices and strings keep arrays alive of which they use a part; the largest is named", NULL},
	{FINDING_USUAL, "unused capacity", "~",
     "Maps and channels have room that they do not use, and sync.Pools have values that nobody "
     "uses; the largest is named",
     NULL},
	{FINDING_USUAL, "duplicates", "~",
     "One copy of equal strings and byte arrays would do; the largest is named. What is counted as "
     "an unused part is left out",
     NULL},
	[KIND_CYCLES] = {FINDING_USUAL, "cycles", "!",
                     "What each would clean up keeps itself alive, so that it can never run", NULL},
	[KIND_DUE] = {FINDING_USUAL, "finalizers", "!",
                  "Their objects stay until they have run, one after the other", NULL},
	[KIND_SLOTS] = {FINDING_USUAL, "free slots", "~",
                    "Spans with few objects: they return to the system only when they are empty",
                    NULL},
	[KIND_UNHEARD] = {FINDING_USUAL, "timers", "~",
                      "No " THREAD_WORD " waits for them: they were not stopped", NULL},
	[KIND_TIMERS] = {FINDING_USUAL, "timers", "", "So many timers run", NULL},
	[KIND_OUTSIDE] = {FINDING_USUAL, "outside slices", "~",
                      "A slice was cut, as by s = s[n:], and the elements that were cut off still "
                      "keep these objects alive; bytes: what setting them to zero frees",
                      NULL},
	[KIND_OUTSIDE_LEAST] =
		{FINDING_USUAL, "outside slices", "~",
         "Slices were cut, as by s = s[n:], and the elements that were cut off still keep these "
         "objects alive; bytes: what setting them to zero frees at least",
         NULL},
};

static const char *const waste_words[WASTE_KINDS] = {
	"unused array parts",
	"unused capacity",
	[WASTE_DUPLICATES] = "equal contents",
};

static struct finding *waste_report(struct findings *findings, size_t kind, uint64_t bytes,
                                    const char *what, const char *link)
{
	struct finding *finding = findings_add(findings, &kinds[kind]);
	finding->bytes = bytes;
	finding->of_heap = kind != KIND_SLOTS && kind != KIND_DUE;
	finding->recoverable = finding->of_heap && kind != KIND_UNHEARD && kind != KIND_TIMERS ? bytes
	                                                                                       : 0;
	buf_add(&finding->what, what);
	buf_add(&finding->link, link);
	return finding;
}

/* Adds "5 finalizers", which can never run. */
static void waste_report_cycles(struct findings *findings, const struct waste_numbers *n)
{
	bool all = n->cleanups == n->cycles, none = !n->cleanups;
	SCOPED_BUF what = {0};
	if (!findings_is_much(findings, n->cycle_bytes, LEAST))
		return;
	text_add_number_of(&what, n->cycles,
	                   none  ? "finalizer"
	                   : all ? "cleanup"
	                         : "finalizer and cleanup",
	                   none  ? "finalizers"
	                   : all ? "cleanups"
	                         : "finalizers and cleanups");
	struct finding *finding =
		waste_report(findings, KIND_CYCLES, n->cycle_bytes, buf_text(&what), "cycles");
	finding->count = n->cycles;
	buf_add(&finding->name, "can never run");
}

/* Returns the thread that runs finalizers, found by its function. */
static const struct thread *waste_finalizer_thread(const struct heap *heap)
{
	for (uint32_t f = 0; f < heap->frame_count; f++) {
		struct text name = heap->frames[f].record.function;
		if ((text_is(name, "runtime.runfinq") || text_is(name, "runtime.runFinalizers"))
		    && heap->frames[f].thread != UINT32_MAX)
			return &heap->threads[heap->frames[f].thread];
	}
	return NULL;
}

/* Adds "12 finalizers are due", and what the thread that runs them waits for. */
static void waste_report_queue(struct findings *findings)
{
	const struct heap *heap = analysis_heap(findings->analysis);
	const struct thread *thread = waste_finalizer_thread(heap);
	uint64_t count = heap->queued_finalizer_count;
	SCOPED_BUF what = {0};
	if (!count)
		return;
	text_add_number_of(&what, count, "finalizer is due", "finalizers are due");
	struct finding *finding =
		waste_report(findings, KIND_DUE, 0, buf_text(&what), "finalizers queued");
	finding->count = count;
	if (thread && thread->record.wait_reason.len) {
		thread_add_name(heap, thread, &finding->name);
		buf_add(&finding->name, " in ");
		text_add_escaped(&finding->name, thread->record.wait_reason.data,
		                 thread->record.wait_reason.len, 60);
	}
}

static void waste_report_timers(struct findings *findings, const struct waste_numbers *n)
{
	uint64_t count = n->unheard ? n->unheard : n->timers;
	SCOPED_BUF what = {0};
	if (n->timers < LEAST_TIMERS && !findings_is_much(findings, n->timer_bytes, LEAST))
		return;
	text_add_number_of(&what, count, "timer", "timers");
	struct finding *finding = waste_report(findings, n->unheard ? KIND_UNHEARD : KIND_TIMERS,
	                                       n->timer_bytes, buf_text(&what), "timers");
	finding->count = count;
	buf_add(&finding->name, n->unheard ? "nobody waits for them" : "started and not stopped");
	if (count < n->timers)
		buf_addf(&finding->name, "; bytes of all %s", text_count(n->timers).text);
}

static void waste_report_outside(struct findings *findings, const struct outside *outside)
{
	for (size_t i = 0; i < OUTSIDE_MOST; i++) {
		const struct outside_place *place = &outside->place[i];
		const struct buf *text = &outside->text[i * OUTSIDE_TEXTS];
		if (!findings_is_much(findings, place->bytes, LEAST))
			return;
		struct finding *finding =
			waste_report(findings, place->least ? KIND_OUTSIDE_LEAST : KIND_OUTSIDE, place->bytes,
		                 buf_text(&text[0]), buf_text(&text[2]));
		finding->count = place->count;
		finding->frees = place->bytes;
		finding->frees_known = !place->least;
		buf_add(&finding->name, buf_text(&text[1]));
	}
}

static bool waste_find(struct findings *findings, struct progress *progress, struct err *err)
{
	const struct analysis *analysis = findings->analysis;
	const struct waste *waste =
		analysis_kept(analysis, &waste_kept, analysis_retained(analysis)->retain, progress);
	if (!waste)
		return err_set(err, "Adding up unused memory was cancelled");
	for (size_t kind = 0; kind < WASTE_KINDS; kind++)
		if (findings_is_much(findings, waste->sum[kind].bytes, LEAST)) {
			struct finding *finding = waste_report(findings, kind, waste->sum[kind].bytes,
			                                       waste_words[kind], waste_kinds[kind].table);
			buf_addf(&finding->name, "largest: %s", buf_text(&waste->sum[kind].most));
		}
	waste_report_outside(findings, &waste->outside);
	waste_report_cycles(findings, &waste->n);
	waste_report_queue(findings);
	waste_report_timers(findings, &waste->n);
	if (findings_is_much(findings, waste->n.slot_bytes, LEAST_SLOTS))
		waste_report(findings, KIND_SLOTS, waste->n.slot_bytes, "free slots", "types-size");
	return true;
}

DEFINE_PLUGIN(finders, struct finder, waste_finder) = {
	.parts = PART_GO | PART_MEMORY, .find = waste_find, .slow = &waste_kept};
