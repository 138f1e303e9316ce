/* Queries of the object table. Each object of a log is a run of its own. */
#include "heap/objects_table.h"

#include "base/bound.h"
#include "base/map.h"
#include "base/mem.h"
#include "heap/objects.h"

#include <stdlib.h>

uint32_t objects_count(const struct objects *objects)
{
	return objects->count;
}

uint64_t objects_bytes(const struct objects *objects)
{
	return objects->bytes;
}

__extension__ typedef unsigned __int128 wide;

static uint64_t slot_number(const struct run *run, uint64_t distance)
{
	if (run->reciprocal && (distance | run->size) >> 32 == 0)
		return (uint64_t)((wide)distance * run->reciprocal >> 64);
	return distance / run->size;
}

/* Returns the last run from `first` on that begins at or before the address. A page of an intact
   dump has one run. */
static inline const struct run *run_at(const struct objects *objects, size_t first,
                                       uint64_t address)
{
	size_t low = first, high = objects->run_count;
	if (low + 1 < high && objects->runs[low + 1].slot > address)
		return &objects->runs[low];
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (objects->runs[middle].slot <= address)
			low = middle;
		else
			high = middle;
	}
	return &objects->runs[low];
}

/* Finds the bit and the run of an address, by the runs from `first` on. Returns false if it is
   between slots or behind the last run. */
static bool locate_in_runs(const struct objects *objects, size_t first, uint64_t address,
                           uint64_t *bit, uint32_t *number)
{
	const struct run *run = run_at(objects, first, address);
	uint64_t distance = address - run->slot;
	if (address < run->slot || distance >= run->slots * run->size)
		return false;
	*bit = run->word * UINT64_C(64) + slot_number(run, distance);
	*number = (uint32_t)(run - objects->runs);
	return true;
}

static inline bool locate_on_page(const struct objects *objects, const struct page_slots *page,
                                  uint64_t address, uint64_t *bit, uint32_t *run)
{
	uint32_t distance = (uint32_t)((int32_t)(address % (1 << PAGE_BITS)) + page->ahead);
	if (!page->span)
		return locate_in_runs(objects, page->run, address, bit, run);
	*bit = page->bit + (distance * (uint64_t)page->reciprocal >> 32);
	*run = page->run;
	return distance < page->span;
}

/* Returns the object of a bit, or OBJECT_FREE. */
static inline uint32_t id_at(const struct objects *objects, uint64_t bit)
{
	const struct slot_word *word = &objects->words[bit / 64];
	uint64_t here = (uint64_t)1 << bit % 64;
	return word->bits & here ? word->rank + count_bits(word->bits & (here - 1)) : OBJECT_FREE;
}

uint32_t objects_find(const struct objects *objects, uint64_t address)
{
	uint64_t bit;
	uint32_t run;
	if (objects->log)
		return log_objects_find(objects->log, address);
	const struct page_slots *page = page_table_find(objects->pages, address >> PAGE_BITS);
	if (page ? !locate_on_page(objects, page, address, &bit, &run)
	         : !objects->sparse || !locate_in_runs(objects, 0, address, &bit, &run))
		return OBJECT_NONE;
	uint32_t id = id_at(objects, bit);
	return id == OBJECT_FREE ? OBJECT_NONE : id;
}

/* objects_find for a block of addresses: each memory access is done for the whole block before the
   next one. If `hits` is not NULL, also sets the runs; inlining compiles a separate copy for
   that. */
enum { BLOCK = 64 };
#define NO_BIT        UINT64_MAX
#define ALWAYS_INLINE inline __attribute__((always_inline))

static ALWAYS_INLINE void find_block(const struct objects *objects, const uint64_t *addresses,
                                     uint32_t *ids, struct objects_hit *hits, size_t count)
{
	const struct page_slots *page[BLOCK];
	uint64_t bit[BLOCK];
	uint32_t run;
	for (size_t i = 0; i < count; i++) {
		page[i] = page_table_look(objects->pages, addresses[i] >> PAGE_BITS);
		__builtin_prefetch(page[i]);
	}
	for (size_t i = 0; i < count; i++) {
		bool there = page[i] && page[i]->run != UINT32_MAX;
		ids[i] = there ? OBJECT_FREE : OBJECT_NONE;
		if (there ? !locate_on_page(objects, page[i], addresses[i], &bit[i], &run)
		          : !objects->sparse || !locate_in_runs(objects, 0, addresses[i], &bit[i], &run)) {
			bit[i] = NO_BIT;
			continue;
		}
		if (hits) {
			hits[i].run = run;
			/* callers with hits access it next; it may lie in two cache lines */
			__builtin_prefetch(&objects->runs[run].slot);
			__builtin_prefetch(&objects->runs[run].header);
		}
		__builtin_prefetch(&objects->words[bit[i] / 64]);
	}
	for (size_t i = 0; i < count; i++)
		if (bit[i] != NO_BIT)
			ids[i] = id_at(objects, bit[i]);
}

