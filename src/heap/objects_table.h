/* Internals of the object table, shared by the code that builds and queries it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/hash.h"
#include "heap/objects.h"
#include "heap/objects_table.h"
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
	uint32_t told; /* number of runs before it in the file */
	uint8_t header;
	uint8_t unused[3]; /* written to an index as 0 */
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

/* Adds objects like *before, which was added last, as long as they belong to its run. Returns their
   number. `bytes`: of each record. */
size_t objects_add_row(struct objects *objects, const struct object_record *before,
                       const uint64_t *slots, size_t count, uint64_t bytes);

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

/* ---- Hash table from 8 KiB pages to slots. Pages may be anywhere in 64 bits: chunks of 16 pages
   are hashed, so that gaps between arenas cost nothing and the table of a large heap fits into the
   processor's cache. */

/* Data to find the slot of an address on a page without access to its run. */
struct page_slots {
	uint32_t run;        /* the first run on the page */
	uint32_t reciprocal; /* 2^32 / size + 1; 0: the page has one slot */
	/* bit of the slot in which the page begins, or of the first slot of the run */
	uint32_t bit;
	int16_t ahead; /* bytes of that slot before the page; < 0: it begins later */
	/* bytes of the run from the start of that slot on; UINT16_MAX: at least to the end of the page;
	   0: look at the run */
	uint16_t span;
};

enum { PAGE_CHUNK_BITS = 4, PAGE_CHUNK = 1 << PAGE_CHUNK_BITS };

/* Private; in the header so that page_table_find, called for each pointer of the dump, is
   inlined. */
struct page_chunk {
	struct page_slots page[PAGE_CHUNK]; /* run is UINT32_MAX for a page without objects */
};
/* Open addressing, at most half full; key 0 marks an empty place, so keys are chunk + 1. */
struct page_place {
	uint64_t key;
	uint32_t chunk;
};
struct page_table {
	/* Not 0: the chunks of so many keys from `low` on are in their order, and there are no places.
	 */
	uint64_t low, span;
	struct page_place *places;
	unsigned bits; /* there are 1 << bits places */
	uint64_t multiplier;
	struct page_chunk *chunks;
	size_t count, capacity;
};

struct page_table *page_table_new(void);
void page_table_free(struct page_table *table);

/* Adds a page. Call it in the order of runs: a page with several runs keeps the first, with span
   0. */
void page_table_add(struct page_table *table, uint64_t page, struct page_slots slots);

/* Puts the chunks into an array by their keys if that has few gaps: call it after the last page. */
void page_table_flatten(struct page_table *table);

/* Returns the place of a key, or the empty place where it belongs. */
static inline struct page_place *page_table_place(const struct page_table *table, uint64_t key)
{
	size_t mask = ((size_t)1 << table->bits) - 1;
	size_t at = (size_t)hash_place(key, table->multiplier, table->bits);
	while (table->places[at].key && table->places[at].key != key)
		at = (at + 1) & mask;
	return &table->places[at];
}

/* Returns the entry of a page, which is valid if its run is not UINT32_MAX; NULL: its chunk has no
   objects. */
static inline const struct page_slots *page_table_look(const struct page_table *table,
                                                       uint64_t page)
{
	uint64_t key = (page >> PAGE_CHUNK_BITS) + 1;
	if (table->span)
		return key - table->low < table->span
		           ? &table->chunks[key - table->low].page[page % PAGE_CHUNK]
		           : NULL;
	const struct page_place *place = page_table_place(table, key);
	return place->key ? &table->chunks[place->chunk].page[page % PAGE_CHUNK] : NULL;
}

/* Returns the entry of a page, or NULL. */
static inline const struct page_slots *page_table_find(const struct page_table *table,
                                                       uint64_t page)
{
	const struct page_slots *slots = page_table_look(table, page);
	return slots && slots->run != UINT32_MAX ? slots : NULL;
}

uint64_t page_table_memory(const struct page_table *table); /* in bytes */
