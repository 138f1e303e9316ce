/* The overview of the objects by type and size. */
#include "report/overview.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>

enum { TYPES = 6, SIZES = 4 };

bool overview_count_types(struct page *page, struct progress *progress)
{
	(void)progress;
	struct overview *own = page->own;
	own->totals = typed_totals(page->analysis);
	if (page->form & FORM_PROGRAMS || !typed_any(page->analysis))
		return true;
	own->types = rows_open(table_find("types"), page->analysis, NULL, NULL);
	own->order = rows_sorted(own->types, table_column(own->types->table, own->types->table->sort),
	                         true, NULL);
	return true;
}

static void overview_add_typed_count(struct page *page, const char *key, struct typed_count count)
{
	page_open(page, key);
	page_number(page, "objects", count.objects);
	page_number(page, "bytes", count.bytes);
	page_close(page);
}

/* Adds the counts of typed reachable objects. The split by certainty does not cover objects without
   a type, which are split by the source of their labels. */
static void overview_add_typed(struct page *page, const struct typed_totals *totals)
{
	struct typed_count all = {0};
	for (int known = KNOWN_NONE + 1; known < KNOWN_COUNT; known++) {
		all.objects += totals->known[known].objects;
		all.bytes += totals->known[known].bytes;
	}
	page_number(page, "typed_objects", all.objects);
	page_number(page, "typed_bytes", all.bytes);
	page_open(page, "typed");
	for (int known = KNOWN_COUNT - 1; known > KNOWN_NONE; known--)
		overview_add_typed_count(page, type_known_names[known], totals->known[known]);
	page_close(page);
	page_open(page, "labelled");
	for (int class = LABEL_NAME + 1; class < LABEL_CLASSES; class ++)
		overview_add_typed_count(page, label_class_names[class], totals->labelled[class]);
	page_close(page);
}

/* Adds how much has a type, and the largest types. */
void overview_types(struct page *page)
{
	const struct overview *own = page->own;
	const struct analysis *analysis = page->analysis;
	const struct reach *reach = analysis_reach(analysis);
	const struct typed_count *none = &own->totals.known[KNOWN_NONE];
	uint64_t whole = objects_bytes(heap_objects(analysis_heap(analysis)));
	struct section section = {page, "TYPES"};
	overview_add_typed(page, &own->totals);
	if (!own->types)
		return;
	SCOPED_BUF text = {0};
	overview_line(&section, "types");
	if (reach->objects) {
		buf_add(&text, "have a type (");
		text_add_share(&text, reach->objects - none->objects, reach->objects);
		buf_add(&text, " of reachable objects)");
		page_size(page, OVERVIEW_NUMBER, reach->bytes - none->bytes);
		page_share(page, OVERVIEW_SHARE, reach->bytes - none->bytes, reach->bytes);
	} else {
		buf_add(&text, analysis_has_roots(page->analysis) ? "of all objects: none is reachable"
		                                                  : "of all objects: no roots are known");
	}
	page_put(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_LINK, buf_text(&text));
	size_t most = TYPES + page->spare;
	for (size_t i = 0; i < own->types->count && i < most; i++)
		overview_row(&section, own->types, own->order[i], "bytes", whole, "type");
	/* The bytes that the allocator added by rounding up, for all types. */
	bool rounded = !rows_column_hidden(own->types, table_column(own->types->table, "waste_bytes"));
	uint64_t waste = 0;
	for (size_t row = 0; rounded && row < own->types->count; row++)
		waste += rows_number(own->types, row, "waste_bytes").number;
	if (rounded)
		overview_part(&section, "types", waste, whole, "lost to size classes");
	overview_more(&section, "types", own->types->count, most, "more type …", "more types …");
}

static int overview_most_bytes_first(const void *a, const void *b)
{
	const struct objects_size_row *x = a, *y = b;
	uint64_t left = x->size * x->count, right = y->size * y->count;
	if (left != right)
		return left < right ? 1 : -1;
	return x->size < y->size ? -1 : x->size > y->size;
}

void overview_sizes(struct page *page)
{
	const struct heap *heap = analysis_heap(page->analysis);
	struct section section = {page, "SIZES"};
	size_t count;
	struct objects_size_row *rows = objects_sizes(heap_objects(heap), &count);
	if (count)
		qsort(rows, count, sizeof *rows, overview_most_bytes_first);
	for (size_t i = 0; i < count && i < SIZES; i++) {
		SCOPED_BUF name = {0}, link = {0};
		buf_addf(&name, "%s of %s", text_count(rows[i].count).text, text_size(rows[i].size).text);
		buf_addf(&link, "objects size=%" PRIu64, rows[i].size);
		overview_bytes(&section, NULL, buf_text(&link), rows[i].size * rows[i].count,
		               objects_bytes(heap_objects(heap)), buf_text(&name));
	}
	overview_more(&section, "types-size", count, SIZES, "more size …", "more sizes …");
	free(rows);
}
