/* The first page: what uses the memory, what the threads do, and what is wrong with the file.
   The explorer shows it before anything is read, and it fills as stages finish. */
#include "report/overview.h"

#include "analysis/damage.h"
#include "analysis/input_state.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"

#include <inttypes.h>
#include <stdlib.h>

enum { WARNINGS = 10 }; /* lines of long lists; a link leads to the rest */

/* ---- Helpers of the sections */

struct page *overview_line(struct section *section, const char *link)
{
	page_line(section->page, link);
	page_put(section->page, PAGE_LEFT, OVERVIEW_LABEL, STYLE_HEAD, section->label);
	section->label = "";
	return section->page;
}

/* Adds a number with page_size or page_count, its share of the whole, and its name. */
static struct page *overview_number(struct section *section, const char *key, const char *link,
                                    uint64_t number, uint64_t whole, const char *name,
                                    void (*put)(struct page *page, int right, uint64_t number))
{
	if (key)
		page_number(section->page, key, number);
	struct page *page = overview_line(section, link);
	put(page, OVERVIEW_NUMBER, number);
	page_share(page, OVERVIEW_SHARE, number, whole);
	page_put(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_LINK, name);
	return page;
}

void overview_bytes(struct section *section, const char *key, const char *link, uint64_t bytes,
                    uint64_t whole, const char *name)
{
	struct page *page = overview_number(section, key, link, bytes, whole, name, page_size);
	if (whole)
		page_bar(page, OVERVIEW_BAR, bytes, whole);
}

void overview_count(struct section *section, const char *key, const char *link, uint64_t count,
                    uint64_t whole, const char *name)
{
	overview_number(section, key, link, count, whole, name, page_count);
}

void overview_part(struct section *section, const char *link, uint64_t bytes, uint64_t whole,
                   const char *name)
{
	struct page *page = overview_line(section, link);
	page_size(page, OVERVIEW_NUMBER, bytes);
	page_share(page, OVERVIEW_SHARE, bytes, whole);
	page_put(page, PAGE_REST, OVERVIEW_TEXT, STYLE_LINK, name);
}

void overview_row(struct section *section, const struct rows *rows, size_t row, const char *bytes,
                  uint64_t whole, const char *name)
{
	SCOPED_BUF link = {0}, text = {0};
	rows_link(rows, row, &link);
	overview_part(section, link.len ? buf_text(&link) : rows->table->name,
	              rows_number(rows, row, bytes).number, whole,
	              overview_cell(rows, row, name, &text));
}

void overview_more(struct section *section, const char *link, uint64_t all, uint64_t shown,
                   const char *one, const char *many)
{
	if (all > shown)
		overview_count(section, NULL, link, all - shown, 0, all - shown == 1 ? one : many);
}

const char *overview_cell(const struct rows *rows, size_t row, const char *column, struct buf *text)
{
	buf_clear(text);
	rows_text(rows, row, table_column(rows->table, column), text);
	return buf_text(text);
}

void overview_numbers(struct page *page, const struct overview_number *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		page_number(page, numbers[i].key, numbers[i].number);
}

/* ---- Progress, and what is wrong with the file */

/* Shows what is still in progress, or why the analysis has stopped. */
static void overview_progress(struct page *page)
{
	const struct analysis *analysis = page->analysis;
	struct err err = {0};
	if (analysis_failed(analysis, &err)) {
		SCOPED_BUF text = {0};
		buf_addf(&text, "%s.", err.text);
		page_line(page, NULL);
		page_paragraph(page, OVERVIEW_LABEL, STYLE_WARNING, buf_text(&text));
	} else if (!analysis_done(analysis)) {
		page_line(page, NULL);
		page_put(page, PAGE_LEFT, OVERVIEW_LABEL, STYLE_FAINT, "Computing:");
		enum stage first = analysis_lacks(analysis, STAGE_ALL);
		for (unsigned next = first; next && next < STAGE_ALL; next <<= 1)
			page_putf(page, PAGE_NEXT, 0, STYLE_FAINT, "%s %s", next > first ? "," : "",
			          next == STAGE_READ && analysis_estimate(analysis)
			              ? "exact numbers"
			              : stage_name((enum stage)next));
	}
}

