/* The contents of an object: the first entries, elements, fields or words, or its bytes. */
#include "report/object.h"

#include "analysis/preview.h"
#include "base/text.h"
#include "heap/heap.h"
#include "table/contents/fields.h"

#include <inttypes.h>

enum { ROWS_SHOWN = 8, BYTES_LINES = 8, TEXT_LINE = 72, HEX_LINE = 16 };

/* Adds bytes without pointers, as text if they are text. */
static void object_contents_add_bytes(struct page *page, const uint8_t *data, size_t size,
                                      bool text)
{
	static const char *const what[2] = {"byte", "bytes"};
	size_t end = size, shown = 0;
	SCOPED_BUF link = {0};
	size_t step = text ? TEXT_LINE : HEX_LINE;
	size_t lines = page->form == FORM_TEXT ? page->limit : BYTES_LINES;
	buf_addf(&link, "hex 0x%" PRIx64, page->address);
	object_page_section(page, text ? "TEXT" : "BYTES", size, what, " without pointers",
	                    buf_text(&link));
	while (end && data[end - 1] == 0)
		end--;
	for (; shown < end && lines; shown += step, lines--) {
		size_t count = end - shown < step ? end - shown : step;
		SCOPED_BUF line = {0};
		if (text) {
			text_add_escaped(&line, (const char *)data + shown, count, count);
		} else {
			preview_hex(data + shown, count, &line);
			buf_addf(&line, "%*s", (int)(HEX_LINE - count) * 3 + 2, "");
			preview_bytes(data + shown, count, &line);
		}
		page_line(page, buf_text(&link));
		page_put(page, PAGE_REST, 1, STYLE_PLAIN, buf_text(&line));
	}
	shown = shown < end ? shown : end;
	if (shown < size) {
		SCOPED_BUF rest = {0};
		text_add_count(&rest, size - shown);
		page_line(page, buf_text(&link));
		page_putf(page, PAGE_LEFT, 1, STYLE_LINK, "%s%s", buf_text(&rest),
		          shown == end ? " zeros" : " more …");
	}
}

static void object_contents_add_all_bytes(struct page *page)
{
	const struct object_page *object = page->own;
	SCOPED_BUF preview = {0};
	preview_object(analysis_heap(page->analysis), object->id, &preview);
	object_contents_add_bytes(page, object->record.data, (size_t)object->record.stored,
	                          preview.len > 0);
}

/* Adds rows of the table fields. */
static void object_contents_add_rows(struct page *page, const char *name, size_t from, size_t count,
                                     const char *const what[2], const char *rest)
{
	const struct object_page *object = page->own;
	size_t shown = page->form == FORM_TEXT ? page->limit : ROWS_SHOWN;
	object_page_list(page, object->fields, name, from, count, what, rest, shown);
}

static void object_contents_add_map(struct page *page, size_t from, size_t count)
{
	static const char *const what[2] = {"entry", "entries"};
	object_contents_add_rows(page, "ENTRIES", from, count, what, "");
}

/* Adds the fields, and the entries of maps that are fields. */
static void object_contents_add_fields(struct page *page, const struct contents *contents,
                                       const char *const what[2])
{
	size_t entries = contents->embedded.count, fields = contents->count - entries;
	object_contents_add_rows(page, "FIELDS", 0, fields, what, "");
	if (entries)
		object_contents_add_map(page, fields, entries);
}

/* Adds "5 elements, room for 10, closed;" and how many threads wait. */
static void object_contents_add_channel(struct page *page, const struct contents *contents)
{
	static const char *const what[2] = {"element", "elements"};
	const struct object_page *object = page->own;
	const struct gochan *chan = &contents->queue.chan;
	size_t waiting = contents->queue.waiter_count;
	SCOPED_BUF link = {0}, rest = {0};
	buf_addf(&rest, ", room for %s%s", text_count(chan->room).text, chan->closed ? ", closed" : "");
	const struct runtime_words *words = heap_words(analysis_heap(page->analysis));
	if (waiting) {
		buf_add(&rest, "; ");
		text_add_count(&rest, waiting);
		buf_addf(&rest, waiting == 1 ? " %s waits" : " %s wait",
		         waiting == 1 ? words->thread : words->threads);
	}
	buf_addf(&link, "fields 0x%" PRIx64, page->address);
	object_page_section(page, "CHANNEL", chan->length, what, buf_text(&rest), buf_text(&link));
	page_rows(page, object->fields, 0, contents->first,
	          page->form == FORM_TEXT ? page->limit : ROWS_SHOWN, buf_text(&link));
}

static void object_contents_add_all(struct page *page, const struct contents *contents)
{
	static const char *const fields[2] = {"field", "fields"}, *const words[2] = {"word", "words"};
	static const char *const values[2] = {"value", "values"};
	const struct object_page *object = page->own;
	if (contents->is_map)
		object_contents_add_map(page, 0, contents->first);
	else if (contents->is_channel)
		object_contents_add_channel(page, contents);
	else if (contents->members.is_block)
		object_contents_add_rows(page, "VALUES", 0, contents->count, values, "");
	else if (contents->members.count)
		object_contents_add_fields(page, contents, fields);
	else if (preview_has_pointers(&object->record))
		object_contents_add_fields(page, contents, words);
	else
		object_contents_add_all_bytes(page);
}

/* Adds the contents of a value: bytes, or its fields unless it is its only one. */
static void object_contents_add_part(struct page *page, const struct contents *contents)
{
	const struct datum *part = &((const struct object_page *)page->own)->part;
	const struct gotypes *types = analysis_types(page->analysis);
	const struct gotype *type = gotype_get(types, part->type);
	bool fields = (type->kind == GO_STRUCT && !govalue_is_known(type->name))
	              || type->kind == GO_ARRAY || part->count > 1;
	if (type->kind == GO_ARRAY && gotype_get(types, type->elem)->kind == GO_UINT8)
		object_contents_add_bytes(page, part->data,
		                          part->room < type->size ? part->room : type->size, false);
	else if (contents->count && (fields || contents->first))
		object_contents_add_all(page, contents);
}

/* Returns the line of the field that contains the requested address, if it is shown. */
static size_t object_contents_line(const struct page *page)
{
	const struct object_page *object = page->own;
	const struct rows *rows = object->fields;
	uint64_t offset = object->asked - page->address;
	size_t found = 0;
	for (size_t i = 0; object->asked > page->address && i < page->count; i++) {
		const struct page_line *line = &page->lines[i];
		if (line->rows != rows || line->row == SIZE_MAX)
			continue;
		if (rows_number(rows, line->row, "offset").number > offset)
			return found;
		found = line->row + 1 < ROWS_SHOWN + page->spare || line->row + 1 == rows->count ? i : 0;
	}
	return found;
}

void object_add_contents(struct page *page)
{
	struct object_page *object = page->own;
	bool typed = analysis_typing(page->analysis) != NULL;
	if (typed != object->typed) {
		rows_close(object->fields);
		object->fields = NULL;
		object->typed = typed;
	}
	const struct rows *rows = object_page_rows(page, "fields", &object->fields);
	if (!rows) {
		page_line(page, NULL);
		page_waiting(page, "FIELDS", STAGE_LINKED);
		return;
	}
	page_table(page, "fields", rows);
	if (page->form & FORM_PROGRAMS)
		return;
	(object->is_part ? object_contents_add_part : object_contents_add_all)(page,
	                                                                       fields_contents(rows));
	page->cursor = object_contents_line(page);
}
