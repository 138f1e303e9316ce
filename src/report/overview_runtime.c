/* The overview of what Go's runtime says: what the goroutines do, and of its memory. */
#include "report/overview.h"

#include "base/text.h"
#include "report/goroutine_states.h"

#include <string.h>

enum { WHERE = 50, WHERE_WIDTH = 30, /* columns */ STATES = 4, GROUPS = 5 /* lines */ };

void overview_goroutines(struct page *page)
{
	const struct analysis *analysis = page->analysis;
	struct section section = {page, "GOROUTINES"};
	struct goroutine_states states;
	uint64_t all = analysis_heap(analysis)->goroutine_count, shown = 0;
	struct buf name = {0};
	goroutine_states_goroutines(&states, analysis_groups(analysis), analysis_heap(analysis));
	text_add_count(&name, analysis_groups(analysis)->count);
	buf_add(&name, " different stacks");
	overview_count(&section, NULL, "groups", all, 0, buf_text(&name));
	for (size_t i = 0; i < states.count && i < STATES; i++) {
		buf_clear(&name);
		goroutine_states_name(&states.row[i], &name);
		overview_count(&section, NULL, "goroutines", states.row[i].count, all, buf_text(&name));
		shown += states.row[i].count;
	}
	overview_more(&section, "goroutines", all, shown, "in other states …");
	buf_free(&name);
}

/* A function without the folders of its package, where its whole name is too long to be seen. */
static const char *overview_short_name(const char *function)
{
	const char *name = function;
	size_t package = strcspn(function, "(");
	bool long_name = text_columns(function) > WHERE_WIDTH;
	for (size_t i = 0; long_name && i < package; i++)
		if (function[i] == '/')
			name = function + i + 1;
	return name;
}

static void overview_add_group(struct section *section, const struct rows *groups, size_t row)
{
	struct buf text = {0};
	rows_link(groups, row, &text);
	struct page *page = overview_line(section, buf_text(&text));
	page_put(page, PAGE_RIGHT, OVERVIEW_NUMBER, STYLE_PLAIN,
	         overview_cell(groups, row, "count", &text));
	page_put(page, PAGE_RIGHT, OVERVIEW_SHARE, STYLE_PLAIN,
	         overview_cell(groups, row, "waited", &text));
	if (!*overview_cell(groups, row, "wait_reason", &text))
		overview_cell(groups, row, "status", &text);
	page_put(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_PLAIN, buf_text(&text));
	page_put(page, PAGE_REST, WHERE, STYLE_LINK,
	         overview_short_name(overview_cell(groups, row, "function", &text)));
	buf_free(&text);
}

/* The biggest groups, without the runtime's own goroutines. */
void overview_groups(struct page *page)
{
	struct overview *overview = page->own;
	if (!overview->groups)
		overview->groups = rows_open(table_find("groups"), page->analysis, NULL, NULL);
	const struct rows *groups = overview->groups;
	struct section section = {page, "STACKS"};
	size_t shown = 0;
	for (size_t i = 0; i < groups->count && shown < GROUPS; i++)
		if (groups->table->style(groups, i) == ROW_PLAIN) {
			overview_add_group(&section, groups, i);
			shown++;
		}
	overview_more(&section, "groups", groups->count, shown, "more stacks …");
}

static uint64_t overview_statistic(const struct memstats_record *stats, const char *name)
{
	for (size_t i = 0; i < sizeof stats->field / sizeof *stats->field; i++)
		if (strcmp(memstats_names[i], name) == 0)
			return stats->field[i];
	return 0;
}

static void overview_add_statistics(struct page *page, const struct memstats_record *stats)
{
	page_open(page, "memstats");
	for (size_t i = 0; stats->present && i < sizeof memstats_names / sizeof *memstats_names; i++)
		page_number(page, memstats_names[i], stats->field[i]);
	if (stats->present) {
		page_open_array(page, "PauseNs");
		for (size_t i = 0; i < MEMSTATS_PAUSES; i++)
			page_number(page, NULL, stats->pause_ns[i]);
		page_close(page);
		page_number(page, "NumGC", stats->num_gc);
	}
	page_close(page);
}

/* Sys, and the parts that make it up. */
void overview_memory(struct page *page)
{
	const struct memstats_record *stats = &analysis_heap(page->analysis)->memstats;
	enum { SUMMANDS = 4 };
	static const struct {
		const char *label, *field[SUMMANDS];
	} parts[] = {
		{"heap in use", {"HeapInuse"}},
		{"heap idle", {"HeapIdle"}},
		{"stacks", {"StackSys"}},
		{"spans, caches, GC", {"MSpanSys", "MCacheSys", "BuckHashSys", "GCSys"}},
		{"other", {"OtherSys"}},
	};
	struct section section = {page, "MEMORY"};
	uint64_t whole = overview_statistic(stats, "Sys");
	if (analysis_heap(page->analysis)->format->has & HAS_RUNTIME)
		overview_add_statistics(page, stats);
	if (!stats->present)
		return;
	overview_bytes(&section, NULL, "memstats", whole, 0, "from the system (memstats: Sys)");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		uint64_t bytes = 0;
		for (size_t k = 0; k < SUMMANDS && parts[i].field[k]; k++)
			bytes += overview_statistic(stats, parts[i].field[k]);
		overview_bytes(&section, NULL, "memstats", bytes, whole, parts[i].label);
	}
}

/* How many records there are of each kind. */
void overview_records(struct page *page)
{
	const struct heap *heap = analysis_heap(page->analysis);
	const struct overview_number counts[] = {
		{"types", heap->type_count},
		{"itabs", heap->itab_count},
		{"goroutines", heap->goroutine_count},
		{"frames", heap->frame_count},
		{"finalizers", heap->finalizer_count - heap->queued_finalizer_count},
		{"queued_finalizers", heap->queued_finalizer_count},
		{"defers", heap->defer_count},
		{"panics", heap->panic_count},
		{"threads", heap->thread_count},
		{"profiles", heap->profiles.count},
		{"samples", heap->profiles.sample_count},
	};
	overview_numbers(page, counts, sizeof counts / sizeof *counts);
}