uint64_t overview_warnings(const struct heap *heap)
{
	return heap->warning_count + heap->warnings_dropped;
}

/* Adds a warning: what is wrong, where, and what was skipped. */
static void overview_add_warning(struct page *page, const struct warning *warning)
{
	SCOPED_BUF text = {0};
	page_open(page, NULL);
	if (warning->offset == ERR_NO_OFFSET)
		page_null(page, "offset");
	else
		page_number(page, "offset", warning->offset);
	page_string(page, "text", warning->text);
	page_close(page);
	if (warning->offset != ERR_NO_OFFSET)
		buf_addf(&text, "At byte %" PRIu64 ": ", warning->offset);
	buf_addf(&text, "%s.", warning->text);
	page_line(page, "warnings");
	page_paragraph(page, OVERVIEW_LABEL + 2, STYLE_WARNING, buf_text(&text));
}

static void overview_condition(struct page *page)
{
	const struct heap *heap = analysis_heap(page->analysis);
	struct section section = {page, "FILE"};
	uint64_t warnings = overview_warnings(heap);
	overview_count(&section, NULL, "warnings", warnings, 0, warnings == 1 ? "warning" : "warnings");
	page_number(page, "warnings_dropped", heap->warnings_dropped);
	page_open_array(page, "warnings");
	for (uint32_t i = 0; i < heap->warning_count; i++)
		if (i < WARNINGS || page->form & FORM_PROGRAMS)
			overview_add_warning(page, &heap->warnings[i]);
	page_close(page);
	overview_more(&section, "warnings", warnings, WARNINGS, "more warning …", "more warnings …");
	const char *meaning;
	for (size_t i = 0; (meaning = damage_meaning(heap, i)); i++) {
		page_line(page, "warnings");
		page_paragraph(page, OVERVIEW_LABEL + 2, STYLE_WARNING, meaning);
	}
	overview_more(&section, "warnings", heap->ghosts, 0, "slot without an object, left out",
	              "slots without an object, left out");
	/* Before STAGE_LINKED, they are still being counted. */
	uint64_t dangling = analysis_has(page->analysis, STAGE_LINKED) ? heap->dangling_count : 0;
	bool memory = heap_has(heap, PART_MEMORY);
	overview_more(&section, "warnings", dangling, 0,
	              memory ? "pointer into the heap where no object is"
	                     : "reference to an object that is not in the file",
	              memory ? "pointers into the heap where no object is"
	                     : "references to objects that are not in the file");
}

/* Says whether the input is intact and unchanged. */
static void overview_state(struct page *page)
{
	struct input_state state = input_state_of(page->analysis);
	page_bool(page, "whole", state.whole);
	page_string(page, "state", state.text.len ? buf_text(&state.text) : NULL);
	input_state_fini(&state);
}

/* ---- Report: two pages of the screen */

static bool overview_begin(struct page *page, bool accounts)
{
	struct overview *own = page->own = mem_alloc(sizeof *own);
	own->is_accounts = accounts;
	buf_add(&page->title, accounts ? "Accounts" : "Overview");
	return true;
}

static bool overview_open(struct page *page, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	return overview_begin(page, false);
}

static bool accounts_open(struct page *page, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	return overview_begin(page, true);
}

/* On the screen, what is found and what is wrong is the first page, and the accounts are the
   second. What has no findings has all on both. Other forms have one page. */
static bool overview_is_first(const struct page *page)
{
	const struct overview *own = page->own;
	return page->form != FORM_SCREEN || !own->is_accounts;
}

static bool overview_is_second(const struct page *page)
{
	const struct overview *own = page->own;
	return page->form != FORM_SCREEN || own->is_accounts
	       || !heap_has(analysis_heap(page->analysis), PART_OBJECTS);
}

/* The first page of a process says what looking at it has cost. */
static bool overview_has_file(const struct page *page)
{
	return overview_is_second(page) || analysis_heap(page->analysis)->input->pid;
}