static ALWAYS_INLINE void find_all(const struct objects *objects, const uint64_t *addresses,
                                   uint32_t *ids, size_t count)
{
	for (size_t i = 0; i < count; i += BLOCK)
		find_block(objects, addresses + i, ids + i, NULL, count - i < BLOCK ? count - i : BLOCK);
}

static ALWAYS_INLINE void locate_all(const struct objects *objects, const uint64_t *addresses,
                                     struct objects_hit *hits, size_t count)
{
	uint32_t ids[BLOCK];
	for (size_t i = 0; i < count; i += BLOCK) {
		size_t some = count - i < BLOCK ? count - i : BLOCK;
		find_block(objects, addresses + i, ids, hits + i, some);
		for (size_t j = 0; j < some; j++)
			hits[i + j].object = ids[j] == OBJECT_FREE ? OBJECT_NONE : ids[j];
	}
}

/* The same compiled for processors that count bits in one instruction: all of amd64 but the first
   ones, for which the rest of the program is compiled. */
#ifdef __x86_64__
#define COUNTS_BITS        __attribute__((target("popcnt")))
#define counts_bits_here() __builtin_cpu_supports("popcnt")
#else
#define COUNTS_BITS
#define counts_bits_here() false
#endif

static COUNTS_BITS void find_all_counting(const struct objects *objects, const uint64_t *addresses,
                                          uint32_t *ids, size_t count)
{
	find_all(objects, addresses, ids, count);
}

static COUNTS_BITS void locate_all_counting(const struct objects *objects,
                                            const uint64_t *addresses, struct objects_hit *hits,
                                            size_t count)
{
	locate_all(objects, addresses, hits, count);
}

void objects_find_many(const struct objects *objects, const uint64_t *addresses, uint32_t *ids,
                       size_t count)
{
	if (counts_bits_here())
		find_all_counting(objects, addresses, ids, count);
	else
		find_all(objects, addresses, ids, count);
}

void objects_locate_many(const struct objects *objects, const uint64_t *addresses,
                         struct objects_hit *hits, size_t count)
{
	if (counts_bits_here())
		locate_all_counting(objects, addresses, hits, count);
	else
		locate_all(objects, addresses, hits, count);
}

uint64_t objects_slot(const struct objects *objects, uint32_t run, uint64_t address)
{
	const struct run *r = &objects->runs[run];
	return r->slot + slot_number(r, address - r->slot) * r->size;
}

uint64_t objects_begin(const struct objects *objects, struct objects_hit hit, uint64_t address)
{
	return objects_slot(objects, hit.run, address) + objects->runs[hit.run].header;
}

/* Returns false quickly for most words that are not pointers to objects: nil, or far away. */
static bool may_have_page(const struct objects *objects, uint64_t address)
{
	uint64_t page = address >> PAGE_BITS;
	if (objects->log || !objects->run_count)
		return false;
	const struct run *last = &objects->runs[objects->run_count - 1];
	return page >= objects->runs[0].slot >> PAGE_BITS
	       && page <= (last->slot + last->slots * last->size - 1) >> PAGE_BITS;
}

bool objects_has_page(const struct objects *objects, uint64_t address)
{
	if (!may_have_page(objects, address))
		return false;
	return page_table_find(objects->pages, address >> PAGE_BITS)
	       || (objects->sparse && objects_find(objects, address) != OBJECT_NONE);
}

/* Returns the run of an object: the run of the first object of its block is cached, and a block
   spans few runs. */
static const struct run *run_of(const struct objects *objects, uint32_t id)
{
	const struct run *run = &objects->runs[objects->run_at[id / ID_BLOCK]];
	while (id - run->first >= run->count)
		run++;
	return run;
}

/* Returns the word with an object's bit. Free slots are spread, so the search starts where it would
   be if they were spread evenly. */
