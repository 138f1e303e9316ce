/* Internals of the object table, shared by the code that builds and queries it. */
#ifndef HEAP_OBJECTS_TABLE_H
#define HEAP_OBJECTS_TABLE_H

#include "base/bits.h"
#include "heap/objects.h"
#include "heap/page_table.h"
#include "log_objects.h"

enum {
	PAGE_BITS = 13, /* every Go span is a whole number of 8 KiB pages */
	RUN_OBJECTS = 1024,
	RUN_GAP = 512, /* consecutive free slots: above, a new run is cheaper than their bits */
	/* limit of pages, over all runs, that are in the page table but not in the file */
	EXTRA_PAGES = 1 << 18,
	PAGE_SLOT_MOST = 1 << 15, /* the largest size class: page_slots distinguishes smaller slots */
	ID_BLOCK = 32             /* objects per block */
};

struct run {
	uint64_t slot, size, offset;
	uint64_t reciprocal; /* 2^64 / size + 1: converts a distance below 2^32 to a slot number */
	uint32_t slots;      /* including free ones */
	uint32_t count, first;
	uint32_t word; /* index of its first word */
	uint8_t header;
	uint8_t unused[7]; /* written to an index as 0 */
};

struct slot_word {
	uint64_t bits;  /* one bit per slot: it holds an object */
	uint32_t rank;  /* number of objects before this word */
	uint32_t start; /* offset of the record of its first object from that of the run */
};

struct objects {
	struct run *runs;
	size_t run_count, run_capacity;
	struct slot_word *words; /* each run begins with a new word */
	size_t word_count, word_capacity;
	uint32_t *run_at; /* per block of objects: the run of its first object */
	struct page_table *pages;
	bool sparse;       /* some pages of a run are missing in the table */
	uint64_t last_end; /* while building: end of the last record */
	uint32_t count;
	uint64_t bytes;
	struct log_objects *log; /* NULL, or the objects of a log; there are no runs then */
};

/* Used in place of objects_add() and objects_build(): takes ownership of the built log. */
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
