/* What is in an object: the first of its entries, elements, fields or words, or its bytes. */
#include "ui/object_page.h"

#include "analysis/preview.h"
#include "base/text.h"
#include "table/fields.h"

#include <inttypes.h>

enum { BYTES_LINES = 8, TEXT_LINE = 72, HEX_LINE = 16 };

static void add_byte_line(struct page *page, const uint8_t *data, size_t size, bool text)
{
	struct buf line = {0};
	if (text) {
		text_add_escaped(&line, (const char *)data, size, size);
	} else {
		preview_hex(data, size, &line);
		buf_addf(&line, "%*s", (int)(HEX_LINE - size) * 3 + 2, "");
		preview_bytes(data, size, &line);
	}
	page_put(page, PAGE_REST, 1, STYLE_PLAIN, buf_text(&line));
	buf_free(&line);
}

/* What is not shown of `size` bytes: those from `end` on are zeros. */
static void object_contents_add_rest(struct page *page, const char *link, size_t shown, size_t end,
                                     size_t size)
{
	struct buf text = {0};
	if (shown >= size)
		return;
	text_add_count(&text, size - shown);
	buf_add(&text, shown >= end ? " zeros" : " more …");
	page_line(page, link);
	page_put(page, PAGE_LEFT, 1, STYLE_LINK, buf_text(&text));
	buf_free(&text);
}

/* The bytes of an object without pointers: as text where they are text. */
static void object_contents_add_bytes(struct page *page, const struct object_page *object)
{
	static const char *const what[2] = {"byte", "bytes"};
	const struct heap *heap = analysis_heap(object->analysis);
	const uint8_t *data = object->record.data;
	size_t size = (size_t)object->record.stored, end = size, shown = 0;
	struct buf link = {0}, preview = {0};
	preview_object(heap, object->id, &preview);
	bool text = preview.len > 0;
	size_t step = text ? TEXT_LINE : HEX_LINE;
	buf_addf(&link, "hex 0x%" PRIx64, object->address);
	object_section(page, text ? "TEXT" : "BYTES", size, what, " without pointers", buf_text(&link));
	while (end && data[end - 1] == 0)
		end--;
	for (; shown < end && shown < BYTES_LINES * step; shown += step) {
		page_line(page, buf_text(&link));
		add_byte_line(page, data + shown, end - shown < step ? end - shown : step, text);
	}
	object_contents_add_rest(page, buf_text(&link), shown < end ? shown : end, end, size);
	buf_free(&link);
	buf_free(&preview);
}

/* A row of a table that leads to all of it. */
static void add_rows(struct object_page *object, const char *name, size_t from, size_t count,
                     const char *const what[2])
{
	struct buf link = {0};
	object_link(object, object->fields, &link);
	object_section(&object->page, name, count, what, "", buf_text(&link));
	object_rows(object, object->fields, from, count, OBJECT_ROWS_SHOWN);
	buf_free(&link);
}

static void object_contents_add_map(struct object_page *object, size_t from, size_t count)
{
	static const char *const what[2] = {"entry", "entries"};
	add_rows(object, "ENTRIES", from, count, what);
}

/* And those of maps that are fields. */
static void object_contents_add_fields(struct object_page *object, const struct contents *contents,
                                       const char *const what[2])
{
	size_t entries = contents->embedded.count, fields = contents->count - entries;
	add_rows(object, "FIELDS", 0, fields, what);
	if (entries)
		object_contents_add_map(object, fields, entries);
}

/* "5 elements, room for 10, closed; 2 goroutines wait" */
static void add_channel(struct object_page *object, const struct contents *contents)
{
	static const char *const what[2] = {"element", "elements"};
	const struct gochan *chan = &contents->queue.chan;
	size_t waiting = contents->queue.waiter_count;
	struct buf link = {0}, rest = {0};
	object_link(object, object->fields, &link);
	buf_add(&rest, ", room for ");
	text_add_count(&rest, chan->room);
	buf_add(&rest, chan->closed ? ", closed" : "");
	if (waiting) {
		buf_add(&rest, "; ");
		text_add_count(&rest, waiting);
		buf_add(&rest, waiting == 1 ? " goroutine waits" : " goroutines wait");
	}
	object_section(&object->page, "CHANNEL", chan->length, what, buf_text(&rest), buf_text(&link));
	object_rows(object, object->fields, 0, contents->first, OBJECT_ROWS_SHOWN);
	buf_free(&link);
	buf_free(&rest);
}

void object_contents(struct object_page *object)
{
	static const char *const fields[2] = {"field", "fields"}, *const words[2] = {"word", "words"};
	static const char *const values[2] = {"value", "values"};
	const struct contents *contents = object->fields ? fields_contents(object->fields) : NULL;
	if (!(analysis_heap(object->analysis)->format->has & HAS_CONTENTS))
		return;
	if (!contents) {
		page_line(&object->page, NULL);
		page_waiting(&object->page, "FIELDS", STAGE_LINKED);
	} else if (contents->is_map) {
		object_contents_add_map(object, 0, contents->first);
	} else if (contents->is_channel) {
		add_channel(object, contents);
	} else if (contents->members.is_block) {
		add_rows(object, "VALUES", 0, contents->count, values);
	} else if (contents->members.count) {
		object_contents_add_fields(object, contents, fields);
	} else if (preview_has_pointers(&object->record)) {
		object_contents_add_fields(object, contents, words);
	} else {
		object_contents_add_bytes(&object->page, object);
	}
}
