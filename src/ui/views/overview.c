/* The first screen: what uses the memory, what the goroutines do, and what is wrong with the file.
   It is up before anything has been read, and fills as the stages of the analysis arrive. */
#include "ui/view.h"

#include "analysis/damage.h"
#include "base/mem.h"
#include "base/text.h"
#include "table/typed.h"
#include "ui/page.h"
#include "ui/tally.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	LABEL = 1, NUMBER = 22, SHARE = 31, TEXT = 33, /* columns: starts, ends, ends, starts */
	WHERE = 50, WHERE_WIDTH = 30, BAR = 59,
	/* Lines of what may be long; the rest is a link away. */
	STATES = 4, GROUPS = 5, SIZES = 4, TYPES = 6, WARNINGS = 10
};

struct overview {
	struct page page;    /* first: see ui/page.h */
	struct rows *groups; /* NULL until STAGE_NAMED */
	struct rows *types;  /* NULL until STAGE_TYPED, and without types */
	uint32_t *types_order; /* by bytes */
	struct typed_totals typed;
};

/* Lines with a label before the first. */
struct section {
	struct page *page;
	const char *label;
};

static struct page *begin(struct section *section, const char *link)
{
	page_line(section->page, link);
	page_put(section->page, PAGE_LEFT, LABEL, STYLE_HEAD, section->label);
	section->label = "";
	return section->page;
}

/* "   298.1 MB   95.4%  reachable               ███" */
static void add_bytes(struct section *section, const char *link, uint64_t bytes, uint64_t whole,
                      const char *name)
{
	struct page *page = begin(section, link);
	page_size(page, NUMBER, bytes);
	page_share(page, SHARE, bytes, whole);
	page_put(page, PAGE_LEFT, TEXT, STYLE_LINK, name);
	if (whole)
		page_bar(page, BAR, bytes, whole);
}

static void add_count(struct section *section, const char *link, uint64_t count, uint64_t whole,
                      const char *name)
{
	struct page *page = begin(section, link);
	page_count(page, NUMBER, count);
	page_share(page, SHARE, count, whole);
	page_put(page, PAGE_LEFT, TEXT, STYLE_LINK, name);
}

static void add_more(struct section *section, const char *link, uint64_t all, uint64_t shown,
                     const char *name)
{
	if (all > shown)
		add_count(section, link, all - shown, 0, name);
}

/* "go1.7 heap dump of go1.24.4, amd64, 64-bit little-endian, 11.0 MB, complete" */
static void add_file(struct page *page, const struct heap *heap)
{
	const struct params_record *params = &heap->params;
	struct buf text = {0};
	buf_addf(&text, "%s heap dump", heap->format->name);
	if (params->version.len)
		buf_add(&text, " of ");
	text_add_visible(&text, params->version.data, params->version.len, 60);
	buf_add(&text, ", ");
	text_add_visible(&text, params->arch.data, params->arch.len, 30);
	buf_addf(&text, " %d-bit %s-endian, ", params->layout.pointer_size * 8,
	         params->layout.big_endian ? "big" : "little");
	text_add_size(&text, heap->input->size);
	buf_add(&text, heap->complete ? ", complete" : "");
	page_line(page, NULL);
	page_put(page, PAGE_REST, LABEL, STYLE_PLAIN, buf_text(&text));
	buf_free(&text);
	if (heap->complete)
		return;
	page_line(page, "warnings");
	page_put(page, PAGE_REST, LABEL, STYLE_WARNING,
	         "The file is cut: its end record is missing, and whatever came before that.");
}

/* Which executable the names come from, or why there are none. */
static void add_names(struct page *page, const struct names *names)
{
	struct buf text = {0};
	names_explain(names, &text);
	page_line(page, NULL);
	page_paragraph(page, LABEL, names->refused.len ? STYLE_WARNING : STYLE_FAINT, buf_text(&text));
	buf_free(&text);
}

/* What is still being worked on, or why nothing more will come. */
static void add_progress(struct page *page, const struct analysis *analysis)
{
	struct err err = {0};
	enum stage stage = analysis_stage(analysis);
	if (analysis_failed(analysis, &err)) {
		page_line(page, NULL);
		page_putf(page, PAGE_REST, LABEL, STYLE_WARNING, "%s.", err.text);
	} else if (!analysis_done(analysis)) {
		page_line(page, NULL);
		page_put(page, PAGE_LEFT, LABEL, STYLE_FAINT, "Still to come:");
		for (int next = (int)stage + 1; next < STAGE_COUNT; next++)
			page_putf(page, PAGE_NEXT, 0, STYLE_FAINT, "%s %s", next > (int)stage + 1 ? "," : "",
			          stage_name((enum stage)next));
	}
}

