/* What is kept and not used, in a line each where that is much. */
#include "report/overview.h"

#include "analysis/finalizer_cycles.h"
#include "base/mem.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 50 }; /* one part in so many of what is reachable is much */

/* A table whose rows are added up, but for those of a column's text. */
struct waste_kind {
	const char *table, *link, *what; /* "not used of arrays" */
	const char *column, *without;    /* NULL: all rows count */
};
static const struct waste_kind waste_kinds[WASTE_KINDS] = {
	{"pinned", "pinned", "not used of arrays", NULL, NULL},
	/* Of slices it is in the line above. */
	{"slack", "slack", "room of maps, channels", "kind", "slice"},
	/* Buffers that nothing has been put into. */
	{"duplicates", "duplicates", "equal strings, bytes", "value", "zeros"},
};

struct overview_waste {
	struct waste_sum {
		uint64_t bytes;
		struct buf most; /* the place of the largest row */
	} sum[WASTE_KINDS];
	uint64_t cycles, cycle_bytes;
};

static bool waste_counts(const struct rows *rows, size_t row, const struct waste_kind *kind)
{
	struct buf text = {0};
	bool counts = !kind->column
	              || strcmp(overview_cell(rows, row, kind->column, &text), kind->without) != 0;
	buf_free(&text);
	return counts;
}

static bool waste_add_up(struct page *page, const struct waste_kind *kind, struct waste_sum *sum,
                         struct progress *progress)
{
	struct err err = {0};
	uint64_t most = 0;
	size_t place = 0;
	struct rows *rows =
		rows_open_watched(table_find(kind->table), page->analysis, NULL, progress, &err);
	if (!rows)
		return false;
	for (size_t row = 0; row < rows->count; row++) {
		if (row % 4096 == 0 && !progress_step(progress, row)) {
			rows_close(rows);
			return false;
		}
		uint64_t bytes = rows_number(rows, row, "wasted_bytes").number;
		if (!waste_counts(rows, row, kind))
			continue;
		sum->bytes += bytes;
		place = bytes > most ? row : place;
		most = bytes > most ? bytes : most;
	}
	if (most)
		overview_cell(rows, place, "name", &sum->most);
	rows_close(rows);
	return true;
}

bool overview_find_waste(struct page *page, struct progress *progress)
{
	struct overview *own = page->own;
	const struct reach *reach = analysis_reach(page->analysis);
	if (own->waste || !reach->known)
		return true;
	struct overview_waste *waste = mem_alloc(sizeof *waste);
	bool done = true;
	for (size_t i = 0; done && i < WASTE_KINDS; i++)
		done = waste_add_up(page, &waste_kinds[i], &waste->sum[i], progress);
	struct finalizer_cycles *cycles = done ? finalizer_cycles_new(reach, progress) : NULL;
	if (!cycles) {
		overview_waste_free(waste);
		return false;
	}
	waste->cycles = cycles->cycles;
	waste->cycle_bytes = cycles->bytes;
	finalizer_cycles_free(cycles);
	own->waste = waste;
	return true;
}

void overview_waste_free(struct overview_waste *waste)
{
	for (size_t i = 0; waste && i < WASTE_KINDS; i++)
		buf_free(&waste->sum[i].most);
	free(waste);
}

/* "    4.1 MB  48.0%  not used of arrays: main.windows[0] …" */
static void waste_add_line(struct section *section, const char *link, uint64_t bytes,
                           const char *text)
{
	uint64_t all = analysis_reach(section->page->analysis)->bytes;
	struct page *page = overview_line(section, link);
	page_size(page, OVERVIEW_NUMBER, bytes);
	page_share(page, OVERVIEW_SHARE, bytes, all);
	page_put(page, PAGE_REST, OVERVIEW_TEXT, STYLE_LINK, text);
}

static bool waste_is_much(const struct page *page, uint64_t bytes)
{
	return bytes && bytes > analysis_reach(page->analysis)->bytes / LEAST;
}

/* The goroutine that runs finalizers, by its function. */
static const struct goroutine *waste_finalizer_goroutine(const struct heap *heap)
{
	for (uint32_t f = 0; f < heap->frame_count; f++) {
		struct text name = heap->frames[f].record.function;
		if ((text_is(name, "runtime.runfinq") || text_is(name, "runtime.runFinalizers"))
		    && heap->frames[f].goroutine != UINT32_MAX)
			return &heap->goroutines[heap->frames[f].goroutine];
	}
	return NULL;
}

/* "        12         finalizers due, goroutine 18 in chan receive" */
static void waste_add_queue(struct section *section)
{
	const struct heap *heap = analysis_heap(section->page->analysis);
	const struct goroutine *goroutine = waste_finalizer_goroutine(heap);
	struct buf text = {0};
	if (!heap->queued_finalizer_count)
		return;
	buf_add(&text, heap->queued_finalizer_count == 1 ? "finalizer due" : "finalizers due");
	if (goroutine && goroutine->record.wait_reason.len) {
		buf_addf(&text, ", goroutine %" PRIu64 " in ", goroutine->record.id);
		text_add_escaped(&text, goroutine->record.wait_reason.data,
		                 goroutine->record.wait_reason.len, 60);
	}
	struct page *page = overview_line(section, "finalizers queued");
	page_count(page, OVERVIEW_NUMBER, heap->queued_finalizer_count);
	page_put(page, PAGE_REST, OVERVIEW_TEXT, STYLE_LINK, buf_text(&text));
	buf_free(&text);
}

void overview_waste(struct page *page)
{
	const struct overview_waste *waste = ((const struct overview *)page->own)->waste;
	struct section section = {page, "NOT USED"};
	struct buf text = {0};
	for (size_t i = 0; waste && i < WASTE_KINDS; i++) {
		if (!waste_is_much(page, waste->sum[i].bytes))
			continue;
		buf_clear(&text);
		buf_addf(&text, "%s: %s …", waste_kinds[i].what, buf_text(&waste->sum[i].most));
		waste_add_line(&section, waste_kinds[i].link, waste->sum[i].bytes, buf_text(&text));
	}
	if (waste && waste_is_much(page, waste->cycle_bytes)) {
		buf_clear(&text);
		text_add_number_of(&text, waste->cycles, "finalizer", "finalizers");
		buf_add(&text, " that can never run");
		waste_add_line(&section, "cycles", waste->cycle_bytes, buf_text(&text));
	}
	waste_add_queue(&section);
	buf_free(&text);
}
