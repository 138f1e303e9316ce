/* What the sections of the overview are written with. */
#include "ui/overview.h"

#include "base/text.h"

struct page *overview_line(struct section *section, const char *link)
{
	page_line(section->page, link);
	page_put(section->page, PAGE_LEFT, OVERVIEW_LABEL, STYLE_HEAD, section->label);
	section->label = "";
	return section->page;
}

/* "   298.1 MB   95.4%  reachable               ███" */
void overview_bytes(struct section *section, const char *link, uint64_t bytes, uint64_t whole,
                    const char *name)
{
	struct page *page = overview_line(section, link);
	page_size(page, OVERVIEW_NUMBER, bytes);
	page_share(page, OVERVIEW_SHARE, bytes, whole);
	page_put(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_LINK, name);
	if (whole)
		page_bar(page, OVERVIEW_BAR, bytes, whole);
}

void overview_count(struct section *section, const char *link, uint64_t count, uint64_t whole,
                    const char *name)
{
	struct page *page = overview_line(section, link);
	page_count(page, OVERVIEW_NUMBER, count);
	page_share(page, OVERVIEW_SHARE, count, whole);
	page_put(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_LINK, name);
}

void overview_more(struct section *section, const char *link, uint64_t all, uint64_t shown,
                   const char *name)
{
	if (all > shown)
		overview_count(section, link, all - shown, 0, name);
}

/* A cell of a table by the name of its column. */
const char *overview_cell(const struct rows *rows, size_t row, const char *column, struct buf *text)
{
	buf_clear(text);
	rows_text(rows, row, table_column(rows->table, column), text);
	return buf_text(text);
}
