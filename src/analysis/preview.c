#include "analysis/preview.h"

#include "base/text.h"
#include "format/record.h"
#include "heap/edges.h"
#include "heap/heap.h"
#include "heap/object_ids.h"

#include <inttypes.h>
#include <string.h>

enum {
	SHOWN = 64,     /* bytes of a text that are examined and shown */
	TEXT_LEAST = 4, /* shorter runs of printable bytes do not count as text */
	TINY_SLOT = 16, /* the runtime packs small values without pointers into slots of this size */
	CHARACTER = 4   /* maximum bytes of a UTF-8 character */
};

uint64_t preview_word_at(const struct heap *heap, const struct preview_place *place)
{
	uint64_t width = heap->params.layout.pointer_size;
	if (place->size < width || place->offset > place->size - width)
		return 0;
	return heap_word(heap, place->data + place->offset);
}

bool preview_has_pointers(const struct object_record *record)
{
	struct fields fields = record->fields;
	uint64_t offset;
	return fields_next(&fields, &offset);
}

/* Returns true for UTF-8 without control characters other than line ends and tabs. A truncated
   character at the end counts as valid. */
static bool preview_is_text(const uint8_t *bytes, uint64_t size, uint64_t whole)
{
	for (uint64_t i = 0; i < size;) {
		uint32_t c;
		size_t step = text_decode((const char *)bytes + i, size - i, &c);
		if (c == 0xfffd && size < whole && size - i < CHARACTER)
			return true;
		if (c == 0xfffd || c == 0x7f || (c < 0x20 && c != '\n' && c != '\t' && c != '\r'))
			return false;
		i += step;
	}
	return true;
}

static uint64_t preview_at_most(uint64_t size, uint64_t limit)
{
	return size < limit ? size : limit;
}

static void preview_add_quoted(struct buf *out, const uint8_t *bytes, uint64_t size)
{
	buf_add(out, "~\"");
	text_add_escaped(out, (const char *)bytes, size, SHOWN);
	buf_add_char(out, '"');
}

/* Finds the bytes from an address to the end of its object, if that has no pointers. */
static bool plain_bytes(const struct heap *heap, uint64_t address, struct object_record *record,
                        const uint8_t **bytes, uint64_t *size)
{
	uint32_t id = heap_find(heap, address);
	if (id == OBJECT_NONE || heap_references(heap, id).count)
		return false;
	if (!heap_object(heap, id, record) || preview_has_pointers(record))
		return false;
	if (address - record->slot >= record->stored)
		return false;
	*bytes = record->data + (address - record->slot);
	*size = record->stored - (address - record->slot);
	return true;
}

/* Returns true if the runtime could have chosen a slot of this size for `length` bytes. Size
   classes differ by at most a fifth, or 16 bytes; larger objects are whole pages. */
static bool fits_slot(uint64_t length, uint64_t slot_size)
{
	uint64_t gap = slot_size / 5 > TINY_SLOT ? slot_size / 5 : TINY_SLOT;
	return length + gap > slot_size;
}

static bool preview_add_string(const struct object_record *record, const uint8_t *bytes,
                               uint64_t size, uint64_t length, struct buf *out)
{
	if (length == 0 || length > size)
		return false;
	if (preview_is_text(bytes, preview_at_most(length, SHOWN), length)) {
		preview_add_quoted(out, bytes, length);
		return true;
	}
	if (bytes != record->data || !fits_slot(length, record->size))
		return false;
	buf_addf(out, "~%" PRIu64 " bytes", length);
	return true;
}

/* Appends the text up to the first NUL, or to the end. */
static void add_leading_text(const uint8_t *bytes, uint64_t size, struct buf *out)
{
	const uint8_t *nul = memchr(bytes, 0, preview_at_most(size, SHOWN));
	uint64_t length = nul ? (uint64_t)(nul - bytes) : size;
	if (length >= TEXT_LEAST && preview_is_text(bytes, preview_at_most(length, SHOWN), length))
		preview_add_quoted(out, bytes, length);
}

void preview_pointer(const struct heap *heap, const struct preview_place *place, struct buf *out)
{
	struct object_record record;
	const uint8_t *bytes;
	uint64_t size;
	struct preview_place next = *place;
	next.offset += heap->params.layout.pointer_size;
	if (!plain_bytes(heap, preview_word_at(heap, place), &record, &bytes, &size))
		return;
	if (!preview_add_string(&record, bytes, size, preview_word_at(heap, &next), out))
		add_leading_text(bytes, size, out);
}

void preview_object(const struct heap *heap, uint32_t id, struct buf *out)
{
	struct object_record record;
	const uint8_t *bytes;
	uint64_t size;
	if (plain_bytes(heap, heap_address(heap, id), &record, &bytes, &size))
		add_leading_text(bytes, size, out);
}

void preview_scalar(uint64_t word, unsigned pointer_size, struct buf *out)
{
	int64_t value = pointer_size == 4 ? (int32_t)(uint32_t)word : (int64_t)word;
	if (value > INT32_MIN && value < INT32_MAX)
		buf_addf(out, "%" PRId64, value);
	else
		buf_addf(out, "%" PRIu64, word);
	if (value >= 1024 || value < INT32_MIN)
		buf_addf(out, "  0x%" PRIx64, word);
}

void preview_bytes(const uint8_t *data, uint64_t size, struct buf *out)
{
	for (uint64_t i = 0; i < size; i++)
		buf_add_char(out, data[i] >= 0x20 && data[i] < 0x7f ? (char)data[i] : '.');
}

void preview_hex(const uint8_t *data, uint64_t size, struct buf *out)
{
	static const char digits[] = "0123456789abcdef";
	for (uint64_t i = 0; i < size; i++) {
		const char byte[] = {' ', digits[data[i] >> 4], digits[data[i] & 15]};
		size_t skip = i == 0;
		buf_add_bytes(out, byte + skip, sizeof byte - skip);
	}
}