static uint32_t objects_word(const struct objects *objects, const struct run *run, uint32_t id)
{
	uint32_t words = word_total(run), last = run->word + words - 1;
	uint32_t word = run->word + (uint32_t)((uint64_t)(id - run->first) * words / run->count);
	while (word > run->word && objects->words[word].rank > id)
		word--;
	while (word < last && objects->words[word + 1].rank <= id)
		word++;
	return word;
}

static void place_in_run(const struct objects *objects, const struct run *run, uint32_t id,
                         struct object_place *place)
{
	if (run->slots == run->count) { /* no free slots */
		uint32_t slot = id - run->first;
		*place = (struct object_place){.slot = run->slot + slot * run->size,
		                               .size = run->size,
		                               .header = run->header,
		                               .skip = slot % 64,
		                               .offset = run->offset
		                                         + objects->words[run->word + slot / 64].start};
		return;
	}
	uint32_t word = objects_word(objects, run, id);
	uint32_t skip = id - objects->words[word].rank;
	uint64_t slot = (uint64_t)(word - run->word) * 64 + select_bit(objects->words[word].bits, skip);
	*place = (struct object_place){.slot = run->slot + slot * run->size,
	                               .size = run->size,
	                               .header = run->header,
	                               .skip = skip,
	                               .offset = run->offset + objects->words[word].start};
}

uint64_t objects_size(const struct objects *objects, uint32_t id)
{
	return objects->log ? objects->log->object[id].size : run_of(objects, id)->size;
}

static void place_in_log(const struct objects *objects, uint32_t id, struct object_place *place)
{
	const struct log_object *o = &objects->log->object[id];
	*place = (struct object_place){.slot = o->name, .size = o->size, .offset = o->offset};
}

void objects_place_hit(const struct objects *objects, struct objects_hit hit,
                       struct object_place *place)
{
	if (objects->log)
		place_in_log(objects, hit.object, place);
	else
		place_in_run(objects, &objects->runs[hit.run], hit.object, place);
}

void objects_place(const struct objects *objects, uint32_t id, struct object_place *place)
{
	if (objects->log)
		place_in_log(objects, id, place);
	else
		place_in_run(objects, run_of(objects, id), id, place);
}

uint64_t objects_begin_of(const struct objects *objects, uint32_t id, uint64_t address)
{
	struct objects_hit hit = {id, (uint32_t)objects_run_of(objects, id)};
	return objects->log ? objects->log->object[id].name : objects_begin(objects, hit, address);
}

size_t objects_run_of(const struct objects *objects, uint32_t id)
{
	return objects->log ? id : (size_t)(run_of(objects, id) - objects->runs);
}

size_t objects_run_count(const struct objects *objects)
{
	return objects->log ? objects->count : objects->run_count;
}

void objects_run(const struct objects *objects, size_t index, struct objects_run_view *view)
{
	if (objects->log) {
		const struct log_object *o = &objects->log->object[index];
		*view = (struct objects_run_view){.slot = o->name,
		                                  .size = o->size,
		                                  .offset = o->offset,
		                                  .first = (uint32_t)index,
		                                  .count = 1};
		return;
	}
	const struct run *run = &objects->runs[index];
	*view = (struct objects_run_view){.slot = run->slot,
	                                  .size = run->size,
	                                  .offset = run->offset,
	                                  .stored = object_stored(run->size),
	                                  .header = run->header,
	                                  .first = run->first,
	                                  .count = run->count};
}

uint64_t objects_memory(const struct objects *objects)
{
	if (objects->log)
		return log_objects_memory(objects->log);
	return objects->run_capacity * sizeof *objects->runs
	       + objects->word_capacity * sizeof *objects->words
	       + (objects->count / ID_BLOCK + 1) * sizeof *objects->run_at
	       + page_table_memory(objects->pages);
}

/* ---- Sizes */

/* objects_sizes of heap/objects.h: counts objects by slot size. */

struct objects_size_row *objects_sizes(const struct objects *objects, size_t *count)
{
	struct objects_size_row *rows = NULL;
	struct objects_run_view run;
	SCOPED_MAP places = {0};
	size_t capacity = 0;
	*count = 0;
	for (size_t r = 0; r < objects_run_count(objects); r++) {
		objects_run(objects, r, &run);
		uint64_t place = *count;
		if (map_add(&places, run.size, &place))
			MEM_PUSH(rows, *count, capacity, (struct objects_size_row){.size = run.size});
		rows[place].count += run.count;
	}
	bound_sort(rows, *count, BOUND_BY(struct objects_size_row, size));
	return rows;
}
