/* Memory that is reachable but unused, in a line each for large amounts. */
#include "report/overview.h"

#include "analysis/kept.h"
#include "base/mem.h"
#include "base/plugin.h"
#include "base/text.h"
#include "goruntime/gospans.h"
#include "goruntime/gotimer.h"
#include "runtimes/go/analysis/finalizer_cycles.h"
#include "table/waste/waste.h"

#include <stdlib.h>
#include <string.h>

enum {
	LEAST = 50, /* one part in LEAST of the reachable bytes is large */
	LEAST_SLOTS = 2,
	LEAST_TIMERS = 1000,
};

/* Names of waste_kinds, in that order. */
static const char *const waste_words[WASTE_KINDS] = {
	"unused parts of arrays",
	"unused capacity",
	[WASTE_DUPLICATES] = "could be saved",
};

struct overview_waste {
	struct waste_sum sum[WASTE_KINDS];
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
	if (!heap_has(heap, PART_GO | PART_MEMORY))
		return 0;
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
	rows_close(rows);
	return rows;
}

static void waste_free(void *made)
{
	struct overview_waste *waste = made;
	for (size_t i = 0; waste && i < WASTE_KINDS; i++)
		buf_free(&waste->sum[i].most);
	free(waste);
}

/* Computes the sums. Rows retain by the current setting, so only its tree has a result. */
static void *waste_make(const struct analysis *analysis, enum retain retain,
                        struct progress *progress)
{
	const struct reach *reach = analysis_reach(analysis);
	struct overview_waste *waste = mem_alloc(sizeof *waste);
	struct err err = {0};
	bool done = analysis_has_roots(analysis) && analysis_retained(analysis)->retain == retain;
	for (size_t i = 0; done && i < WASTE_KINDS; i++)
		done = waste_add_up(analysis, &waste_kinds[i], &waste->sum[i], progress, &err);
	done = done && waste_find_timers(analysis, &waste->n, progress, &err);
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
	struct overview_waste *waste = made;
	struct buf most = {0};
	uint64_t bytes[WASTE_KINDS];
	for (size_t i = 0; io->writer && i < WASTE_KINDS; i++) {
		bytes[i] = waste->sum[i].bytes;
		buf_add_bytes(&most, buf_text(&waste->sum[i].most), waste->sum[i].most.len + 1);
	}
	bool done = INDEX_VALUES(io, "numbers", INDEX_VALUE(bytes), INDEX_VALUE(waste->n))
	            && index_io_buf(io, "most", &most);
	const char *text = most.data;
	for (size_t i = 0; done && io->file && i < WASTE_KINDS; i++, text += strlen(text) + 1) {
		waste->sum[i].bytes = bytes[i];
		buf_add(&waste->sum[i].most, text);
	}
	buf_free(&most);
	return done;
}

static const struct kept_kind waste_kept = {
	.name = "waste",
	.needs = STAGE_ALL,
	.by_retain = true,
	.make = waste_make,
	.free = waste_free,
	.size = sizeof(struct overview_waste),
	.index = waste_index,
};
PLUGIN(kept_kinds, waste_kept);

bool overview_find_waste(struct page *page, struct progress *progress)
{
	struct overview *own = page->own;
	const struct analysis *analysis = page->analysis;
	if (analysis_has_roots(analysis))
		own->waste =
			analysis_kept(analysis, &waste_kept, analysis_retained(analysis)->retain, progress);
	return own->waste || !analysis_has_roots(analysis);
}

static uint64_t waste_whole(const struct page *page)
{
	return analysis_reach(page->analysis)->bytes;
}