static void add_heap(struct page *page, const struct analysis *analysis)
{
	struct section section = {page, "HEAP"};
	uint64_t bytes = objects_bytes(analysis->heap->objects);
	uint64_t count = heap_object_count(analysis->heap);
	struct buf name = {0};
	text_add_count(&name, count);
	buf_add(&name, " objects");
	add_bytes(&section, "objects", bytes, 0, buf_text(&name));
	buf_free(&name);
	if (analysis_stage(analysis) < STAGE_REACHED)
		return;
	const struct reach *reach = analysis->reach;
	if (!reach->known) {
		begin(&section, "warnings");
		page_put(page, PAGE_LEFT, TEXT, STYLE_WARNING, "no roots: what is alive cannot be told");
		return;
	}
	add_bytes(&section, "objects reachable", reach->bytes, bytes, "reachable");
	add_bytes(&section, "unreachable", bytes - reach->bytes, bytes, "no root in the dump");
}

static void add_goroutines(struct page *page, const struct analysis *analysis)
{
	struct section section = {page, "GOROUTINES"};
	struct tally tally;
	uint64_t all = analysis->heap->goroutine_count, shown = 0;
	struct buf name = {0};
	tally_goroutines(&tally, analysis->groups, analysis->heap);
	text_add_count(&name, analysis->groups->count);
	buf_add(&name, " different stacks");
	add_count(&section, "groups", all, 0, buf_text(&name));
	for (size_t i = 0; i < tally.count && i < STATES; i++) {
		buf_clear(&name);
		tally_name(&tally.row[i], &name);
		add_count(&section, "goroutines", tally.row[i].count, all, buf_text(&name));
		shown += tally.row[i].count;
	}
	add_more(&section, "goroutines", all, shown, "in other states …");
	buf_free(&name);
}

/* A cell of a table by the name of its column. */
static const char *cell(const struct rows *rows, size_t row, const char *column, struct buf *text)
{
	buf_clear(text);
	rows_text(rows, row, table_column(rows->table, column), text);
	return buf_text(text);
}

/* A function without the folders of its package, where its whole name is too long to be seen. */
static const char *short_name(const char *function)
{
	const char *name = function;
	size_t package = strcspn(function, "(");
	for (size_t i = 0; canvas_columns(function) > WHERE_WIDTH && i < package && function[i]; i++)
		if (function[i] == '/')
			name = function + i + 1;
	return name;
}

static void add_group(struct section *section, const struct rows *groups, size_t row)
{
	struct buf text = {0};
	groups->table->link(groups, row, &text);
	struct page *page = begin(section, buf_text(&text));
	page_put(page, PAGE_RIGHT, NUMBER, STYLE_PLAIN, cell(groups, row, "count", &text));
	page_put(page, PAGE_RIGHT, SHARE, STYLE_PLAIN, cell(groups, row, "waited", &text));
	if (!*cell(groups, row, "wait_reason", &text))
		cell(groups, row, "status", &text);
	page_put(page, PAGE_LEFT, TEXT, STYLE_PLAIN, buf_text(&text));
	page_put(page, PAGE_REST, WHERE, STYLE_LINK,
	         short_name(cell(groups, row, "function", &text)));
	buf_free(&text);
}

/* The biggest groups, without the runtime's own goroutines. */
static void add_groups(struct page *page, const struct rows *groups)
{
	struct section section = {page, "STACKS"};
	size_t shown = 0;
	for (size_t i = 0; i < groups->count && shown < GROUPS; i++)
		if (groups->table->style(groups, i) == ROW_PLAIN) {
			add_group(&section, groups, i);
			shown++;
		}
	add_more(&section, "groups", groups->count, shown, "more stacks …");
}

static int most_bytes_first(const void *a, const void *b)
{
	const struct objects_size_row *x = a, *y = b;
	uint64_t left = x->size * x->count, right = y->size * y->count;
	if (left != right)
		return left < right ? 1 : -1;
	return x->size < y->size ? -1 : x->size > y->size;
}

static void add_size(struct section *section, const struct objects_size_row *row, uint64_t whole)
{
	struct buf name = {0}, link = {0};
	text_add_count(&name, row->count);
	buf_add(&name, " of ");
	text_add_size(&name, row->size);
	buf_addf(&link, "objects size=%" PRIu64, row->size);
	add_bytes(section, buf_text(&link), row->size * row->count, whole, buf_text(&name));
	buf_free(&name);
	buf_free(&link);
}

