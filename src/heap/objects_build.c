/* Builds the object table. */
#include "heap/objects_table.h"

#include "base/bound.h"
#include "base/index_io.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct objects *objects_new(void)
{
	return mem_alloc(sizeof(struct objects));
}

void objects_free(struct objects *objects)
{
	if (!objects)
		return;
	free(objects->runs);
	free(objects->words);
	free(objects->run_at);
	page_table_free(objects->pages);
	log_objects_free(objects->log);
	free(objects);
}

static inline void objects_build_add_slot(struct objects *objects, struct run *run, uint32_t slot,
                                          uint64_t offset)
{
	uint64_t word = run->word + slot / 64;
	while (objects->word_count <= word)
		MEM_PUSH(objects->words, objects->word_count, objects->word_capacity,
		         (struct slot_word){.bits = 0});
	if (!objects->words[word].bits)
		objects->words[word].start = (uint32_t)(offset - run->offset);
	objects->words[word].bits |= (uint64_t)1 << slot % 64;
	run->slots = slot + 1;
	run->count++;
}

/* Returns true if the object belongs to the run, and its slot. Free slots may lie between two
   objects of a run, but no page without objects: that page may belong to another span, with records
   elsewhere in the file. */
static inline bool continues(const struct objects *objects, const struct run *run,
                             const struct object_record *o, uint32_t *slot)
{
	if (o->offset != objects->last_end || o->size != run->size || o->header != run->header
	    || run->count >= RUN_OBJECTS || o->offset - run->offset > UINT32_MAX)
		return false;
	uint64_t end = run_end(run);
	*slot = run->slots;
	if (o->slot == end)
		return true;
	if (o->slot < end || (o->slot >> PAGE_BITS) - ((end - 1) >> PAGE_BITS) > 1)
		return false;
	uint64_t gap = (o->slot - end) / run->size;
	*slot += (uint32_t)gap;
	return gap <= RUN_GAP && end + gap * run->size == o->slot;
}

size_t objects_add_row(struct objects *objects, const struct object_record *before,
                       const uint64_t *slots, size_t count, uint64_t bytes)
{
	struct run *run = objects->run_count ? &objects->runs[objects->run_count - 1] : NULL;
	struct object_record o = *before;
	uint32_t slot;
	size_t n = 0;
	for (; run && n < count; n++) {
		o.slot = slots[n];
		o.offset += bytes;
		if (!continues(objects, run, &o, &slot))
			break;
		objects_build_add_slot(objects, run, slot, o.offset);
		objects->last_end = o.offset + bytes;
	}
	return n;
}

bool objects_add(struct objects *objects, const struct object_record *o)
{
	if (o->size == 0 || o->slot + o->size < o->slot)
		return false;
	struct run *run = objects->run_count ? &objects->runs[objects->run_count - 1] : NULL;
	uint32_t slot = 0;
	if (!run || !continues(objects, run, o, &slot)) {
		MEM_PUSH(objects->runs, objects->run_count, objects->run_capacity,
		         (struct run){.slot = o->slot,
		                      .size = o->size,
		                      .offset = o->offset,
		                      .header = o->header,
		                      .told = (uint32_t)objects->run_count,
		                      .word = (uint32_t)objects->word_count});
		run = &objects->runs[objects->run_count - 1];
		slot = 0;
	}
	objects_build_add_slot(objects, run, slot, o->offset);
	objects->last_end = o->end;
	return true;
}

ORDER_BY_TWO(objects_build_by_address, struct run, slot, offset);

/* Returns true if `run` is preferred to an overlapping run. */
static bool objects_build_is_better(const struct run *run, const struct run *than)
{
	if (run->count != than->count)
		return run->count > than->count;
	return run_end(run) < run_end(than);
}

static uint64_t drop_overlapping(struct objects *objects)
{
	uint64_t dropped = 0;
	size_t kept = 0;
	for (size_t i = 0; i < objects->run_count; i++) {
		struct run run = objects->runs[i];
		while (kept && run_end(&objects->runs[kept - 1]) > run.slot
		       && objects_build_is_better(&run, &objects->runs[kept - 1]))
			dropped += objects->runs[--kept].count;
		if (kept && run_end(&objects->runs[kept - 1]) > run.slot)
			dropped += run.count;
		else
			objects->runs[kept++] = run;
	}
	objects->run_count = kept;
	return dropped;
}

static void objects_build_number(struct objects *objects)
{
	for (size_t r = 0; r < objects->run_count; r++) {
		struct run *run = &objects->runs[r];
		run->first = objects->count;
		run->reciprocal = run->size > 1 ? UINT64_MAX / run->size + 1 : 0;
		for (uint32_t w = run->word; w < run->word + word_total(run); w++) {
			objects->words[w].rank = objects->count;
			objects->count += count_bits(objects->words[w].bits);
		}
		objects->bytes += run->count * run->size;
	}
}

static void index_blocks(struct objects *objects)
{
	size_t run = 0;
	objects->run_at = mem_alloc((objects->count / ID_BLOCK + 1) * sizeof *objects->run_at);
	for (uint32_t id = 0; id < objects->count; id += ID_BLOCK) {
		while (id - objects->runs[run].first >= objects->runs[run].count)
			run++;
		objects->run_at[id / ID_BLOCK] = (uint32_t)run;
		if (id > UINT32_MAX - ID_BLOCK)
			return;
	}
}

