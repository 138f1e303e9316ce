#include "heap/outline.h"

#include "base/mem.h"

#include <stdlib.h>

/* A record has at least LEAST_RECORD bytes, and each word of a mask takes as many of the file. Only
   written pages of the columns take memory. */
enum { LEAST_RECORD = 4 };

struct outline *outline_new(const struct input *input, unsigned width)
{
	struct outline *o = mem_alloc(sizeof *o);
	uint64_t most = input->size / LEAST_RECORD + 1;
	*o = (struct outline){.file = input->data, .width = width, .shift = width == 8 ? 3 : 2};
	o->gap_size = most * sizeof *o->gap;
	o->mask_size = (most / 64 + 2) * sizeof *o->mask;
	o->gap = mem_column_most(o->gap_size);
	o->mask = mem_column_most(o->mask_size);
	return o;
}

void outline_free(struct outline *o)
{
	if (!o)
		return;
	mem_column_free(o->gap, o->gap_size);
	mem_column_free(o->mask, o->mask_size);
	free(o->far);
	free(o->runs);
	free(o);
}

/* Adds the pointers among 64 words of the object that is being noted. */
static void outline_add_words(struct outline *o, uint64_t word, uint64_t points)
{
	uint64_t bit = o->bits + word;
	o->mask[bit / 64] |= points << bit % 64;
	o->mask[bit / 64 + 1] |= points >> 1 >> (63 - bit % 64);
}

void outline_look(struct outline *o, const struct object_record *record, bool added)
{
	struct fields fields = record->fields;
	uint64_t offset, least = 0, first = 0, points = 0, shift = o->shift;
	bool regular = !fields.old && fields.at == record->data + record->stored,
		 adds = added && record->stored > OUTLINE_SHORT * o->width;
	while (regular && fields_next(&fields, &offset)) {
		if (record->stored < o->width || offset > record->stored - o->width)
			continue;
		regular = offset >= least && offset % o->width == 0;
		least = offset + 1;
		if ((offset >> shift) - first >= 64) {
			if (adds)
				outline_add_words(o, first, points);
			first = offset >> shift & ~(uint64_t)63;
			points = 0;
		}
		points |= (uint64_t)1 << (offset >> shift) % 64;
	}
	o->points = points;
	if (adds)
		outline_add_words(o, first, points);
	if (!regular)
		o->file = NULL;
}

void outline_add_run(struct outline *o, const struct run *run)
{
	o->end = run->offset;
	MEM_PUSH(o->runs, o->run_count, o->run_capacity,
	         (struct outline_run){o->bits, o->count, (uint32_t)o->far_count});
}

void outline_add_far(struct outline *o, uint64_t gap)
{
	MEM_PUSH(o->far, o->far_count, o->far_capacity, gap);
}

struct outline_walk outline_walk(const struct outline *o, const struct run *run)
{
	const struct outline_run *noted = &o->runs[run->told];
	return (struct outline_walk){.gap = o->gap + noted->first,
	                             .far = o->far ? o->far + noted->far : NULL,
	                             .next = o->file + run->offset,
	                             .stored = object_stored(run->size),
	                             .bit = noted->bit};
}
