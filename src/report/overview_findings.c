/* The first page: the memory in a line, the worst finding in a sentence, and all findings. */
#include "report/overview.h"

#include "base/text.h"
#include "table/findings/sentence.h"

enum {
	LINES = 11,
	COLUMNS = 77,   /* of a sentence */
	HEADS_LINE = 3, /* so many lines stand before the findings, where that can be */
	HOLDER = 28,    /* the column where it begins */
	FOLDED = 3,     /* the column of rows that are folded into one */
};

/* Adds "19.0 MB heap, 100.0% reachable · 11.9 MB stacks · 136.7 MB from the OS". */
void overview_accounts(struct page *page)
{
	const struct analysis *analysis = page->analysis;
	const struct heap *heap = analysis_heap(analysis);
	uint64_t bytes = objects_bytes(heap_objects(heap));
	SCOPED_BUF text = {0};
	buf_addf(&text, "%s heap", text_size(bytes).text);
	if (analysis_has(analysis, STAGE_REACHED) && analysis_has_roots(analysis)) {
		buf_add(&text, ", ");
		text_add_share(&text, analysis_reach(analysis)->bytes, bytes);
		buf_add(&text, " reachable");
	}
	overview_add_other_accounts(heap, &text);
	page_line(page, NULL);
	page_paragraph(page, OVERVIEW_LABEL, STYLE_PLAIN, buf_text(&text));
}

bool overview_find_findings(struct page *page, struct progress *progress)
{
	struct overview *own = page->own;
	struct err err = {0};
	if (!analysis_has_roots(page->analysis))
		return true;
	own->findings = rows_open_watched(table_find("findings"), page->analysis, NULL, progress, &err);
	return own->findings != NULL;
}

/* Adds "could be saved: up to 2.8 MB". */
static void findings_add_recoverable(struct page *page, const struct rows *rows)
{
	SCOPED_BUF text = {0};
	uint64_t all = 0;
	for (size_t row = 0; row < rows->count; row++)
		all += rows_number(rows, row, "recoverable_bytes").number;
	if (!all)
		return;
	buf_addf(&text, "could be saved: up to %s", text_size(all).text);
	page_line(page, NULL);
	page_paragraph(page, OVERVIEW_LABEL, STYLE_PLAIN, buf_text(&text));
}

static void findings_put_sentence(struct page *page, const struct rows *rows)
{
	SCOPED_BUF text = {0};
	bool screen = page->form == FORM_SCREEN;
	int room = HEADS_LINE - (int)page->count;
	bool due = findings_add_sentence(rows, !screen ? 0 : room > 1 ? room : 1, COLUMNS, &text);
	if (screen && room < 1 && !due)
		return; /* the lines above say what is wrong, and the first row says the same */
	page_line(page, NULL);
	page_paragraph(page, OVERVIEW_LABEL, due ? STYLE_WARNING : STYLE_PLAIN, buf_text(&text));
}

/* Adds who else holds what a row is about, if its bytes are not all freed with it. */
static bool findings_add_holder(struct page *page, const struct rows *rows, size_t row)
{
	struct value frees = rows_number(rows, row, "frees");
	SCOPED_BUF holder = {0}, text = {0};
	overview_cell(rows, row, "also_held_by", &holder);
	buf_addf(&text, "also held by %s", buf_text(&holder));
	if (!holder.len || frees.kind == VALUE_NONE
	    || frees.number >= rows_number(rows, row, "bytes").number)
		return false;
	page_line(page, NULL);
	page_put(page, PAGE_REST, HOLDER, STYLE_FAINT, buf_text(&text));
	return true;
}

static void findings_put_rows(struct page *page, const struct rows *rows)
{
	size_t lines = LINES + page->spare, large = findings_count_large(rows);
	if (page->form != FORM_SCREEN) {
		page_rows(page, rows, 0, rows->count, rows->count, "findings");
		return;
	}
	large = large < lines ? large : lines;
	page_rows_under(page, rows, large, "findings", findings_add_holder, lines - large);
	if (large == rows->count)
		return;
	SCOPED_BUF text = {0};
	text_add_count(&text, rows->count - large);
	findings_add_rest(rows, large, &text);
	page_line(page, "findings");
	page_put(page, PAGE_LEFT, FOLDED, STYLE_LINK, buf_text(&text));
}

void overview_findings(struct page *page)
{
	const struct overview *own = page->own;
	const struct rows *rows = own->findings;
	if (!rows) {
		page_null(page, "findings");
		return;
	}
	page_table(page, "findings", rows);
	if (page->form & FORM_PEOPLE && rows->count)
		findings_put_sentence(page, rows);
	findings_put_rows(page, rows);
	if (page->form & FORM_PEOPLE)
		findings_add_recoverable(page, rows);
}
