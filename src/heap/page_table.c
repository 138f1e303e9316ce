#include "heap/page_table.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BITS = 6 };

struct page_table *page_table_new(void)
{
	struct page_table *table = mem_alloc(sizeof *table);
	table->bits = FIRST_BITS;
	table->multiplier = hash_multiplier();
	table->places = mem_alloc(sizeof *table->places << table->bits);
	return table;
}

void page_table_free(struct page_table *table)
{
	if (!table)
		return;
	free(table->places);
	free(table->chunks);
	free(table);
}

static void page_table_enlarge(struct page_table *table)
{
	struct page_place *old = table->places;
	size_t count = (size_t)1 << table->bits;
	table->bits++;
	table->places = mem_alloc(sizeof *table->places << table->bits);
	for (size_t i = 0; i < count; i++)
		if (old[i].key)
			*page_table_place(table, old[i].key) = old[i];
	free(old);
}

static struct page_chunk *make_chunk(struct page_table *table, uint64_t key)
{
	struct page_place *place = page_table_place(table, key);
	if (!place->key) {
		if (table->count * 2 >= (size_t)1 << table->bits) {
			page_table_enlarge(table);
			place = page_table_place(table, key);
		}
		*place = (struct page_place){key, (uint32_t)table->count};
		table->chunks =
			mem_grow(table->chunks, table->count, &table->capacity, sizeof *table->chunks);
		memset(&table->chunks[table->count++], 0xff, sizeof *table->chunks);
	}
	return &table->chunks[place->chunk];
}

void page_table_add(struct page_table *table, uint64_t page, struct page_slots slots)
{
	struct page_slots *at =
		&make_chunk(table, (page >> PAGE_CHUNK_BITS) + 1)->page[page % PAGE_CHUNK];
	if (at->run == UINT32_MAX)
		*at = slots;
	else
		at->span = 0;
}

uint64_t page_table_memory(const struct page_table *table)
{
	return table ? (sizeof *table->places << table->bits) + table->capacity * sizeof *table->chunks
	             : 0;
}
