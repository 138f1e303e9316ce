/* The overview of Go's runtime: the states of goroutines, and its memory. */
#include "report/overview.h"

#include "analysis/damage.h"

#include "base/text.h"
#include "format/format.h"
#include "go/analysis/lost.h"
#include "go/report/goroutine_states.h"
#include "go/table/memory_use.h"
#include "heap/heap.h"
#include "table/naming/shorten.h"

enum {
	LEAST_TOLD = 1 << 20,  /* bytes of a heap of which too little is resident */
	ACCOUNTS_COLUMNS = 77, /* of the line that has all sums */
};
enum { WHERE = 50, WHERE_WIDTH = 30, /* columns */ STATES = 4, GROUPS = 5 /* lines */ };

static uint64_t overview_system_goroutines(const struct heap *heap)
{
	uint64_t count = 0;
	for (uint32_t i = 0; i < heap->thread_count; i++)
		count += heap->threads[i].record.system;
	return count;
}

void overview_threads(struct page *page)
{
	const struct analysis *analysis = page->analysis;
	struct section section = {page, "GOROUTINES"};
	struct goroutine_states states;
	uint64_t all = analysis_heap(analysis)->thread_count, shown = 0;
	SCOPED_BUF name = {0};
	uint64_t system = overview_system_goroutines(analysis_heap(analysis));
	goroutine_states_goroutines(&states, analysis_groups(analysis), analysis_heap(analysis));
	if (!all && damage_doubt(analysis_heap(analysis), DAMAGE_THREADS, &name)) {
		overview_line(&section, "warnings");
		page_put(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_WARNING,
		         "cannot be told: the file is damaged");
		return;
	}
	if (system)
		buf_addf(&name, "%s of them the runtime's, ", text_count(system).text);
	text_add_number_of(&name, analysis_groups(analysis)->count, "stack", "different stacks");
	struct thread_stack stacks = heap_stacks(analysis_heap(analysis));
	buf_addf(&name, "%s%s in all", stacks.exact ? ", " : ", at least ",
	         text_size(stacks.bytes).text);
	overview_count(&section, NULL, "goroutines-stack", all, 0, buf_text(&name));
	for (size_t i = 0; i < states.count && i < STATES; i++) {
		buf_clear(&name);
		goroutine_states_name(&states.row[i], &name);
		overview_count(&section, NULL, "goroutines", states.row[i].count, all, buf_text(&name));
		shown += states.row[i].count;
	}
	overview_more(&section, "goroutines", all, shown, "in another state …", "in other states …");
}

bool overview_find_lost(struct page *page, struct progress *progress)
{
	return !analysis_has_roots(page->analysis) || analysis_lost(page->analysis, progress);
}

/* Adds numbers of lost goroutines for programs; null if unknown. */
static void overview_lost_numbers(struct page *page, const struct lost *lost)
{
	static const char *const names[] = {"lost_goroutines", "lost_stack_bytes", "lost_bytes"};
	const uint64_t numbers[] = {lost ? lost->count : 0, lost ? lost->stack_bytes : 0,
	                            lost ? lost->bytes : 0};
	bool known = lost && (lost->count || !lost->unknown);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (known)
			page_number(page, names[i], numbers[i]);
		else
			page_null(page, names[i]);
	if (lost)
		page_number(page, "lost_unknown", lost->unknown);
	else
		page_null(page, "lost_unknown");
	if (lost && lost->asleep.state != LOST_ASLEEP_DOUBTED)
		page_bool(page, "deadlock", lost->asleep.state != LOST_AWAKE);
	else
		page_null(page, "deadlock");
}

