/* Pointer words described by bit masks, in memory of 8-byte words. */
#include "base/bits.h"
#include "go/format/dump/old_fields.h"

const struct old_fields fields_masks = {.layout = {.pointer_size = 8}};

void fields_of_mask(struct fields *f, enum fields_mask mask, uint64_t words)
{
	*f = (struct fields){.old = &fields_masks, .size = words, .mask = mask};
}

/* Steps to the next word with a bit. f->base is the first word of the mask. */
static bool next_bit(struct fields *f)
{
	for (; f->word < f->size; f->word++) {
		uint64_t n = f->word - f->base;
		if (f->period)
			n %= f->period;
		else if (n >= f->pointers)
			return false;
		if (n < f->pointers && bit_is_set(f->at, f->origin + n))
			return true;
	}
	return false;
}

static bool next_nibble(struct fields *f)
{
	for (; f->word < f->size; f->word++) {
		uint64_t n = f->origin + f->word;
		unsigned bits = (unsigned)f->at[n / 4] >> n % 4;
		if (!(bits & 0x10))
			f->size = 0;
		else if (bits & 1)
			return true;
	}
	return false;
}

static bool next_of_arena(struct fields *f)
{
	for (; f->word < f->size; f->word++) {
		uint64_t n = f->origin + f->word;
		if (f->word && n % 64 == 0 && f->data && bit_is_set(f->data, f->base + n / 64 - 1))
			f->size = 0;
		else if (bit_is_set(f->at, n))
			return true;
	}
	return false;
}

bool fields_next_mask(struct fields *f, uint64_t *offset)
{
	static bool (*const next[])(struct fields *) = {
		[FIELDS_BITS] = next_bit, [FIELDS_NIBBLES] = next_nibble, [FIELDS_ARENA] = next_of_arena};
	if (f->word >= f->size || (f->mask != FIELDS_EVERY && !next[f->mask](f)))
		return false;
	*offset = (uint64_t)f->word++ * 8;
	return true;
}
