/* From 8 KiB pages to the slots on them. Pages may lie anywhere in 64 bits: chunks of 16 pages are
   found by a hash, so that holes between arenas cost nothing and the tables of a large heap stay in
   the processor's cache. */
#ifndef HEAP_PAGE_TABLE_H
#define HEAP_PAGE_TABLE_H

#include "base/hash.h"

#include <stddef.h>
#include <stdint.h>

/* Which slot an address on a page is of, without a look at the run. */
struct page_slots {
	uint32_t run;        /* the first on the page */
	uint32_t reciprocal; /* 2^32 / size + 1; 0: the page has one slot */
	uint32_t bit;        /* of the slot that the page begins in, or of the run's first one */
	int16_t ahead;       /* how many bytes of that slot are before the page: < 0, it begins later */
	uint16_t span; /* bytes from its first on that are of the run, UINT16_MAX: more than can be
	                  asked for; 0: ask the run */
};

enum { PAGE_CHUNK_BITS = 4, PAGE_CHUNK = 1 << PAGE_CHUNK_BITS };

/* Private; here so that page_table_find, called once a pointer of the dump, is inlined. */
struct page_chunk {
	struct page_slots page[PAGE_CHUNK]; /* run is UINT32_MAX where there is none */
};
/* Open addressing, at most half full; key 0 is empty, hence keys are chunk + 1 */
struct page_place {
	uint64_t key;
	uint32_t chunk;
};
struct page_table {
	struct page_place *places;
	unsigned bits; /* there are 1 << bits places */
	uint64_t multiplier;
	struct page_chunk *chunks;
	size_t count, capacity;
};

struct page_table *page_table_new(void);
void page_table_free(struct page_table *table);

/* In the order of their runs: of a page that has several the first is to be asked. */
void page_table_add(struct page_table *table, uint64_t page, struct page_slots slots);

/* Where a key is, or the empty place where it belongs. */
static inline struct page_place *page_table_place(const struct page_table *table, uint64_t key)
{
	size_t mask = ((size_t)1 << table->bits) - 1;
	size_t at = (size_t)hash_place(key, table->multiplier, table->bits);
	while (table->places[at].key && table->places[at].key != key)
		at = (at + 1) & mask;
	return &table->places[at];
}

/* What a page has, or may have, if run is not UINT32_MAX; NULL: no page near it has anything. */
static inline const struct page_slots *page_table_look(const struct page_table *table,
                                                       uint64_t page)
{
	const struct page_place *place = page_table_place(table, (page >> PAGE_CHUNK_BITS) + 1);
	return place->key ? &table->chunks[place->chunk].page[page % PAGE_CHUNK] : NULL;
}

/* Or NULL */
static inline const struct page_slots *page_table_find(const struct page_table *table,
                                                       uint64_t page)
{
	const struct page_slots *slots = page_table_look(table, page);
	return slots && slots->run != UINT32_MAX ? slots : NULL;
}

uint64_t page_table_memory(const struct page_table *table); /* bytes */

#endif
