/* What the memory of a process is used for, and what of it is resident. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct heap;

/* What the parts of a use are, in the tree of the table memory. */
enum memory_parts {
	MEMORY_WHOLE, /* it has none */
	MEMORY_BY_OWNER,
	MEMORY_BY_TYPE,  /* of unreachable objects */
	MEMORY_BY_SITE,  /* of unreachable objects of one type that have samples */
	MEMORY_BY_CLASS, /* of free slots */
	MEMORY_BY_THREAD,
	MEMORY_BY_MAPPING,
	MEMORY_PARTS
};

struct memory_words {
	const char *name, *meaning, *link; /* "malloc"; a sentence; what a row of it opens */
	enum memory_parts parts;
};

/* The records of the tables memory and mappings begin with this. */
struct memory_row {
	struct memory_words words;
	bool reserved; /* address space without memory */
	bool outside;  /* neither the heap nor the runtime's nor the executable: C code's, files */
	uint64_t bytes, resident;
	bool knows_resident;
};

/* Returns a row without bytes for mapped memory of a kind (enum mapping_kind). */
struct memory_row memory_row_of(uint64_t kind);

/* Returns the name of the allocator of C whose memory is not read; NULL: none is known. */
const char *memory_allocator(const struct heap *heap);
/* Appends what is not read of the memory of C: "jemalloc: its chunks are not read"; nothing, if
   there is no such allocator. */
void memory_add_allocator(const struct heap *heap, const char *before, struct buf *out);

struct memory_residence {
	uint64_t objects, outside, all; /* resident bytes */
};
/* False: not known, as of heap dumps and of core files that a kernel wrote. */
bool memory_residence(const struct heap *heap, struct memory_residence *residence);
