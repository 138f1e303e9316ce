#include "table/contents/raw_words.h"

#include "analysis/preview.h"
#include "base/mem.h"
#include "heap/heap.h"

#include <stdlib.h>

enum { MARK_BYTES = 8192, BYTES_A_ROW = 16 };

/* Advances to the next pointer within the contents. */
static void raw_words_step(struct raw_words *words, uint64_t width)
{
	struct raw_words_place *place = &words->place;
	uint64_t stored = words->record.stored;
	do {
		if (!fields_next(&place->after, &place->offset)) {
			place->offset = UINT64_MAX;
			return;
		}
	} while (stored < width || place->offset > stored - width);
	while (place->offset / MARK_BYTES >= words->mark_count)
		MEM_PUSH(words->marks, words->mark_count, words->mark_capacity, *place);
}

static bool is_pointer(struct raw_words *words, uint64_t offset, uint64_t width)
{
	size_t mark = (size_t)(offset / MARK_BYTES);
	if (mark < words->mark_count
	    && (offset < words->from || words->place.offset < words->marks[mark].offset))
		words->place = words->marks[mark];
	words->from = offset;
	while (words->place.offset < offset)
		raw_words_step(words, width);
	return words->place.offset == offset;
}

void raw_words_init(struct raw_words *words, const struct heap *heap,
                    const struct object_record *record, uint64_t start)
{
	uint64_t width = heap->params.layout.pointer_size;
	*words = (struct raw_words){.heap = heap, .record = *record, .start = start};
	words->place.after = record->fields;
	raw_words_step(words, width);
	words->row_bytes = preview_has_pointers(record) ? width : BYTES_A_ROW;
	uint64_t bytes = record->stored > start ? record->stored - start : 0;
	words->count = (bytes + words->row_bytes - 1) / words->row_bytes;
}

void raw_words_fini(struct raw_words *words)
{
	free(words->marks);
}

void raw_words_get(struct raw_words *words, uint64_t n, struct field *field)
{
	uint64_t width = words->heap->params.layout.pointer_size;
	uint64_t at = words->start + n * words->row_bytes, left = words->record.stored - at;
	*field = field_none("bytes");
	field->offset = at - words->record.header;
	field->data = words->record.data + at;
	field->size = left < words->row_bytes ? left : words->row_bytes;
	if (words->row_bytes != width || field->size != width)
		return;
	field->kind = "word";
	field->is_word = true;
	field->word = heap_word(words->heap, field->data);
	if (is_pointer(words, at, width))
		field_point(words->heap, field->word, field);
}
