/* Copies the memory of a stopped process or of its fork in pieces, by two threads. */
#pragma once

#include "staging.h"

#include "base/process.h"

struct piece {
	uint64_t address, offset; /* in the process, and in the core file */
	uint64_t size;
};
struct pieces {
	pid_t pid;
	struct piece *extent; /* what is cut into pieces */
	size_t count, capacity;
	uint64_t bytes; /* the sizes of all extents */
	struct staging *staging;
	struct process_copy *copy;
	struct progress *progress;
	struct err *err;
};

/* Adds memory of the process, of any size, for a place in the core file. */
void pieces_add(struct pieces *pieces, uint64_t address, uint64_t size, uint64_t offset);
/* Copies all pieces to the staging memory, or to the file if there is no room, except for pages
   that the kernel cannot read. Adds to copy->bytes. Returns false with *err. */
bool pieces_copy(struct pieces *pieces);
void pieces_free(struct pieces *pieces);
