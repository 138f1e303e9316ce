/* Where the contents of each object are in the file and which of their words are pointers, noted
   while the file is read, so that nobody decodes its records again. A row per
   object, in the order of the file: a byte, and a bit per word. */
#pragma once

#include "base/input.h"
#include "heap/object_ids.h"
#include "heap/objects_table.h"

#include <string.h>

enum { OUTLINE_SHORT = 64 }; /* words of an object whose mask is one number */

struct outline_run {
	uint64_t bit;   /* of its first object in the mask */
	uint32_t first; /* row of that object */
	uint32_t far;   /* its first far gap */
};

struct outline {
	const uint8_t *file; /* start of the file; NULL: nothing is noted */
	unsigned width, shift;
	struct outline_run *runs; /* by run->told */
	size_t run_count, run_capacity;
	/* Per row: bytes in front of its contents, from the contents of the row before it or the offset
	   of the run on; UINT8_MAX: the next one of `far`. */
	uint8_t *gap;
	uint64_t *far;
	size_t far_count, far_capacity;
	uint64_t *mask; /* one bit per word of the contents: it holds a pointer */
	size_t gap_size, mask_size;
	uint32_t count; /* rows */
	uint64_t bits;
	uint64_t points; /* mask of the last record, without words from OUTLINE_SHORT on */
	uint64_t end;    /* of the contents of the last row */
};

/* Begins before the first record of an object. `width`: bytes of a pointer. */
struct outline *outline_new(const struct input *input, unsigned width);
void outline_free(struct outline *outline);

/* Private. Makes the mask of a record, and adds it if it is long and `added`. Ends the notes if
   they cannot tell what the list tells: an order of its own, fields that are no words, a list of
   another kind. */
void outline_look(struct outline *outline, const struct object_record *record, bool added);
/* Private. */
void outline_add_run(struct outline *outline, const struct run *run);
void outline_add_far(struct outline *outline, uint64_t gap);

/* Notes the record of an object, in the order of the file. `run`: to which it was added, as the
   last one; NULL: it was not added. */
static inline void outline_note(struct outline *o, const struct object_record *record,
                                const struct run *run)
{
	uint64_t words = (record->stored + o->width - 1) >> o->shift;
	if (run && run->count == 1)
		outline_add_run(o, run);
	if (!record->alike || words > OUTLINE_SHORT)
		outline_look(o, record, run != NULL);
	if (!run || !o->file)
		return;
	uint64_t at = (uint64_t)(record->data - o->file), gap = at - o->end;
	o->end = at + record->stored;
	o->gap[o->count++] = gap < UINT8_MAX ? (uint8_t)gap : UINT8_MAX;
	if (gap >= UINT8_MAX)
		outline_add_far(o, gap);
	if (words <= OUTLINE_SHORT) {
		o->mask[o->bits / 64] |= o->points << o->bits % 64;
		o->mask[o->bits / 64 + 1] |= o->points >> 1 >> (63 - o->bits % 64);
	}
	o->bits += words;
}

/* Notes `count` objects like the last one, of the same run, whose records have `bytes` bytes. */
static inline void outline_note_row(struct outline *o, const struct object_record *last,
                                    size_t count, uint64_t bytes)
{
	uint64_t words = (last->stored + o->width - 1) >> o->shift;
	uint64_t bit = o->bits;
	if (!o->file)
		return;
	memset(o->gap + o->count, (int)(bytes - last->stored), count);
	o->count += (uint32_t)count;
	o->end += count * bytes;
	o->bits += count * words;
	for (; o->points && bit < o->bits; bit += words) {
		o->mask[bit / 64] |= o->points << bit % 64;
		o->mask[bit / 64 + 1] |= o->points >> 1 >> (63 - bit % 64);
	}
}

/* Returns true if outline_note_row() may be called. */
static inline bool outline_takes_row(const struct outline *o, const struct object_record *last,
                                     uint64_t bytes)
{
	return last->stored <= OUTLINE_SHORT * o->width && bytes - last->stored < UINT8_MAX;
}

/* Begins a walk over the objects of a run, which need not be in the order of the file. */
struct outline_walk outline_walk(const struct outline *outline, const struct run *run);

/* Returns the contents of the next object. */
static inline const uint8_t *outline_next(struct outline_walk *walk)
{
	uint8_t gap = *walk->gap++;
	const uint8_t *contents = walk->next + (gap < UINT8_MAX ? gap : *walk->far++);
	walk->next = contents + walk->stored;
	return contents;
}
