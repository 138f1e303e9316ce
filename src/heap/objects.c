#include "heap/objects.h"

#include "base/mem.h"
#include "heap/page_table.h"

#include <stdlib.h>
#include <string.h>

enum {
	PAGE_BITS = 13,    /* every span of Go is a whole number of 8 KiB pages */
	RUN_OBJECTS = 1024,
	RUN_GAP = 512,      /* free slots in a row: a new run costs less than their bits */
	RUN_PAGES = 1 << 20, /* of a run that are in the page table */
	ID_BLOCK = 32        /* objects */
};

struct run {
	uint64_t slot, size, offset;
	uint64_t reciprocal; /* 2^64 / size + 1: turns a distance below 2^32 into a slot number */
	uint32_t slots;      /* dead ones included */
	uint32_t count, first;
	uint32_t word;       /* its first word in `bits` */
	uint8_t header;
};

struct objects {
	struct run *runs;
	size_t run_count, run_capacity;
	uint64_t *bits;      /* a bit a slot; every run begins with a new word */
	size_t word_count, word_capacity, start_capacity;
	uint32_t *rank;      /* by word: objects before it */
	uint32_t *start;     /* by word: where its first record is, from its run's offset */
	uint32_t *run_at;    /* by block of objects: the run that its first object is of */
	struct page_table *pages;
	bool sparse;         /* some run has more than RUN_PAGES, and not all are in the table */
	uint64_t last_end;   /* while building: end of the record added last */
	uint32_t count;
	uint64_t bytes;
};

/* Bits set in a word; the compiler's own calls a function where the processor is not known to have it. */
static inline uint32_t count_bits(uint64_t word)
{
	word -= word >> 1 & 0x5555555555555555;
	word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
	word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return (uint32_t)(word * 0x0101010101010101 >> 56);
}

struct objects *objects_new(void)
{
	return mem_alloc(sizeof(struct objects));
}

void objects_free(struct objects *objects)
{
	if (!objects)
		return;
	free(objects->runs);
	free(objects->bits);
	free(objects->rank);
	free(objects->start);
	free(objects->run_at);
	page_table_free(objects->pages);
	free(objects);
}

static uint64_t run_end(const struct run *run)
{
	return run->slot + run->slots * run->size;
}

/* Building */

static void add_word(struct objects *objects)
{
	objects->bits = mem_grow(objects->bits, objects->word_count, &objects->word_capacity,
	                         sizeof *objects->bits);
	objects->start = mem_grow(objects->start, objects->word_count, &objects->start_capacity,
	                          sizeof *objects->start);
	objects->bits[objects->word_count++] = 0;
}

static void add_slot(struct objects *objects, struct run *run, uint32_t slot, uint64_t offset)
{
	uint64_t word = run->word + slot / 64;
	while (objects->word_count <= word)
		add_word(objects);
	if (!objects->bits[word])
		objects->start[word] = (uint32_t)(offset - run->offset);
	objects->bits[word] |= (uint64_t)1 << slot % 64;
	run->slots = slot + 1;
	run->count++;
}

/* Free slots may lie between two objects of a run, but no page on which it has none: that one may be another
   span's, whose records stand elsewhere. */
static bool continues(const struct objects *objects, const struct run *run,
                      const struct object_record *o)
{
	if (o->offset != objects->last_end || o->size != run->size || o->header != run->header ||
	    run->count >= RUN_OBJECTS || o->offset - run->offset > UINT32_MAX)
		return false;
	uint64_t end = run_end(run);
	if (o->slot == end)
		return true;
	return o->slot > end && (o->slot >> PAGE_BITS) - ((end - 1) >> PAGE_BITS) <= 1 &&
	       (o->slot - end) % run->size == 0 && (o->slot - end) / run->size <= RUN_GAP;
}

bool objects_add(struct objects *objects, const struct object_record *o)
{
	if (o->size == 0 || o->slot + o->size < o->slot)
		return false;
	struct run *run = objects->run_count ? &objects->runs[objects->run_count - 1] : NULL;
	if (!run || !continues(objects, run, o)) {
		objects->runs = mem_grow(objects->runs, objects->run_count, &objects->run_capacity,
		                         sizeof *objects->runs);
		run = &objects->runs[objects->run_count++];
		*run = (struct run){.slot = o->slot, .size = o->size, .offset = o->offset,
		                    .header = o->header, .word = (uint32_t)objects->word_count};
	}
	add_slot(objects, run, (uint32_t)((o->slot - run->slot) / run->size), o->offset);
	objects->last_end = o->end;
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct run *x = a, *y = b;
	if (x->slot != y->slot)
		return x->slot < y->slot ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Of two runs that overlap. */
static bool is_better(const struct run *run, const struct run *than)
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
		while (kept && run_end(&objects->runs[kept - 1]) > run.slot &&
		       is_better(&run, &objects->runs[kept - 1]))
			dropped += objects->runs[--kept].count;
		if (kept && run_end(&objects->runs[kept - 1]) > run.slot)
			dropped += run.count;
		else
			objects->runs[kept++] = run;
	}
	objects->run_count = kept;
	return dropped;
}

static uint32_t word_total(const struct run *run)
{
	return (run->slots + 63) / 64;
}