/* Adds the lost goroutines, if any, with what they retain. */
void overview_lost(struct page *page)
{
	const struct lost *lost = analysis_lost(page->analysis, NULL); /* overview_find_lost found it */
	struct section section = {page, ""};
	SCOPED_BUF text = {0};
	overview_lost_numbers(page, lost);
	if (!lost)
		return;
	uint64_t all = analysis_heap(page->analysis)->thread_count;
	if (lost->count) {
		buf_add(&text, lost->unknown                      ? "at least can never wake up: "
		               : lost->asleep.state == LOST_AWAKE ? "can never wake up: "
		                                                  : "deadlock, can never wake up: ");
		text_add_size(&text, lost->stack_bytes + lost->bytes);
		overview_count(&section, NULL, "lost", lost->count, all, buf_text(&text));
	}
	if (lost->unknown)
		overview_count(&section, NULL, "lost", lost->unknown, all,
		               "may never wake up: cannot be told");
}

/* Says on the first page that nothing can run or wake up any more, unless the crash says it. */
void overview_deadlock(struct page *page)
{
	const struct lost *lost = analysis_lost(page->analysis, NULL);
	if (!lost || lost->asleep.state != LOST_ASLEEP_FOUND) /* what the runtime has said is there */
		return;
	page_line(page, "lost");
	page_put(page, PAGE_REST, OVERVIEW_LABEL, STYLE_WARNING,
	         "deadlock: all " THREADS_WORD " are asleep, and nothing can wake one up");
}

static void overview_add_group(struct section *section, const struct rows *groups, size_t row)
{
	SCOPED_BUF text = {0};
	rows_link(groups, row, &text);
	struct page *page = overview_line(section, buf_text(&text));
	page_put(page, PAGE_RIGHT, OVERVIEW_NUMBER, STYLE_PLAIN,
	         overview_cell(groups, row, "count", &text));
	page_put(page, PAGE_RIGHT, OVERVIEW_SHARE, STYLE_PLAIN,
	         overview_cell(groups, row, "waited", &text));
	if (!*overview_cell(groups, row, "wait_reason", &text))
		overview_cell(groups, row, "status", &text);
	page_put(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_PLAIN, buf_text(&text));
	SCOPED_BUF function = {0};
	shorten_to(overview_cell(groups, row, "function", &text), WHERE_WIDTH, &function);
	page_put(page, PAGE_REST, WHERE, STYLE_LINK, buf_text(&function));
}

/* Adds the biggest groups, without goroutines of the runtime. */
void overview_groups(struct page *page)
{
	struct overview *overview = page->own;
	if (!overview->groups)
		overview->groups = rows_open(table_find("goroutines-stack"), page->analysis, NULL, NULL);
	const struct rows *groups = overview->groups;
	struct section section = {page, "STACKS"};
	size_t shown = 0;
	for (size_t i = 0; i < groups->count && shown < GROUPS + page->spare; i++)
		if (groups->table->style(groups, i) == ROW_PLAIN) {
			overview_add_group(&section, groups, i);
			shown++;
		}
	overview_more(&section, "goroutines-stack", groups->count, shown, "more stack …",
	              "more stacks …");
}

static void overview_add_statistics(struct page *page, const struct memstats_record *stats)
{
	page_open(page, "memstats");
	for (size_t i = 0; stats->present && i < sizeof memstats_names / sizeof *memstats_names; i++) {
		if (stats->unknown >> i & 1)
			page_null(page, memstats_names[i]);
		else
			page_number(page, memstats_names[i], stats->field[i]);
	}
	if (stats->present && !(stats->unknown & MEMSTATS_PAUSES_UNKNOWN)) {
		page_open_array(page, "PauseNs");
		for (size_t i = 0; i < MEMSTATS_PAUSES; i++)
			page_number(page, NULL, stats->pause_ns[i]);
		page_close(page);
		page_number(page, "NumGC", stats->num_gc);
	}
	page_close(page);
}

/* ---- Sys and its parts */
/* Adds the memory outside of the objects in two lines: stacks, and memory of the system that the
   runtime holds without using it. */