static void add_sizes(struct page *page, const struct heap *heap)
{
	struct section section = {page, "SIZES"};
	size_t count = objects_sizes(heap->objects, NULL, 0);
	struct objects_size_row *rows = mem_alloc((count + 1) * sizeof *rows);
	objects_sizes(heap->objects, rows, count);
	qsort(rows, count, sizeof *rows, most_bytes_first);
	for (size_t i = 0; i < count && i < SIZES; i++)
		add_size(&section, &rows[i], objects_bytes(heap->objects));
	add_more(&section, "sizes", count, SIZES, "more sizes …");
	free(rows);
}

static void add_type(struct section *section, const struct rows *types, size_t row, uint64_t whole)
{
	struct buf link = {0}, name = {0};
	struct value bytes = {0};
	types->table->link(types, row, &link);
	types->table->cell(types, row, table_column(types->table, "bytes"), &bytes);
	struct page *page = begin(section, buf_text(&link));
	page_size(page, NUMBER, bytes.number);
	page_share(page, SHARE, bytes.number, whole);
	page_put(page, PAGE_REST, TEXT, STYLE_LINK, cell(types, row, "type", &name));
	buf_free(&link);
	buf_free(&name);
}

/* How much has a type, and the types that take most. */
static void add_types(struct page *page, const struct overview *overview,
                      const struct analysis *analysis)
{
	struct section section = {page, "TYPES"};
	const struct reach *reach = analysis->reach;
	uint64_t bytes = reach->bytes - overview->typed.known[KNOWN_NONE].bytes;
	uint64_t objects = reach->objects - overview->typed.known[KNOWN_NONE].objects;
	struct buf text = {0};
	buf_add(&text, "typed, of what is reachable: ");
	text_add_share(&text, objects, reach->objects);
	buf_add(&text, " of the objects");
	begin(&section, "types");
	page_size(page, NUMBER, bytes);
	page_share(page, SHARE, bytes, reach->bytes);
	page_put(page, PAGE_LEFT, TEXT, STYLE_LINK, buf_text(&text));
	for (size_t i = 0; i < overview->types->count && i < TYPES; i++)
		add_type(&section, overview->types, overview->types_order[i],
		         objects_bytes(analysis->heap->objects));
	add_more(&section, "types", overview->types->count, TYPES, "more types …");
	buf_free(&text);
}

static void open_types(struct overview *overview, const struct analysis *analysis)
{
	overview->types = rows_open(table_find("types"), analysis, NULL, NULL);
	overview->types_order =
		rows_sorted(overview->types, overview->types->table->sort, true, NULL);
	overview->typed = typed_totals(analysis);
}

static void add_roots(struct page *page, const struct heap *heap)
{
	struct section section = {page, "ROOTS"};
	add_count(&section, "roots", heap->root_count, 0, "pointers into the heap from outside");
	for (int kind = 0; kind < ROOT_KINDS; kind++) {
		uint32_t count = heap->root_kind_first[kind + 1] - heap->root_kind_first[kind];
		struct buf link = {0};
		buf_addf(&link, "roots %s", root_kind_names[kind]);
		if (count)
			add_count(&section, buf_text(&link), count, heap->root_count, root_kind_names[kind]);
		buf_free(&link);
	}
}

static uint64_t statistic(const struct memstats_record *stats, const char *name)
{
	for (size_t i = 0; i < sizeof stats->field / sizeof *stats->field; i++)
		if (strcmp(memstats_names[i], name) == 0)
			return stats->field[i];
	return 0;
}

/* Sys, and the parts that make it up. */
static void add_memory(struct page *page, const struct memstats_record *stats)
{
	enum { SUMMANDS = 4 };
	static const struct { const char *label, *field[SUMMANDS]; } parts[] = {
		{"heap in use", {"HeapInuse"}},
		{"heap idle", {"HeapIdle"}},
		{"stacks", {"StackSys"}},
		{"spans, caches, GC", {"MSpanSys", "MCacheSys", "BuckHashSys", "GCSys"}},
		{"other", {"OtherSys"}},
	};
	struct section section = {page, "MEMORY"};
	uint64_t whole = statistic(stats, "Sys");
	if (!stats->present)
		return;
	add_bytes(&section, "memstats", whole, 0, "from the system (memstats: Sys)");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		uint64_t bytes = 0;
		for (size_t k = 0; k < SUMMANDS && parts[i].field[k]; k++)
			bytes += statistic(stats, parts[i].field[k]);
		add_bytes(&section, "memstats", bytes, whole, parts[i].label);
	}
}

