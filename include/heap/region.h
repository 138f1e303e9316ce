/* Memory that types are given to: objects, data and bss, frames; with its contents and the words
   that hold pointers. */
#ifndef HEAP_REGION_H
#define HEAP_REGION_H

#include "base/index_file.h"
#include "heap/heap.h"

enum region_kind { REGION_OBJECT, REGION_SEGMENT, REGION_FRAME };

struct region {
	uint32_t ref; /* object id, or count + segment, or count + segments + frame */
	uint32_t run; /* of an object */
	enum region_kind kind;
	uint64_t address, size;
	const uint8_t *data; /* `size` bytes */
	uint64_t bit;        /* of its first word in the mask */
	unsigned header;     /* bytes before what the program sees */
	bool noscan;         /* an object without any pointer word */
};

struct regions {
	const struct heap *heap;
	unsigned width, shift; /* of a word: bytes, and as a power of two */
	uint32_t objects, segments, frames;
	uint64_t *mask;      /* a bit a word: it holds a pointer */
	size_t mask_size;    /* bytes */
	uint64_t *run_bit;   /* by run of objects: bit of its first object */
	uint8_t *run_noscan; /* by run of objects: none of them has a pointer word */
	size_t run_noscan_size;
	uint32_t *data; /* by object: where its contents are, from its run's offset */
	size_t data_size;
	uint64_t *other_bit; /* by segment, then frame */
	uint32_t *by_sp;     /* frames, sorted by sp */
};

bool regions_init(struct regions *regions, const struct heap *heap, struct progress *progress);
void regions_fini(struct regions *regions);
/* Into an index, and from there, as regions_init has made them. False: the file has none of this
   heap; nothing is to be given back then. */
void regions_save(const struct regions *regions, struct index_writer *writer);
bool regions_load(struct regions *regions, const struct heap *heap, struct index_file *file);
void regions_get(const struct regions *regions, uint32_t ref, struct region *region);
/* Has an object of a run no pointer word? Without a look for the run, for those who go through all.
 */
bool regions_run_noscan(const struct regions *regions, size_t run,
                        const struct objects_run_view *view, uint32_t id);
/* Where an object of a run has its bits in the mask. */
uint64_t regions_bit(const struct regions *regions, size_t run, const struct objects_run_view *view,
                     uint32_t id);
/* The region that an address lies in; false: none. */
bool regions_find(const struct regions *regions, uint64_t address, struct region *region);
/* The same of what objects_locate_many has said of the address. */
bool regions_find_hit(const struct regions *regions, uint64_t address, struct objects_hit hit,
                      struct region *region);
/* Of an object whose run is known. */
void regions_get_hit(const struct regions *regions, struct objects_hit hit, struct region *region);
/* Asks for what the two will need; there must be an object. */
void regions_prefetch(const struct regions *regions, struct objects_hit hit);

/* Of whole words? */
static inline bool regions_aligned(const struct regions *regions, uint64_t bytes)
{
	return !(bytes & (regions->width - 1));
}

static inline bool region_points(const struct regions *regions, const struct region *region,
                                 uint64_t offset)
{
	uint64_t bit = region->bit + (offset >> regions->shift);
	return regions->mask[bit / 64] >> bit % 64 & 1;
}

/* Up to 64 bits of regions.mask, or of others like it. */
static inline uint64_t region_bits(const uint64_t *mask, uint64_t bit, uint64_t count)
{
	uint64_t have = 64 - bit % 64, bits = mask[bit / 64] >> bit % 64;
	if (count > have)
		bits |= mask[bit / 64 + 1] << have;
	return count < 64 ? bits & (((uint64_t)1 << count) - 1) : bits;
}

/* The same of up to 64 words: a bit each. */
static inline uint64_t region_points_many(const struct regions *regions,
                                          const struct region *region, uint64_t offset,
                                          uint64_t count)
{
	return region_bits(regions->mask, region->bit + (offset >> regions->shift), count);
}

static inline uint64_t region_word(const struct regions *regions, const struct region *region,
                                   uint64_t offset)
{
	return heap_word(regions->heap, region->data + offset);
}

#endif
