/* The object table's inside, for the files that build it and that read it. */
#ifndef HEAP_OBJECTS_TABLE_H
#define HEAP_OBJECTS_TABLE_H

#include "base/bits.h"
#include "heap/objects.h"
#include "heap/page_table.h"
#include "log_objects.h"

enum {
	PAGE_BITS = 13, /* every span of Go is a whole number of 8 KiB pages */
	RUN_OBJECTS = 1024,
	RUN_GAP = 512,         /* free slots in a row: a new run costs less than their bits */
	EXTRA_PAGES = 1 << 18, /* of what is not in the file, of all runs, that are in the page table */
	PAGE_SLOT_MOST = 1 << 15, /* bytes: the largest size class; whose slots page_slots tells apart
	                           */
	ID_BLOCK = 32             /* objects */
};

struct run {
	uint64_t slot, size, offset;
	uint64_t reciprocal; /* 2^64 / size + 1: turns a distance below 2^32 into a slot number */
	uint32_t slots;      /* dead ones included */
	uint32_t count, first;
	uint32_t word; /* its first one */
	uint8_t header;
	uint8_t unused[7]; /* 0, as it is written to an index */
};

struct slot_word {
	uint64_t bits;  /* a bit a slot: an object is there */
	uint32_t rank;  /* objects before these */
	uint32_t start; /* where the record of its first object is, from its run's offset */
};

struct objects {
	struct run *runs;
	size_t run_count, run_capacity;
	struct slot_word *words; /* every run begins with a new one */
	size_t word_count, word_capacity;
	uint32_t *run_at; /* by block of objects: the run that its first object is of */
	struct page_table *pages;
	bool sparse;       /* not all pages of some run are in the table */
	uint64_t last_end; /* while building: end of the record added last */
	uint32_t count;
	uint64_t bytes;
	struct log_objects *log; /* NULL, or where the objects are: no run then */
};

/* In the stead of objects_add() and objects_build(): takes over what has been built. */
void objects_build_log(struct objects *objects, struct log_objects *log);

static inline uint64_t run_end(const struct run *run)
{
	return run->slot + run->slots * run->size;
}

static inline uint32_t word_total(const struct run *run)
{
	return (run->slots + 63) / 64;
}

#endif
