#include "go/format/dump/old_fields.h"

/* Steps to the next word of memory that the collector scans conservatively. */
static bool next_word(struct fields *f, uint64_t *offset)
{
	unsigned width = f->old->layout.pointer_size;
	if (f->size < width || f->base > f->size - width)
		return false;
	*offset = f->base;
	f->base += width;
	return true;
}

static bool next_pair(struct fields *f, unsigned *kind, uint64_t *offset)
{
	struct fields plain = {.at = f->at, .end = f->end};
	*kind = f->at < f->end ? *f->at : 0;
	bool found = fields_next(&plain, offset);
	f->at = plain.at;
	return found;
}

/* Returns true if the data word of an interface is the value itself, which is possible in Go 1.3:
   its itab or type decides. */
static bool is_scalar(const struct fields *f, uint64_t offset)
{
	uint64_t ignored;
	uint64_t word = layout_word(&f->old->layout, f->data + offset);
	return map_get(&f->old->scalars, word, &ignored);
}

static bool old_fields_fits(const struct fields *f, uint64_t offset)
{
	return f->size >= f->old->layout.pointer_size
	       && offset <= f->size - f->old->layout.pointer_size;
}

bool fields_next_old(struct fields *f, uint64_t *offset)
{
	unsigned kind, width = f->old->layout.pointer_size;
	if (f->old == &fields_masks)
		return fields_next_mask(f, offset);
	if (!f->list)
		return next_word(f, offset);
	for (;;) {
		while (next_pair(f, &kind, offset)) {
			enum old_kind meaning = kind <= f->old->max_kind ? f->old->kinds[kind] : OLD_NONE;
			uint64_t first = f->base + *offset;
			*offset = first + (meaning > OLD_POINTER ? width : 0);
			if (meaning == OLD_NONE || first < f->base || *offset < first
			    || !old_fields_fits(f, *offset))
				continue;
			if (meaning <= OLD_DATA || !is_scalar(f, first))
				return true;
		}
		if (f->stride == 0 || f->size - f->base < 2 * f->stride)
			return false;
		f->base += f->stride;
		f->at = f->list;
	}
}