/* What is wrong, where, and what was skipped. */
static void add_warning(struct page *page, const struct warning *warning)
{
	struct buf text = {0};
	if (warning->offset != ERR_NO_OFFSET)
		buf_addf(&text, "At byte %" PRIu64 ": ", warning->offset);
	buf_addf(&text, "%s.", warning->text);
	page_line(page, "warnings");
	page_paragraph(page, LABEL + 2, STYLE_WARNING, buf_text(&text));
	buf_free(&text);
}

static void add_condition(struct page *page, const struct heap *heap)
{
	struct section section = {page, "FILE"};
	uint64_t warnings = heap->warning_count + heap->warnings_dropped;
	add_count(&section, "warnings", warnings, 0, warnings == 1 ? "warning" : "warnings");
	for (uint32_t i = 0; i < heap->warning_count && i < WARNINGS; i++)
		add_warning(page, &heap->warnings[i]);
	add_more(&section, "warnings", warnings, WARNINGS, "more warnings …");
	const char *meaning;
	for (size_t i = 0; (meaning = damage_meaning(heap, i)); i++) {
		page_line(page, "warnings");
		page_paragraph(page, LABEL + 2, STYLE_WARNING, meaning);
	}
	if (heap->ghosts)
		add_count(&section, "warnings", heap->ghosts, 0, "slots that hold no object, left out");
	if (heap->dangling_count)
		add_count(&section, "warnings", heap->dangling_count, 0, "pointers to where no object is");
}

static void build(struct view *view)
{
	struct overview *overview = view->data;
	const struct analysis *analysis = view->analysis;
	enum stage stage = analysis_stage(analysis);
	struct page *page = &overview->page;
	page_clear(page);
	if (stage >= STAGE_READ)
		add_file(page, analysis->heap);
	if (stage >= STAGE_NAMED)
		add_names(page, analysis->names);
	add_progress(page, analysis);
	if (stage < STAGE_READ)
		return;
	add_heap(page, analysis);
	add_goroutines(page, analysis);
	if (!overview->groups && stage >= STAGE_NAMED)
		overview->groups = rows_open(table_find("groups"), analysis, NULL, NULL);
	if (overview->groups)
		add_groups(page, overview->groups);
	if (!overview->types && analysis_typing(analysis))
		open_types(overview, analysis);
	if (overview->types)
		add_types(page, overview, analysis);
	add_sizes(page, analysis->heap);
	if (stage >= STAGE_LINKED)
		add_roots(page, analysis->heap);
	add_memory(page, &analysis->heap->memstats);
	add_condition(page, analysis->heap);
}

static bool overview_open(struct view *view, struct err *err)
{
	(void)err;
	view->data = mem_alloc(sizeof(struct overview));
	buf_add(&view->title, "Overview");
	build(view);
	return true;
}

static void overview_close(struct view *view)
{
	struct overview *overview = view->data;
	if (!overview)
		return;
	if (overview->groups)
		rows_close(overview->groups);
	rows_close(overview->types);
	free(overview->types_order);
	page_fini(&overview->page);
	free(overview);
	view->data = NULL;
}

static void overview_refresh(struct view *view)
{
	page_view_rebuild(view, build);
}

static void overview_explain(const struct view *view, struct buf *out)
{
	(void)view;
	buf_add(out,
	        "HEAP: all objects in the dump, by the whole slot that each takes\n"
	        "reachable: a path leads to it from a root that the dump tells of\n"
	        "no root in the dump: what the collector will free, or what is held in a way that no dump "
	        "tells of: arguments of runtime.AddCleanup and weak handles, since Go 1.24\n"
	        "GOROUTINES: by state, or by what they wait for\n"
	        "STACKS: goroutines with the same stack, state and wait reason: how many, how long the "
	        "first of them has waited at least, for what, and where\n"
	        "TYPES: the types whose objects take most bytes\n"
	        "SIZES: the slot sizes that take most bytes\n"
	        "ROOTS: pointers to objects from global variables (data, bss), stack frames, "
	        "finalizers, deferred calls and panics\n"
	        "MEMORY: what the runtime had from the system when the dump began, and what for\n"
	        "FILE: what was wrong with it, where, what was skipped, and what that means\n");
}

const struct view_ops view_overview = {
	.name = "overview",
	.help = "What uses the memory, what the goroutines do, and what is wrong with the file",
	.needs = STAGE_NONE,
	.open = overview_open,
	.close = overview_close,
	.rows = page_view_rows,
	.draw = page_view_draw,
	.selectable = page_view_selectable,
	.link = page_view_link,
	.refresh = overview_refresh,
	.explain = overview_explain,
};
