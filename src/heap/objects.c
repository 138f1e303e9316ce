/* Asking the object table. Objects that a log lists stand for themselves: each is a run. */
#include "heap/objects_table.h"

#include "base/mem.h"

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

/* The last run from `first` on that begins at or before the address. A page of a real dump has
   one. */
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

/* Where the address is in its run: false when the run ends before it. */
static bool objects_locate(const struct run *run, uint64_t address, uint64_t *word, uint64_t *bit)
{
	uint64_t distance = address - run->slot;
	if (address < run->slot || distance >= run->slots * run->size)
		return false;
	uint64_t slot = slot_number(run, distance);
	*word = run->word + slot / 64;
	*bit = (uint64_t)1 << slot % 64;
	return true;
}

static uint32_t id_at(const struct objects *objects, uint64_t word, uint64_t bit)
{
	if (!(objects->bits[word] & bit))
		return OBJECT_FREE;
	return objects->rank[word] + count_bits(objects->bits[word] & (bit - 1));
}

uint32_t objects_find(const struct objects *objects, uint64_t address)
{
	uint64_t word, bit;
	if (objects->log)
		return log_objects_find(objects->log, address);
	uint32_t first = page_table_find(objects->pages, address >> PAGE_BITS);
	if (first == PAGE_NONE && objects->sparse)
		first = 0;
	if (first == PAGE_NONE
	    || !objects_locate(run_at(objects, first, address), address, &word, &bit))
		return OBJECT_NONE;
	uint32_t id = id_at(objects, word, bit);
	return id == OBJECT_FREE ? OBJECT_NONE : id;
}

/* The three memory accesses of objects_find, each for a whole block before the next. Where `hits`
   are wanted, which objects_locate_many compiles into a copy of its own, they say of which run. */
enum { BLOCK = 64 };

static inline __attribute__((always_inline)) void find_block(const struct objects *objects,
                                                             const uint64_t *addresses,
                                                             uint32_t *ids,
                                                             struct objects_hit *hits, size_t count)
{
	uint64_t word[BLOCK], bit[BLOCK];
	for (size_t i = 0; i < count; i++) {
		ids[i] = page_table_find(objects->pages, addresses[i] >> PAGE_BITS);
		if (ids[i] != PAGE_NONE)
			__builtin_prefetch(&objects->runs[ids[i]]);
	}
	for (size_t i = 0; i < count; i++) {
		bool log = ids[i] != PAGE_NONE;
		if (!log && !objects->sparse)
			continue;
		const struct run *run = run_at(objects, log ? ids[i] : 0, addresses[i]);
		ids[i] = log ? OBJECT_FREE : OBJECT_NONE;
		bit[i] = 0;
		if (!objects_locate(run, addresses[i], &word[i], &bit[i]))
			continue;
		ids[i] = OBJECT_FREE;
		if (hits)
			hits[i].run = (uint32_t)(run - objects->runs);
		__builtin_prefetch(&objects->bits[word[i]]);
		__builtin_prefetch(&objects->rank[word[i]]);
	}
	for (size_t i = 0; i < count; i++)
		if (ids[i] == OBJECT_FREE && bit[i])
			ids[i] = id_at(objects, word[i], bit[i]);
}

void objects_find_many(const struct objects *objects, const uint64_t *addresses, uint32_t *ids,
                       size_t count)
{
	for (size_t i = 0; i < count; i += BLOCK)
		find_block(objects, addresses + i, ids + i, NULL, count - i < BLOCK ? count - i : BLOCK);
}

void objects_locate_many(const struct objects *objects, const uint64_t *addresses,
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

uint64_t objects_slot(const struct objects *objects, uint32_t run, uint64_t address)
{
	const struct run *r = &objects->runs[run];
	return r->slot + slot_number(r, address - r->slot) * r->size;
}

uint64_t objects_begin(const struct objects *objects, struct objects_hit hit, uint64_t address)
{
	return objects_slot(objects, hit.run, address) + objects->runs[hit.run].header;
}

/* Most words that are no pointers into objects are nil, or lie far away. */
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
	return page_table_find(objects->pages, address >> PAGE_BITS) != PAGE_NONE
	       || (objects->sparse && objects_find(objects, address) != OBJECT_NONE);
}

/* Blocks of objects are few runs long mostly: the first of them is noted. */
static const struct run *run_of(const struct objects *objects, uint32_t id)
{
	const struct run *run = &objects->runs[objects->run_at[id / ID_BLOCK]];
	while (id - run->first >= run->count)
		run++;
	return run;
}

/* The word with an object's bit: free slots are anywhere among those taken, so that it is not far
   from where it would be were they as many in each. */
static uint32_t objects_word(const struct objects *objects, const struct run *run, uint32_t id)
{
	uint32_t words = word_total(run), last = run->word + words - 1;
	uint32_t word = run->word + (uint32_t)((uint64_t)(id - run->first) * words / run->count);
	while (word > run->word && objects->rank[word] > id)
		word--;
	while (word < last && objects->rank[word + 1] <= id)
		word++;
	return word;
}

static void place_in_run(const struct objects *objects, const struct run *run, uint32_t id,
                         struct object_place *place)
{
	if (run->slots == run->count) { /* all taken: nothing to count */
		uint32_t slot = id - run->first;
		*place =
			(struct object_place){.slot = run->slot + slot * run->size,
		                          .size = run->size,
		                          .header = run->header,
		                          .skip = slot % 64,
		                          .offset = run->offset + objects->start[run->word + slot / 64]};
		return;
	}
	uint32_t word = objects_word(objects, run, id);
	uint32_t skip = id - objects->rank[word];
	uint64_t slot = (uint64_t)(word - run->word) * 64 + select_bit(objects->bits[word], skip);
	*place = (struct object_place){.slot = run->slot + slot * run->size,
	                               .size = run->size,
	                               .header = run->header,
	                               .skip = skip,
	                               .offset = run->offset + objects->start[word]};
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
	       + objects->word_capacity * sizeof *objects->bits
	       + objects->start_capacity * sizeof *objects->start
	       + objects->word_count * sizeof *objects->rank
	       + (objects->count / ID_BLOCK + 1) * sizeof *objects->run_at
	       + page_table_memory(objects->pages);
}