static bool waste_is_much(const struct page *page, uint64_t bytes)
{
	return bytes && bytes > waste_whole(page) / LEAST;
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

/* Adds "      12 finalizers due" and what the thread that runs them waits for. */
static void waste_add_queue(struct section *section)
{
	const struct heap *heap = analysis_heap(section->page->analysis);
	const struct thread *thread = waste_finalizer_thread(heap);
	struct buf text = {0};
	if (!heap->queued_finalizer_count)
		return;
	buf_add(&text, heap->queued_finalizer_count == 1 ? "finalizer due" : "finalizers due");
	if (thread && thread->record.wait_reason.len) {
		buf_add(&text, ", ");
		thread_add_name(heap, thread, &text);
		buf_add(&text, " in ");
		text_add_escaped(&text, thread->record.wait_reason.data, thread->record.wait_reason.len,
		                 60);
	}
	struct page *page = overview_line(section, "finalizers queued");
	page_count(page, OVERVIEW_NUMBER, heap->queued_finalizer_count);
	page_put(page, PAGE_REST, OVERVIEW_TEXT, STYLE_LINK, buf_text(&text));
	buf_free(&text);
}

static void waste_add_kind(struct section *section, const struct overview_waste *waste, size_t kind)
{
	const struct waste_sum *sum = &waste->sum[kind];
	struct buf text = {0};
	if (!waste_is_much(section->page, sum->bytes))
		return;
	buf_addf(&text, "%s: %s …", waste_words[kind], buf_text(&sum->most));
	overview_part(section, waste_kinds[kind].table, sum->bytes, waste_whole(section->page),
	              buf_text(&text));
	buf_free(&text);
}

static void waste_add_cycles(struct section *section, const struct overview_waste *waste)
{
	struct buf text = {0};
	if (!waste_is_much(section->page, waste->n.cycle_bytes))
		return;
	if (!waste->n.cleanups)
		text_add_number_of(&text, waste->n.cycles, "finalizer", "finalizers");
	else if (waste->n.cleanups == waste->n.cycles)
		text_add_number_of(&text, waste->n.cycles, "cleanup", "cleanups");
	else
		text_add_number_of(&text, waste->n.cycles, "of them", "finalizers and cleanups");
	buf_add(&text, " that can never run");
	overview_part(section, "cycles", waste->n.cycle_bytes, waste_whole(section->page),
	              buf_text(&text));
	buf_free(&text);
}

void overview_waste(struct page *page)
{
	const struct overview_waste *waste = ((const struct overview *)page->own)->waste;
	struct section section = {page, "UNUSED"}, duplicates = {page, "DUPLICATES"};
	for (size_t kind = 0; waste && kind < WASTE_DUPLICATES; kind++)
		waste_add_kind(&section, waste, kind);
	if (waste)
		waste_add_cycles(&section, waste);
	/* Free slots are outside of the reachable bytes, so they have no share. */
	if (waste && waste->n.slot_bytes > waste_whole(page) / LEAST_SLOTS)
		overview_part(&section, "sizes", waste->n.slot_bytes, 0, "free slots between objects");
	waste_add_queue(&section);
	if (waste)
		waste_add_kind(&duplicates, waste, WASTE_DUPLICATES);
}

/* Adds "  20,010 timers run; nobody waits for 20,001 of them". */
void overview_timers(struct page *page)
{
	const struct overview_waste *waste = ((const struct overview *)page->own)->waste;
	struct section section = {page, "TIMERS"};
	struct buf text = {0};
	if (!waste || (waste->n.timers < LEAST_TIMERS && !waste_is_much(page, waste->n.timer_bytes)))
		return;
	buf_add(&text, waste->n.timers == 1 ? "timer runs" : "timers run");
	if (waste->n.unheard) {
		buf_add(&text, "; nobody waits for ");
		text_add_count(&text, waste->n.unheard);
		buf_add(&text, " of them");
	}
	overview_line(&section, "timers");
	page_count(page, OVERVIEW_NUMBER, waste->n.timers);
	page_put(page, PAGE_REST, OVERVIEW_TEXT, STYLE_LINK, buf_text(&text));
	buf_free(&text);
}
