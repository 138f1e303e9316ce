/* Overview: heaps by call stack, where there are no objects; each leads to its breakdown. */
#include "ui/overview.h"

enum { HEAPS = 12 }; /* lines */

static void overview_heaps_add_heap(struct section *section, const struct rows *heaps, size_t row)
{
	struct buf link = {0}, text = {0};
	rows_link(heaps, row, &link);
	struct page *page = overview_line(section, buf_text(&link));
	page_size(page, OVERVIEW_NUMBER, rows_number(heaps, row, "size").number);
	page_putf(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_LINK, "%s",
	          overview_cell(heaps, row, "allocator", &text));
	page_putf(page, PAGE_NEXT, 0, STYLE_PLAIN, " of process %s",
	          overview_cell(heaps, row, "process", &text));
	page_putf(page, PAGE_NEXT, 0, STYLE_PLAIN, ", dump %s",
	          overview_cell(heaps, row, "dump", &text));
	buf_free(&link);
	buf_free(&text);
}

void overview_heaps(struct overview *overview)
{
	struct page *page = &overview->page;
	struct section section = {page, "HEAPS"};
	if (analysis_heap(overview->analysis)->format->has & HAS_OBJECTS)
		return;
	if (!overview->heaps)
		overview->heaps = rows_open(table_find("heaps"), overview->analysis, NULL, NULL);
	const struct rows *heaps = overview->heaps;
	overview_count(&section, "heaps", heaps->count, 0, "heaps by call stack");
	for (size_t i = 0; i < heaps->count && i < HEAPS; i++)
		overview_heaps_add_heap(&section, heaps, i);
	overview_more(&section, "heaps", heaps->count, HEAPS, "more heaps …");
	if (!heaps->count) {
		page_line(page, NULL);
		page_paragraph(page, OVERVIEW_LABEL, STYLE_PLAIN, buf_text(&heaps->note));
	}
}
