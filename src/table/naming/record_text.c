#include "table/naming/record_text.h"

#include "base/bound.h"
#include "base/number.h"
#include "base/text.h"
#include "heap/heap.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_LIMIT = 200 };

static void record_add_number(struct buf *out, uint64_t number, const char *of)
{
	buf_add(out, ", ");
	number_add(out, number);
	buf_add(out, of);
}

void record_add_object(const struct object_record *object, struct buf *out)
{
	struct fields fields = object->fields;
	uint64_t offset, pointers = 0;
	while (fields_next(&fields, &offset))
		pointers++;
	number_add_hex(out, object->slot);
	record_add_number(out, object->size, " bytes");
	record_add_number(out, pointers, pointers == 1 ? " pointer" : " pointers");
	if (object->stored < object->size)
		record_add_number(out, object->stored, " bytes present");
}

/* Returns the text up to the first of these characters, and advances past that. */
static struct text record_text_word(const char **at, const char *ends)
{
	struct text word = {*at, strcspn(*at, ends)};
	*at += word.len + 1;
	return word;
}

static const struct record_field *record_text_field(const struct record_type *type,
                                                    struct text name)
{
	const struct record_field *field = type->fields();
	while (!text_is(name, field->name))
		field++;
	return field;
}

static bool record_text_is_text(const struct record_field *field)
{
	return field->encoding == ENCODING_TEXT || field->encoding == ENCODING_TYPE_NAME
	       || field->encoding == ENCODING_LETTER;
}

static uint64_t record_text_number(const struct record_field *field, const char *record)
{
	const void *place = record + field->place;
	if (record_text_is_text(field))
		return ((const struct text *)place)->len;
	return field->encoding == ENCODING_FLAG ? *(const bool *)place : *(const uint64_t *)place;
}

/* A field reference in braces. */
struct mention {
	const struct record_field *field;
	struct text words[2];
};

/* Parses from after the opening brace, and advances past the closing one. */
static struct mention record_text_mention(const struct record_type *type, const char **at)
{
	struct mention m = {record_text_field(type, record_text_word(at, "|}")), {{"", 0}, {"", 0}}};
	for (int i = 0; (*at)[-1] == '|'; i++)
		m.words[i] = record_text_word(at, "|}");
	return m;
}

/* Returns true if text in brackets is to be left out. */
static bool record_text_skips(const struct record_type *type, const char *record, const char *at)
{
	at = strchr(at, '{') + 1;
	struct mention m = record_text_mention(type, &at);
	uint64_t other = 0;
	if (m.words[0].len)
		other = record_text_number(record_text_field(type, m.words[0]), record);
	return record_text_number(m.field, record) == other;
}

static void record_text_add(const struct record_type *type, const char *record, struct buf *out)
{
	for (const char *at = type->text; *at;) {
		char c = *at++;
		if (c == '{') {
			struct mention m = record_text_mention(type, &at);
			uint64_t number = record_text_number(m.field, record);
			if (m.field->encoding == ENCODING_FLAG)
				buf_add_bytes(out, m.words[!number].data, m.words[!number].len);
			else if (record_text_is_text(m.field)) {
				struct text name = *(const struct text *)(const void *)(record + m.field->place);
				text_add_escaped(out, name.data, name.len, NAME_LIMIT);
			} else
				buf_addf(out, m.field->encoding == ENCODING_ADDRESS ? "0x%" PRIx64 : "%" PRIu64,
				         number);
		} else if (c == '[' && record_text_skips(type, record, at)) {
			at = strchr(at, ']');
		} else if (c != '[' && c != ']') {
			buf_add_char(out, c);
		}
	}
}

static const char *item(const struct heap_records *records, size_t index)
{
	return (const char *)records->items + index * records->stride;
}

/* Finds the record at an offset. Records are in file order, except in the early format, whose
   frames are sorted by thread. */
static const char *record_text_find(const struct heap_records *records, uint64_t offset)
{
	const struct bound_by by = {records->stride, 0, sizeof offset};
	size_t at = lower_bound(records->items, records->count, by, offset);
	if (at < records->count && bound_number(records->items, at, by) == offset)
		return item(records, at);
	for (size_t i = 0; i < records->count; i++)
		if (bound_number(records->items, i, by) == offset)
			return item(records, i);
	return NULL;
}

void record_add_text(const struct heap *heap, enum record_kind kind, uint64_t offset,
                     struct buf *out)
{
	struct heap_records records = heap_records(heap, kind);
	const char *record = record_text_find(&records, offset);
	if (record)
		record_text_add(&record_types[kind], record, out);
}
