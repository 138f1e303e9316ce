/* Overview: what has a type, and the types that take most bytes. */
#include "ui/overview.h"

#include "base/text.h"

enum { TYPES = 6 }; /* lines */

static void add_type(struct section *section, const struct rows *types, size_t row, uint64_t whole)
{
	struct buf link = {0}, name = {0};
	struct value bytes = {0};
	types->table->link(types, row, &link);
	types->table->cell(types, row, table_column(types->table, "bytes"), &bytes);
	struct page *page = overview_line(section, buf_text(&link));
	page_size(page, OVERVIEW_NUMBER, bytes.number);
	page_share(page, OVERVIEW_SHARE, bytes.number, whole);
	page_put(page, PAGE_REST, OVERVIEW_TEXT, STYLE_LINK, overview_cell(types, row, "type", &name));
	buf_free(&link);
	buf_free(&name);
}

/* What the allocator has rounded up, of all types. */
static void add_waste(struct section *section, const struct rows *types, uint64_t whole)
{
	int column = table_column(types->table, "waste_bytes");
	uint64_t waste = 0;
	if (rows_column_hidden(types, column))
		return;
	for (size_t row = 0; row < types->count; row++) {
		struct value bytes = {0};
		types->table->cell(types, row, column, &bytes);
		waste += bytes.number;
	}
	struct page *page = overview_line(section, "types");
	page_size(page, OVERVIEW_NUMBER, waste);
	page_share(page, OVERVIEW_SHARE, waste, whole);
	page_put(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_LINK, "lost to size classes");
}

static void open_types(struct overview *overview)
{
	const struct analysis *analysis = overview->analysis;
	overview->types = rows_open(table_find("types"), analysis, NULL, NULL);
	overview->types_order =
		rows_sorted(overview->types, overview->types->table->sort, true, NULL);
	overview->typed = typed_totals(analysis);
}

/* How much has a type, and the types that take most. */
void overview_types(struct overview *overview)
{
	if (!typed_any(overview->analysis))
		return;
	if (!overview->types)
		open_types(overview);
	struct page *page = &overview->page;
	const struct analysis *analysis = overview->analysis;
	struct section section = {page, "TYPES"};
	const struct reach *reach = analysis->reach;
	uint64_t bytes = reach->bytes - overview->typed.known[KNOWN_NONE].bytes;
	uint64_t objects = reach->objects - overview->typed.known[KNOWN_NONE].objects;
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
	for (size_t i = 0; i < overview->types->count && i < TYPES; i++)
		add_type(&section, overview->types, overview->types_order[i],
		         objects_bytes(analysis->heap->objects));
	add_waste(&section, overview->types, objects_bytes(analysis->heap->objects));
	overview_more(&section, "types", overview->types->count, TYPES, "more types …");
	buf_free(&text);
}
