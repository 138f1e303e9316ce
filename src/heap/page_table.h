/* From 8 KiB pages to numbers. Pages may lie anywhere in 64 bits: chunks of 64 pages are found by a
   hash, so that holes between arenas cost nothing and the tables of a large heap stay in the
   processor's cache. */
#ifndef HEAP_PAGE_TABLE_H
#define HEAP_PAGE_TABLE_H

#include "base/hash.h"

#include <stddef.h>
#include <stdint.h>

#define PAGE_NONE UINT32_MAX

enum { PAGE_CHUNK_BITS = 6, PAGE_CHUNK = 1 << PAGE_CHUNK_BITS };

/* Private; here so that page_table_find, called once a pointer of the dump, is inlined. */
struct page_chunk {
	uint32_t number[PAGE_CHUNK];
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

/* The first number that is given to a page stays. */
void page_table_add(struct page_table *table, uint64_t page, uint32_t number);

/* Where a key is, or the empty place where it belongs. */
static inline struct page_place *page_table_place(const struct page_table *table, uint64_t key)
{
	size_t mask = ((size_t)1 << table->bits) - 1;
	size_t at = (size_t)hash_place(key, table->multiplier, table->bits);
	while (table->places[at].key && table->places[at].key != key)
		at = (at + 1) & mask;
	return &table->places[at];
}

/* Or PAGE_NONE */
static inline uint32_t page_table_find(const struct page_table *table, uint64_t page)
{
	const struct page_place *place = page_table_place(table, (page >> PAGE_CHUNK_BITS) + 1);
	return place->key ? table->chunks[place->chunk].number[page % PAGE_CHUNK] : PAGE_NONE;
}

uint64_t page_table_memory(const struct page_table *table); /* bytes */

#endif