static void number(struct objects *objects)
{
	objects->rank = mem_alloc(objects->word_count * sizeof *objects->rank);
	for (size_t r = 0; r < objects->run_count; r++) {
		struct run *run = &objects->runs[r];
		run->first = objects->count;
		run->reciprocal = run->size > 1 ? UINT64_MAX / run->size + 1 : 0;
		for (uint32_t w = run->word; w < run->word + word_total(run); w++) {
			objects->rank[w] = objects->count;
			objects->count += count_bits(objects->bits[w]);
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

static void index_pages(struct objects *objects)
{
	objects->pages = page_table_new();
	for (size_t r = 0; r < objects->run_count; r++) {
		const struct run *run = &objects->runs[r];
		uint64_t last = (run_end(run) - 1) >> PAGE_BITS;
		uint64_t first = run->slot >> PAGE_BITS;
		if (last - first >= RUN_PAGES) {
			objects->sparse = true;
			page_table_add(objects->pages, last, (uint32_t)r);
			last = first + RUN_PAGES;
		}
		for (uint64_t page = first; page <= last; page++)
			page_table_add(objects->pages, page, (uint32_t)r);
	}
}

uint64_t objects_build(struct objects *objects)
{
	if (objects->run_count) /* qsort wants no NULL */
		qsort(objects->runs, objects->run_count, sizeof *objects->runs, by_address);
	uint64_t dropped = drop_overlapping(objects);
	number(objects);
	index_blocks(objects);
	index_pages(objects);
	return dropped;
}

/* Reading */

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

/* The last run from `first` on that begins at or before the address. A page of a real dump has one. */
static inline const struct run *run_at(const struct objects *objects, size_t first, uint64_t address)
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
static bool locate(const struct run *run, uint64_t address, uint64_t *word, uint64_t *bit)
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
	uint32_t first = page_table_find(objects->pages, address >> PAGE_BITS);
	if (first == PAGE_NONE && objects->sparse)
		first = 0;
	if (first == PAGE_NONE || !locate(run_at(objects, first, address), address, &word, &bit))
		return OBJECT_NONE;
	uint32_t id = id_at(objects, word, bit);
	return id == OBJECT_FREE ? OBJECT_NONE : id;
}

/* The three memory accesses of objects_find, each for a whole block before the next. */
enum { BLOCK = 64 };

static void find_block(const struct objects *objects, const uint64_t *addresses, uint32_t *ids,
                       size_t count)
{
	uint64_t word[BLOCK], bit[BLOCK];
	for (size_t i = 0; i < count; i++) {
		ids[i] = page_table_find(objects->pages, addresses[i] >> PAGE_BITS);
		if (ids[i] != PAGE_NONE)
			__builtin_prefetch(&objects->runs[ids[i]]);
	}
	for (size_t i = 0; i < count; i++) {
		bool listed = ids[i] != PAGE_NONE;
		if (!listed && !objects->sparse)
			continue;
		const struct run *run = run_at(objects, listed ? ids[i] : 0, addresses[i]);
		ids[i] = listed ? OBJECT_FREE : OBJECT_NONE;
		bit[i] = 0;
		if (!locate(run, addresses[i], &word[i], &bit[i]))
			continue;
		ids[i] = OBJECT_FREE;
		__builtin_prefetch(&objects->bits[word[i]]);
		__builtin_prefetch(&objects->rank[word[i]]);
	}
	for (size_t i = 0; i < count; i++)
		if (ids[i] == OBJECT_FREE && bit[i])
			ids[i] = id_at(objects, word[i], bit[i]);
}

void objects_find_many(const struct objects *objects, const uint64_t *addresses, uint32_t *ids, size_t count)
{
	for (size_t i = 0; i < count; i += BLOCK)
		find_block(objects, addresses + i, ids + i, count - i < BLOCK ? count - i : BLOCK);
}

bool objects_has_page(const struct objects *objects, uint64_t address)
{
	return page_table_find(objects->pages, address >> PAGE_BITS) != PAGE_NONE ||
	       (objects->sparse && objects_find(objects, address) != OBJECT_NONE);
}

/* Blocks of objects are few runs long mostly: the first of them is noted. */
static const struct run *run_of(const struct objects *objects, uint32_t id)
{
	const struct run *run = &objects->runs[objects->run_at[id / ID_BLOCK]];
	while (id - run->first >= run->count)
		run++;
	return run;
}

/* The number of the n-th bit that is set in a word. */
static unsigned select_bit(uint64_t word, unsigned n)
{
	if (!(~word & UINT64_MAX >> (63 - n)))
		return n;
	while (n--)
		word &= word - 1;
	return (unsigned)__builtin_ctzll(word);
}

void objects_place(const struct objects *objects, uint32_t id, struct object_place *place)
{
	const struct run *run = run_of(objects, id);
	uint32_t word = run->word + (id - run->first) / 64, last = run->word + word_total(run) - 1;
	while (word < last && objects->rank[word + 1] <= id)
		word++;
	uint32_t skip = id - objects->rank[word];
	uint64_t slot = (uint64_t)(word - run->word) * 64 + select_bit(objects->bits[word], skip);
	*place = (struct object_place){.slot = run->slot + slot * run->size, .size = run->size,
	                               .header = run->header, .skip = skip,
	                               .offset = run->offset + objects->start[word]};
}

size_t objects_run_of(const struct objects *objects, uint32_t id)
{
	return (size_t)(run_of(objects, id) - objects->runs);
}

size_t objects_run_count(const struct objects *objects)
{
	return objects->run_count;
}

void objects_run(const struct objects *objects, size_t index, struct objects_run_view *view)
{
	const struct run *run = &objects->runs[index];
	*view = (struct objects_run_view){.slot = run->slot, .size = run->size, .offset = run->offset,
	                                  .header = run->header, .first = run->first, .count = run->count};
}

uint64_t objects_memory(const struct objects *objects)
{
	return objects->run_capacity * sizeof *objects->runs +
	       objects->word_capacity * sizeof *objects->bits +
	       objects->start_capacity * sizeof *objects->start +
	       objects->word_count * sizeof *objects->rank +
	       (objects->count / ID_BLOCK + 1) * sizeof *objects->run_at +
	       page_table_memory(objects->pages);
}