/* Returns how many pages of a run are entered into the page table: those with contents in the file,
   plus a share of a total limit for runs that claim more. */
static uint64_t pages_granted(const struct run *run, uint64_t pages, uint64_t *extra)
{
	uint64_t present = run->count * ((object_stored(run->size) >> PAGE_BITS) + 2);
	if (pages <= present)
		return pages;
	uint64_t more = pages - present < *extra ? pages - present : *extra;
	*extra -= more;
	return present + more;
}

/* Fills in a page entry. A 32-bit reciprocal is enough for offsets within a page. */
static struct page_slots slots_of(const struct run *run, uint32_t number, uint64_t page)
{
	uint64_t begin = page << PAGE_BITS, end = begin + (1 << PAGE_BITS);
	uint64_t slot = begin > run->slot ? (begin - run->slot) / run->size : 0;
	uint64_t first = run->slot + slot * run->size, bit = run->word * UINT64_C(64) + slot;
	struct page_slots slots = {.run = number, .bit = (uint32_t)bit};
	if (bit > UINT32_MAX || run->size < 2)
		return slots;
	if (first <= begin && end - first <= run->size)
		slots.span = UINT16_MAX;
	if (run->size > PAGE_SLOT_MOST || slots.span)
		return slots;
	slots.ahead = (int16_t)(begin - first);
	slots.reciprocal = (uint32_t)(UINT32_MAX / run->size + 1);
	slots.span = run_end(run) - first < UINT16_MAX ? (uint16_t)(run_end(run) - first) : UINT16_MAX;
	return slots;
}

static void index_pages(struct objects *objects)
{
	uint64_t extra = EXTRA_PAGES;
	objects->pages = page_table_new();
	for (size_t r = 0; r < objects->run_count; r++) {
		const struct run *run = &objects->runs[r];
		uint64_t last = (run_end(run) - 1) >> PAGE_BITS;
		uint64_t first = run->slot >> PAGE_BITS;
		uint64_t granted = pages_granted(run, last - first + 1, &extra);
		if (granted <= last - first) {
			objects->sparse = true;
			page_table_add(objects->pages, last, slots_of(run, (uint32_t)r, last));
			last = first + granted - 1;
		}
		for (uint64_t page = first; page <= last; page++)
			page_table_add(objects->pages, page, slots_of(run, (uint32_t)r, page));
	}
	page_table_flatten(objects->pages);
}

uint64_t objects_build(struct objects *objects)
{
	if (objects->run_count) /* qsort must not be called with NULL */
		qsort(objects->runs, objects->run_count, sizeof *objects->runs, objects_build_by_address);
	uint64_t dropped = drop_overlapping(objects);
	objects_build_number(objects);
	index_blocks(objects);
	index_pages(objects);
	return dropped;
}

void objects_build_log(struct objects *objects, struct log_objects *log)
{
	objects->log = log;
	objects->count = (uint32_t)log->count;
	objects->bytes = log->bytes;
	objects->pages = page_table_new();
}

bool objects_index(struct objects *o, const struct index_io *io)
{
	uint32_t blocks = o->count / ID_BLOCK + 1;
	if (!INDEX_VALUES(io, "objects/sums", INDEX_VALUE(o->count), INDEX_VALUE(o->bytes))
	    || !INDEX_ARRAY(io, "objects/runs", o->runs, o->run_count)
	    || !INDEX_ARRAY(io, "objects/words", o->words, o->word_count)
	    || !INDEX_ARRAY(io, "objects/run_at", o->run_at, blocks)
	    || blocks != o->count / ID_BLOCK + 1)
		return false;
	if (io->file) {
		o->run_capacity = o->run_count;
		o->word_capacity = o->word_count;
		index_pages(o);
	}
	return true;
}

/* ---- The page table */

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

enum { FLAT_GAPS = 2 }; /* a flat table has at most so many times the chunks */

void page_table_flatten(struct page_table *t)
{
	size_t places = (size_t)1 << t->bits;
	uint64_t low = UINT64_MAX, high = 0;
	for (size_t i = 0; i < places; i++) {
		uint64_t key = t->places[i].key;
		low = key && key < low ? key : low;
		high = key > high ? key : high;
	}
	if (!t->count || (high - low) / FLAT_GAPS >= t->count)
		return;
	size_t span = (size_t)(high - low) + 1;
	struct page_chunk *flat = mem_alloc(span * sizeof *flat);
	memset(flat, 0xff, span * sizeof *flat);
	for (size_t i = 0; i < places; i++)
		if (t->places[i].key)
			flat[t->places[i].key - low] = t->chunks[t->places[i].chunk];
	free(t->places);
	free(t->chunks);
	*t = (struct page_table){
		.low = low, .span = span, .chunks = flat, .count = span, .capacity = span};
}

uint64_t page_table_memory(const struct page_table *table)
{
	uint64_t places = table && table->places ? sizeof *table->places << table->bits : 0;
	return table ? places + table->capacity * sizeof *table->chunks : 0;
}
