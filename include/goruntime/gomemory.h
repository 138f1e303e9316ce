/* Where values lie: in the dump, or in the executable. */
#ifndef GORUNTIME_GOMEMORY_H
#define GORUNTIME_GOMEMORY_H

#include "heap/heap.h"

struct goruntime;

/* A whole object, data or bss, of a core file also the variables without pointers: for those who
   read a lot of it, since looking up a large one again and again takes long. */
struct gomemory_piece {
	uint64_t address, size;
	const uint8_t *data;
};
/* The one that an address lies in. False: it is not in the dump. */
bool gomemory_piece(const struct heap *heap, uint64_t address, struct gomemory_piece *piece);
/* `size` bytes at an address; NULL: they are not all within the piece. */
const uint8_t *gomemory_in_piece(const struct gomemory_piece *piece, uint64_t address,
                                 uint64_t size);

/* The bytes at an address of the dump; NULL: it does not hold all of them. */
const uint8_t *gomemory_in_dump(const struct heap *heap, uint64_t address, uint64_t size);
/* The pointer at an address of the dump; 0: the dump does not hold it. */
uint64_t gomemory_word_in_dump(const struct heap *heap, uint64_t address);

/* The bytes at an address of the dump, or of the executable where they are constant; NULL: not all
   of them are known. */
const uint8_t *gomemory_bytes(const struct goruntime *rt, uint64_t address, uint64_t size);
/* The pointer at an address, 0 where it is not known: where it points to in memory, also when the
   executable was moved there. */
uint64_t gomemory_word(const struct goruntime *rt, uint64_t address);
/* The number of 1 to 8 bytes at `data`. */
uint64_t gomemory_number(const struct heap *heap, const uint8_t *data, uint64_t size);

#endif