static void overview_close(struct page *page)
{
	struct overview *own = page->own;
	rows_close(own->groups);
	rows_close(own->heaps);
	rows_close(own->allocators);
	rows_close(own->owners);
	rows_close(own->types);
	rows_close(own->findings);
	free(own->order);
}

/* Says that what a section shows is still being found, or was given up. */
static void overview_wait(const struct report_section *section, struct page *page, bool given_up)
{
	struct section lines = {page, section->label};
	overview_line(&lines, section->table);
	page_put(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_FAINT,
	         given_up ? section->given_up : section->meanwhile);
}

/* From top to bottom, each as soon as its stage is finished, if the dump has such parts. */
static const struct report_section overview_sections[] = {
	{overview_file, FORM_ALL, .needs = STAGE_READ, .fits = overview_has_file},
	{overview_accounts, FORM_PEOPLE, .needs = STAGE_READ, .parts = PART_OBJECTS,
     .fits = overview_is_first},
	{overview_truncated, FORM_PEOPLE, .needs = STAGE_READ, .fits = overview_is_first},
	{overview_fork, FORM_ALL, .needs = STAGE_READ, .fits = overview_is_first},
	{overview_snapshot, FORM_ALL, .needs = STAGE_READ, .fits = overview_is_second},
	{overview_unread, FORM_ALL, .needs = STAGE_READ, .parts = PART_PROCESS,
     .fits = overview_is_first},
	{overview_names, FORM_ALL, .needs = STAGE_NAMED},
	{overview_crash, FORM_ALL, .needs = STAGE_NAMED, .wants = STAGE_TYPED, .parts = PART_GO,
     .fits = overview_is_first},
	{overview_cgo, FORM_ALL, .needs = STAGE_NAMED, .parts = PART_GO, .fits = overview_is_second},
	{.add = overview_progress, .forms = FORM_SCREEN},
	{.add = overview_estimate, .forms = FORM_SCREEN, .fits = overview_is_first},
	{overview_state, FORM_PROGRAMS, .needs = STAGE_READ},
	{overview_domains, FORM_ALL, .needs = STAGE_READ, .parts = PART_TYPES,
     .fits = overview_is_second},
	{overview_heaps, FORM_ALL, .needs = STAGE_READ, .fits = overview_is_second},
	{overview_growth, FORM_PEOPLE, .needs = STAGE_REACHED, .parts = PART_OBJECTS,
     .fits = overview_is_first},
	{overview_unreachable, FORM_PEOPLE, .needs = STAGE_REACHED, .parts = PART_OBJECTS,
     .fits = overview_is_first},
	{overview_deadlock, FORM_SCREEN, .needs = STAGE_NAMED | STAGE_REVERSED, .parts = PART_GO,
     .fits = overview_is_first, .prepare = overview_find_lost},
	{overview_findings, FORM_ALL, .needs = STAGE_ALL, .parts = PART_OBJECTS,
     .fits = overview_is_first, .prepare = overview_find_findings, .wait = overview_wait,
     .label = "FINDINGS", .table = "findings", .meanwhile = "are being computed",
     .given_up = "have not been found"},
	{overview_unrecorded, FORM_PEOPLE, .needs = STAGE_REACHED, .parts = PART_OBJECTS,
     .fits = overview_is_first},
	{overview_heap, FORM_ALL, .needs = STAGE_READ, .wants = STAGE_OWNED, .parts = PART_OBJECTS,
     .fits = overview_is_second},
	{overview_owners, FORM_PEOPLE, .needs = STAGE_ALL, .parts = PART_OBJECTS,
     .fits = overview_is_second, .prepare = overview_find_owners, .wait = overview_wait,
     .label = "OWNERS", .table = "owners", .meanwhile = "are being computed",
     .given_up = "have not been found"},
	{overview_threads, FORM_PEOPLE, .needs = STAGE_READ, .parts = PART_GO,
     .fits = overview_is_second},
	{overview_lost, FORM_ALL, .needs = STAGE_NAMED | STAGE_REVERSED, .parts = PART_GO,
     .fits = overview_is_second, .prepare = overview_find_lost},
	{overview_groups, FORM_PEOPLE, .needs = STAGE_NAMED, .parts = PART_GO,
     .fits = overview_is_second},
	{overview_records, FORM_PROGRAMS, .needs = STAGE_READ, .parts = PART_GO},
	{overview_types, FORM_ALL, .needs = STAGE_REACHED | STAGE_TYPED, .parts = PART_OBJECTS,
     .fits = overview_is_second, .prepare = overview_count_types, .wait = overview_wait,
     .label = "TYPES", .table = "types", .meanwhile = "are being counted",
     .given_up = "have not been counted"},
	{overview_sizes, FORM_PEOPLE, .needs = STAGE_READ, .parts = PART_OBJECTS,
     .fits = overview_is_second},
	{overview_roots, FORM_ALL, .needs = STAGE_LINKED, .parts = PART_OBJECTS,
     .fits = overview_is_second},
	{overview_memory, FORM_ALL, .needs = STAGE_READ, .fits = overview_is_second},
	{overview_condition, FORM_ALL, .needs = STAGE_READ, .fits = overview_is_second},
	{0},
};

