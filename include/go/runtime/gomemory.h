/* Bytes of values: in the dump, or in the executable. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct goruntime;
struct heap;

/* A whole object or segment, in a core file also variables without pointers. Callers that read much
   of it save repeated lookups. */
struct gomemory_piece {
	uint64_t address, size;
	const uint8_t *data;
};
/* Finds the piece that contains an address. Returns false if it is not in the dump. */
bool gomemory_piece(const struct heap *heap, uint64_t address, struct gomemory_piece *piece);
/* Stores that of an object. False: its record is damaged. */
bool gomemory_object(const struct heap *heap, uint32_t object, struct gomemory_piece *piece);
/* Returns `size` bytes at an address, or NULL if they are not all in the piece. */
const uint8_t *gomemory_in_piece(const struct gomemory_piece *piece, uint64_t address,
                                 uint64_t size);

/* Returns `size` bytes at an address in the dump, or NULL if it does not have all of them. */
const uint8_t *gomemory_in_dump(const struct heap *heap, uint64_t address, uint64_t size);
/* Returns the pointer at an address in the dump; 0: not in the dump. */
uint64_t gomemory_word_in_dump(const struct heap *heap, uint64_t address);

/* Returns `size` bytes at an address in the dump, or in constant data of the executable; NULL: not
   all are known. */
const uint8_t *gomemory_bytes(const struct goruntime *rt, uint64_t address, uint64_t size);
/* Returns the pointer at an address, or 0. Pointers from the executable are relocated to process
   addresses. */
uint64_t gomemory_word(const struct goruntime *rt, uint64_t address);
/* Returns the number of 1 to 8 bytes at `data`. */
uint64_t gomemory_number(const struct heap *heap, const uint8_t *data, uint64_t size);