void overview_add_other_memory(struct section *section)
{
	const struct heap *heap = analysis_heap(section->page->analysis);
	uint64_t system, idle, released;
	SCOPED_BUF text = {0};
	if (heap->thread_count) {
		struct thread_stack stacks = heap_stacks(heap);
		buf_addf(&text, "%sstacks of ", stacks.exact ? "" : "at least: ");
		text_add_number_of(&text, heap->thread_count, "goroutine", "goroutines");
		overview_bytes(section, NULL, "goroutines-stack", stacks.bytes, 0, buf_text(&text));
		buf_clear(&text);
	}
	if (memstats_value(&heap->memstats, "Sys", &system)
	    && memstats_value(&heap->memstats, "HeapIdle", &idle)
	    && memstats_value(&heap->memstats, "HeapReleased", &released)) {
		buf_addf(&text, "from the OS; %s idle, %s released", text_size(idle).text,
		         text_size(released).text);
		overview_bytes(section, NULL, "info", system, 0, buf_text(&text));
	}
}

/* Appends a part, if the line has room for it. */
static void accounts_add(struct buf *out, const char *before, uint64_t bytes, const char *name)
{
	SCOPED_BUF part = {0};
	buf_addf(&part, "%s%s %s", before, text_size(bytes).text, name);
	if (text_columns(buf_text(out)) + text_columns(buf_text(&part)) <= ACCOUNTS_COLUMNS)
		buf_add(out, buf_text(&part));
}

void overview_add_other_accounts(const struct heap *heap, struct buf *out)
{
	uint64_t system, bytes = objects_bytes(heap->objects);
	struct memory_residence residence;
	bool resident = memory_residence(heap, &residence);
	if (resident && bytes >= LEAST_TOLD && residence.objects / 9 < bytes / 10) {
		buf_add(out, ", ");
		text_add_share(out, residence.objects, bytes);
		buf_add(out, " resident");
	}
	if (heap->thread_count) {
		struct thread_stack stacks = heap_stacks(heap);
		accounts_add(out, stacks.exact ? " · " : " · at least ", stacks.bytes, "stacks");
	}
	if (memstats_value(&heap->memstats, "Sys", &system))
		accounts_add(out, " · ", system, "from the OS");
	if (resident)
		accounts_add(out, " · ", residence.all, "RSS");
}

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
	uint64_t whole = 0;
	if (heap_has(analysis_heap(page->analysis), PART_GO))
		overview_add_statistics(page, stats);
	if (!stats->present)
		return;
	if (memstats_value(stats, "Sys", &whole))
		overview_bytes(&section, NULL, "info", whole, 0, "from the system (memstats: Sys)");
	else
		whole = 0;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		uint64_t bytes = 0, summand = 0;
		bool known = true;
		for (size_t k = 0; k < SUMMANDS && parts[i].field[k]; k++) {
			known &= memstats_value(stats, parts[i].field[k], &summand);
			bytes += summand;
		}
		if (known)
			overview_bytes(&section, NULL, "info", bytes, whole, parts[i].label);
	}
}

/* Adds the number of records of each kind. */
void overview_records(struct page *page)
{
	const struct heap *heap = analysis_heap(page->analysis);
	const struct overview_number counts[] = {
		{"types", heap->type_count},
		{"itabs", heap->itab_count},
		{"goroutines", heap->thread_count},
		{"system_goroutines", overview_system_goroutines(heap)},
		{"frames", heap->frame_count},
		{"finalizers", heap->finalizer_count - heap->queued_finalizer_count},
		{"queued_finalizers", heap->queued_finalizer_count},
		{"defers", heap->defer_count},
		{"panics", heap->panic_count},
		{"threads", heap->os_thread_count},
		{"profiles", heap->profiles.count},
		{"samples", heap->profiles.sample_count},
	};
	overview_numbers(page, counts, sizeof counts / sizeof *counts);
	struct thread_stack stacks = heap_stacks(heap);
	page_number(page, "stack_bytes", stacks.bytes);
	page_bool(page, "stack_bytes_exact", stacks.exact);
}