DEFINE_PLUGIN(reports, struct report, report_overview) = {
	.name = "overview",
	.subcommand = "info",
	.rank = 10,
	.help = "What is worth a look: what is wrong, the worst finding in a sentence, all findings",
	.prints = "Report what is in the dump: findings, totals, roots, " THREADS_WORD
			  ", statistics, warnings",
	.explain =
		"The first line: all objects by the size of their slots, and how many bytes of them are "
		"reachable; stacks; what the runtime has from the operating system\n"
		"WHAT GREW: the change of all reachable bytes since the oldest earlier dump\n"
		"The sentence says what the worst finding is: what has grown, else much that can never "
		"wake up or run, else the largest place\n"
		"findings: what is worth a look, the largest first: what has grown since the oldest "
		"earlier dump (+); places that hold at least 1 % of the reachable bytes; " THREADS_WORD
		" that pile up, with their stacks; what can never wake up or run (!); what is not used "
		"(~). Rows may count the same bytes. Enter opens the set of a row. "
		"One row stands for those below 1 %, or 10 % if of the runtime or libraries\n"
		"SAMPLES: for a large dump, until it is read: an estimate of its contents with its error "
		"in 19 of 20 dumps, and the sizes of objects that take the most bytes\n",
	.sections = overview_sections,
	.open = overview_open,
	.close = overview_close,
};

DEFINE_PLUGIN(reports, struct report, report_accounts) = {
	.name = "accounts",
	.rank = 90,
	.parts = PART_OBJECTS,
	.help = "What uses the memory, by owner, type and size, what the " THREADS_WORD
			" do, and the file",
	.explain =
		"HEAP: all objects in the dump, by the size of their slots\n"
		"reachable: there is a path to it from a root in the dump\n"
		"unreachable: the collector would free it, unless something keeps it alive that heap "
		"dumps do not record: arguments of runtime.AddCleanup and weak handles, since Go 1.24\n"
		"OWNERS: variables, " THREADS_WORD " and others, with the bytes that each owns; a set that "
		"several share is freed only when all of them release it\n"
		"GOROUTINES: by state, or by what they wait for\n"
		"can never wake up: nothing that can still run reaches what they wait on; with the bytes "
		"of their stacks and of the objects that only they keep alive\n"
		"STACKS: " THREADS_WORD " with the same stack, state and wait reason: their number, the "
		"longest wait, what they wait for, and where\n"
		"TYPES: the types whose objects take the most bytes\n"
		"SIZES: the slot sizes that take the most bytes\n"
		"ROOTS: pointers to objects from global variables (data, bss), stack frames, finalizers, "
		"deferred calls and panics\n"
		"MEMORY: the runtime's memory from the operating system when the dump began, by use\n"
		"FILE: errors in the file, their offsets, what was skipped, and what that means\n",
	.sections = overview_sections,
	.open = accounts_open,
	.close = overview_close,
};
