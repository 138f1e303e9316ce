/* Overview: what has a type, and the types that take most bytes. */
#include "ui/overview.h"

#include "base/text.h"

#include <stdlib.h>

enum { TYPES = 6 }; /* lines */

static void overview_types_add_type(struct section *section, const struct rows *types, size_t row,
                                    uint64_t whole)
{
	struct buf link = {0}, name = {0};
	uint64_t bytes = rows_number(types, row, "bytes").number;
	rows_link(types, row, &link);
	struct page *page = overview_line(section, buf_text(&link));
	page_size(page, OVERVIEW_NUMBER, bytes);
	page_share(page, OVERVIEW_SHARE, bytes, whole);
	page_put(page, PAGE_REST, OVERVIEW_TEXT, STYLE_LINK, overview_cell(types, row, "type", &name));
	buf_free(&link);
	buf_free(&name);
}

/* What the allocator has rounded up, of all types. */
static void add_waste(struct section *section, const struct rows *types, uint64_t whole)
{
	uint64_t waste = 0;
	if (rows_column_hidden(types, table_column(types->table, "waste_bytes")))
		return;
	for (size_t row = 0; row < types->count; row++)
		waste += rows_number(types, row, "waste_bytes").number;
	struct page *page = overview_line(section, "types");
	page_size(page, OVERVIEW_NUMBER, waste);
	page_share(page, OVERVIEW_SHARE, waste, whole);
	page_put(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_LINK, "lost to size classes");
}

void type_counts_make(struct type_counts *counts)
{
	counts->rows = rows_open(table_find("types"), counts->analysis, NULL, NULL);
	counts->order = rows_sorted(
		counts->rows, table_column(counts->rows->table, counts->rows->table->sort), true, NULL);
	counts->totals = typed_totals(counts->analysis);
}

void type_counts_fini(struct type_counts *counts)
{
	rows_close(counts->rows);
	free(counts->order);
}

/* How much has a type, and the types that take most. */
void overview_types(struct overview *overview)
{
	if (!typed_any(overview->analysis))
		return;
	const struct type_counts *counts = &overview->types;
	struct page *page = &overview->page;
	const struct analysis *analysis = overview->analysis;
	struct section section = {page, "TYPES"};
	if (!counts->done) {
		overview_line(&section, "types");
		page_put(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_FAINT, "are being counted");
		return;
	}
	const struct reach *reach = analysis_reach(analysis);
	uint64_t bytes = reach->bytes - counts->totals.known[KNOWN_NONE].bytes;
	uint64_t objects = reach->objects - counts->totals.known[KNOWN_NONE].objects;
	struct buf text = {0};
	overview_line(&section, "types");
	if (reach->objects) {
		buf_add(&text, "have a type (");
		text_add_share(&text, objects, reach->objects);
		buf_add(&text, " of reachable objects)");
		page_size(page, OVERVIEW_NUMBER, bytes);
		page_share(page, OVERVIEW_SHARE, bytes, reach->bytes);
	} else {
		buf_add(&text, "of all objects: no root leads to any");
	}
	page_put(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_LINK, buf_text(&text));
	for (size_t i = 0; i < counts->rows->count && i < TYPES; i++)
		overview_types_add_type(&section, counts->rows, counts->order[i],
		                        objects_bytes(analysis_heap(analysis)->objects));
	add_waste(&section, counts->rows, objects_bytes(analysis_heap(analysis)->objects));
	overview_more(&section, "types", counts->rows->count, TYPES, "more types …");
	buf_free(&text);
}
