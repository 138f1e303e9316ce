/* Readable previews of bytes: strings behind pointers, text at the start of an object, numbers.
   Types are unknown here, so a preview of a pointer is a guess and marked as one. All functions
   require heap_link. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct heap;
struct object_record;

/* A word within a block of memory: an object's contents, a frame, a data segment. */
struct preview_place {
	const uint8_t *data;
	uint64_t size, offset; /* the word is data[offset ...], in bytes */
};

/* Returns the word; 0 if it does not lie completely within the block. */
uint64_t preview_word_at(const struct heap *heap, const struct preview_place *place);

/* Appends the text or bytes behind a pointer, if the word after it looks like their length; else
   the text that it points to, if any. The format is `~"POST"` or `~256 bytes`, where ~ marks a
   guess. Appends nothing if there is nothing to show. */
void preview_pointer(const struct heap *heap, const struct preview_place *place, struct buf *out);

/* Appends the text at the start of an object without pointers as `~"..."`; nothing if it is no
   text. */
void preview_object(const struct heap *heap, uint32_t id, struct buf *out);

/* Appends a word that is no pointer: decimal, and hexadecimal if it is large. */
void preview_scalar(uint64_t word, unsigned pointer_size, struct buf *out);

/* Appends one character a byte: the printable character, or ".". */
void preview_bytes(const uint8_t *data, uint64_t size, struct buf *out);
/* Appends the bytes in hexadecimal: "48 65 6c 6c 6f". */
void preview_hex(const uint8_t *data, uint64_t size, struct buf *out);

/* Returns true if the object has pointers according to its record. */
bool preview_has_pointers(const struct object_record *record);
