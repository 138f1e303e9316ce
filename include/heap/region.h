/* Regions are pieces of memory that get types: objects, data and bss, frames; with contents and a
   mask of pointer words. */
#pragma once

#include "base/bits.h"
#include "base/index_io.h"
#include "base/starts.h"
#include "heap/objects.h"

struct heap;
struct outline;
struct progress;

enum region_kind { REGION_OBJECT, REGION_SEGMENT, REGION_FRAME };

struct region {
	uint32_t ref; /* object id, or count + segment, or count + segments + frame */
	uint32_t run; /* run of an object */
	enum region_kind kind;
	uint64_t address, size;
	const uint8_t *data; /* `size` bytes */
	uint64_t bit;        /* bit of its first word in the mask */
	unsigned header;     /* bytes of the allocation header */
	bool noscan;         /* an object without pointer words */
};

struct regions {
	const struct heap *heap;
	const struct layout *layout; /* of words */
	unsigned width, shift;       /* bytes of a word, and its power of two */
	uint32_t objects, segments, frames;
	const struct outline *outline; /* of the heap, whose mask is borrowed; NULL: there is none */
	uint64_t *mask;                /* one bit per word: it holds a pointer */
	size_t mask_size;              /* in bytes */
	uint64_t *run_bit;             /* per run of objects: bit of its first object */
	uint8_t *run_noscan;           /* per run of objects: none has a pointer word */
	size_t run_noscan_size;
	/* Where contents begin, relative to the offset of the run: `places`, and for each object of the
	   run before it its bytes and `run_gap`. */
	struct starts places;
	uint8_t *run_gap;
	uint64_t *other_bit; /* per segment, then per frame */
	uint32_t *by_sp;     /* frames sorted by sp */
};

bool regions_init(struct regions *regions, const struct heap *heap, struct progress *progress);
void regions_fini(struct regions *regions);
/* Like regions_init, but of objects only the address range is known, not what they contain. */
void regions_init_others(struct regions *regions, const struct heap *heap);
void regions_get(const struct regions *regions, uint32_t ref, struct region *region);
/* Returns true if an object of a run has no pointer words. For loops over all runs. */
bool regions_run_noscan(const struct regions *regions, size_t run,
                        const struct objects_run_view *view, uint32_t id);
/* Returns the bit of the first word of an object of a run. */
uint64_t regions_bit(const struct regions *regions, size_t run, const struct objects_run_view *view,
                     uint32_t id);
/* Finds the region that contains an address. Returns false if there is none. */
bool regions_find(const struct regions *regions, uint64_t address, struct region *region);
/* Like regions_find, given the result of objects_locate_many for the address. */
bool regions_find_hit(const struct regions *regions, uint64_t address, struct objects_hit hit,
                      struct region *region);
/* Returns the region of an object whose run is known. */
void regions_get_hit(const struct regions *regions, struct objects_hit hit, struct region *region);
/* Returns the region of an object without its address, which costs more to find than the rest. */
void regions_look(const struct regions *regions, uint32_t id, struct region *region);
/* Prefetches the data for regions_find_hit and regions_get_hit; hit.object must not be
   OBJECT_NONE. */
void regions_prefetch(const struct regions *regions, struct objects_hit hit);

/* Returns true if `bytes` is a multiple of the word size. */
static inline bool regions_aligned(const struct regions *regions, uint64_t bytes)
{
	return !(bytes & (regions->width - 1));
}

static inline bool region_points(const struct regions *regions, const struct region *region,
                                 uint64_t offset)
{
	return word_bit_is_set(regions->mask, region->bit + (offset >> regions->shift));
}

/* Returns up to 64 bits of a mask such as regions.mask. */
static inline uint64_t region_bits(const uint64_t *mask, uint64_t bit, uint64_t count)
{
	uint64_t have = 64 - bit % 64, bits = mask[bit / 64] >> bit % 64;
	if (count > have)
		bits |= mask[bit / 64 + 1] << have;
	return count < 64 ? bits & (((uint64_t)1 << count) - 1) : bits;
}

/* Returns one bit per word, for up to 64 words: it is a pointer. */
static inline uint64_t region_points_many(const struct regions *regions,
                                          const struct region *region, uint64_t offset,
                                          uint64_t count)
{
	return region_bits(regions->mask, region->bit + (offset >> regions->shift), count);
}

static inline uint64_t region_word(const struct regions *regions, const struct region *region,
                                   uint64_t offset)
{
	return layout_word(regions->layout, region->data + offset);
}
