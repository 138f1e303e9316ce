/* The first page: the memory in a line, the worst finding in a sentence, and all findings. */
#include "report/overview.h"

#include "base/text.h"
#include "heap/heap.h"
#include "table/naming/shorten.h"

#include <string.h>

enum {
	LINES = 11,
	MUCH = 10,  /* percent of the reachable bytes: what stands out */
	MANY = 100, /* objects or threads that can never run: so many stand out, too */
	SHOWN = 56, /* columns of a place in the sentence */
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

/* Returns the bytes of all rows of the kind of a row that could be saved; 0 if an earlier row is of
   that kind. */
static uint64_t findings_recoverable(const struct rows *rows, size_t row)
{
	uint64_t sum = 0;
	SCOPED_BUF kind = {0}, other = {0};
	overview_cell(rows, row, "kind", &kind);
	for (size_t i = 0; i < rows->count; i++)
		if (strcmp(overview_cell(rows, i, "kind", &other), buf_text(&kind)) == 0) {
			if (i < row) {
				sum = 0;
				break;
			}
			sum += rows_number(rows, i, "recoverable_bytes").number;
		}
	return sum;
}

/* Adds "could be saved: up to 2.8 MB (unused capacity 1.7 MB, duplicates 0.5 MB)". */
static void findings_add_recoverable(struct page *page, const struct rows *rows)
{
	SCOPED_BUF parts = {0}, text = {0};
	uint64_t all = 0;
	for (size_t row = 0; row < rows->count; row++) {
		uint64_t bytes = findings_recoverable(rows, row);
		if (!bytes)
			continue;
		all += bytes;
		buf_addf(&parts, "%s%s ", parts.len ? ", " : "", overview_cell(rows, row, "kind", &text));
		text_add_size(&parts, bytes);
	}
	if (all) {
		buf_clear(&text);
		buf_addf(&text, "could be saved: up to %s (%s)", text_size(all).text, buf_text(&parts));
		page_line(page, NULL);
		page_paragraph(page, OVERVIEW_LABEL, STYLE_PLAIN, buf_text(&text));
	}
}

/* ---- The worst finding in a sentence */

/* By kind: {column} is the text of that cell, {threads} "1,500 goroutines"; {frees} is empty if all
   bytes are freed, {kept} is the lesser of both. What stands between brackets is left out if a cell
   in it is empty. */
static const struct {
	const char *kind, *says;
} sentences[] = {
	{"place",
     "{name} keeps {bytes}[, {share} of the reachable heap]: {what}[; only {frees} of these "
     "go with them][, {also_held_by} holds them, too]."},
	{"runtime", "The runtime itself has the most: {bytes} in {name}, {what}."},
	{"growth", "{name} has grown by {bytes} since the oldest earlier dump: {what}."},
	{"lost", "{threads} can never wake up: {name}[; with their stacks, they keep {kept}]."},
	{THREADS_WORD, "{threads} wait at one place: {name}[; with their stacks, they keep {kept}]."},
	{"more " THREADS_WORD, "{threads} more than in the oldest earlier dump wait at one place: "
                           "{name}[; their stacks take {bytes}]."},
	{"stack", "The stack of one " THREAD_WORD " takes {bytes}: {name}."},
	{NULL, "Worth a look: {what}[, {bytes}][: {name}]. {why}."},
};

static bool sentence_frees_less(const struct rows *rows, size_t row)
{
	SCOPED_BUF text = {0};
	return *overview_cell(rows, row, "frees", &text)
	       && rows_number(rows, row, "frees").number < rows_number(rows, row, "bytes").number;
}

static void sentence_add_cell(const struct rows *rows, size_t row, const char *column,
                              struct buf *out)
{
	SCOPED_BUF text = {0};
	if (strcmp(column, "threads") == 0)
		text_add_number_of(out, rows_number(rows, row, "count").number, THREAD_WORD, THREADS_WORD);
	else if (strcmp(column, "kept") == 0)
		buf_add(out, overview_cell(rows, row, sentence_frees_less(rows, row) ? "frees" : "bytes",
		                           &text));
	else if (strcmp(column, "frees") == 0 && !sentence_frees_less(rows, row))
		return;
	else if (strcmp(column, "name") == 0 || strcmp(column, "also_held_by") == 0)
		shorten_to(overview_cell(rows, row, column, &text), SHOWN, out);
	else
		buf_add(out, overview_cell(rows, row, column, &text));
}

/* Appends a pattern with the cells of a row for its {columns}. */
static void sentence_add(const struct rows *rows, size_t row, const char *says, struct buf *out)
{
	size_t start = out->len;
	bool lacks = false;
	for (const char *at = says; *at; at++) {
		SCOPED_BUF column = {0};
		size_t before = out->len, length = strcspn(at, "}");
		if (*at == '[') {
			start = out->len;
			lacks = false;
		} else if (*at == ']' && lacks) {
			buf_truncate(out, start);
		} else if (*at == '{') {
			buf_add_bytes(&column, at + 1, length - 1);
			sentence_add_cell(rows, row, buf_text(&column), out);
			lacks = lacks || out->len == before;
			at += length;
		} else if (*at != ']') {
			buf_add_char(out, *at);
		}
	}
}

/* Returns true if a finding with a mark that is no waste stands out. */
static bool sentence_is_due(const struct rows *rows, size_t row, uint64_t whole)
{
	SCOPED_BUF text = {0};
	const char *mark = overview_cell(rows, row, "mark", &text);
	return *mark && *mark != '~'
	       && (rows_number(rows, row, "bytes").number >= whole / 100 * MUCH
	           || rows_number(rows, row, "count").number >= MANY);
}

/* Adds what the worst finding is: what grew, what can never wake up or run, or else the first. */
static void findings_add_sentence(struct page *page, const struct rows *rows)
{
	uint64_t whole = analysis_reach(page->analysis)->bytes;
	size_t row = 0, kind = 0;
	SCOPED_BUF text = {0};
	while (row < rows->count && !sentence_is_due(rows, row, whole))
		row++;
	bool due = row < rows->count;
	row = due ? row : 0;
	overview_cell(rows, row, "kind", &text);
	while (sentences[kind].kind && strcmp(sentences[kind].kind, buf_text(&text)) != 0)
		kind++;
	bool small = !due && rows_number(rows, row, "bytes").number < whole / 100 * MUCH;
	buf_clear(&text);
	if (small) {
		buf_add(&text, "Nothing stands out: the largest finding has ");
		text_add_share(&text, rows_number(rows, row, "bytes").number, whole);
		buf_add(&text, " of the reachable heap.");
	} else {
		sentence_add(rows, row, sentences[kind].says, &text);
	}
	page_line(page, NULL);
	page_paragraph(page, OVERVIEW_LABEL, due ? STYLE_WARNING : STYLE_PLAIN, buf_text(&text));
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
		findings_add_sentence(page, rows);
	page_rows(page, rows, 0, rows->count,
	          page->form == FORM_SCREEN ? LINES + page->spare : rows->count, "findings");
	if (page->form & FORM_PEOPLE)
		findings_add_recoverable(page, rows);
}
