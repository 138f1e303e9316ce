/* What bytes of the dump look like to a person: strings behind pointers, text at the start of an
   object, numbers. Types are not known here, so what is told of a pointer is a guess and marked as
   one. All of it after heap_link. */
#ifndef ANALYSIS_PREVIEW_H
#define ANALYSIS_PREVIEW_H

#include "heap/heap.h"

/* A word within a piece of memory: an object's contents, a frame, a data segment. */
struct preview_place {
	const uint8_t *data;
	uint64_t size, offset; /* the word is data[offset ...], in bytes */
};

/* The word itself; 0 when it is not all within the memory. */
uint64_t preview_word_at(const struct heap *heap, const struct preview_place *place);

/* A pointer: when the word after it looks like the length of text or bytes behind it, these; else
   the text that it points at, if any. Appends `~"POST"` or `~256 bytes`, ~ for a guess; nothing:
   nothing to tell. */
void preview_pointer(const struct heap *heap, const struct preview_place *place, struct buf *out);

/* The text that an object without pointers begins with, as `~"..."`; nothing when it is no text. */
void preview_object(const struct heap *heap, uint32_t id, struct buf *out);

/* A word that is no pointer: decimal, and hexadecimal when it is large. */
void preview_scalar(uint64_t word, unsigned pointer_size, struct buf *out);

/* One printable character a byte, "." for the others. */
void preview_bytes(const uint8_t *data, uint64_t size, struct buf *out);
/* "48 65 6c 6c 6f" */
void preview_hex(const uint8_t *data, uint64_t size, struct buf *out);

/* Does this object hold pointers, as far as its record says? */
bool preview_has_pointers(const struct object_record *record);

#endif
