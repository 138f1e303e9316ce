#include "go_shift.h"

#include <string.h>

enum {
	PAIRS = 3,     /* fewer may be a number or a text: other words must agree */
	USED_BITS = 48 /* of an address */
};

/* Takes a pair of a list, (1, offset), from the end of some bytes. Returns false if there is none.
 */
static bool go_pair_before(const uint8_t *start, const uint8_t **end, uint64_t *offset)
{
	enum { LONGEST = 5 };
	const uint8_t *at = *end;
	if (at - start < 2 || at[-1] >= 0x80)
		return false;
	*offset = *--at;
	while (at - start > 1 && at[-1] >= 0x80 && *end - at < LONGEST)
		*offset = *offset << 7 | (*--at & 0x7f);
	*end = at - 1;
	return at[-1] == 1;
}

/* Returns true if the word at an offset points to the heap, or to where the program is loaded. */
static bool go_is_address(const struct go_contents *c, uint64_t offset)
{
	enum { PROGRAM = 1 << 26 };
	const struct params_record *params = c->params;
	unsigned width = params->layout.pointer_size;
	if (offset > c->size || c->size - offset < width)
		return false;
	uint64_t word = layout_word(&params->layout, c->data + offset);
	uint64_t least = c->segment > 2 * PROGRAM ? c->segment - PROGRAM : c->segment / 2;
	return (word >= params->heap_start && word < params->heap_end)
	       || (c->segment && word >= least && word - least < 2 * PROGRAM);
}

/* Returns true if the word at an offset, or what stands `lost` bytes before it, points to the heap.
 */
static bool go_was_pointer(const struct go_contents *c, uint64_t offset, uint64_t lost)
{
	return go_is_address(c, offset) || (offset >= lost && go_is_address(c, offset - lost));
}

/* Returns true if a word of the list is no address, or what stands `lost` bytes before it is one.
 */
static bool go_has_moved(const struct go_contents *c, uint64_t lost)
{
	const struct layout *layout = &c->params->layout;
	struct fields list = c->list;
	uint64_t offset;
	while (fields_next(&list, &offset)) {
		if (offset > c->size || c->size - offset < layout->pointer_size || go_is_address(c, offset))
			continue;
		uint64_t word = layout_word(layout, c->data + offset);
		if (word >> USED_BITS || (offset >= lost && go_is_address(c, offset - lost)))
			return true;
	}
	return false;
}

/* Returns true if the list of an object beside this one begins in these contents, `lost` bytes
   before their end, and goes on in the list behind them. */
static bool go_is_list_beside(const struct go_contents *c, uint64_t lost)
{
	for (size_t i = 0; i < sizeof c->beside / sizeof *c->beside; i++) {
		const struct go_list *beside = &c->beside[i];
		size_t length = beside->size == c->size ? (size_t)(beside->end - beside->at) : 0;
		if (length && length == lost + (size_t)(c->list.end - c->list.at)
		    && memcmp(beside->at, c->list.at - lost, length) == 0)
			return true;
	}
	return false;
}

/* Takes the pair before *end whose offset comes before those behind it, from `behind` on. */
static bool go_pair_of_list(const struct go_contents *c, const uint8_t **end, uint64_t behind,
                            uint64_t *offset)
{
	return go_pair_before(c->data, end, offset) && *offset < behind
	       && *offset % c->params->layout.pointer_size == 0;
}

static uint64_t go_first_offset(struct fields list)
{
	uint64_t offset;
	return fields_next(&list, &offset) ? offset : UINT64_MAX;
}

bool go_ends_in_list(const struct go_contents *c)
{
	const uint8_t *end = c->data + c->size;
	uint64_t offset;
	return c->data && !c->list.old && c->list.at == end
	       && go_pair_of_list(c, &end, go_first_offset(c->list), &offset);
}

static void go_list_step(struct fields *list, uint64_t *offset)
{
	if (!fields_next(list, offset))
		*offset = UINT64_MAX;
}

/* Returns true if a word is an address and not in the list that begins at `start`, nor `lost` bytes
   before one that is: memory that was used before, and not cleared, has such words. */
static bool go_has_unlisted(const struct go_contents *c, const uint8_t *start, uint64_t lost)
{
	struct fields list = c->list, moved;
	uint64_t next, next_moved, width = c->params->layout.pointer_size;
	list.at = start;
	moved = list;
	go_list_step(&list, &next);
	go_list_step(&moved, &next_moved);
	for (uint64_t offset = 0; c->size - offset >= width; offset += width) {
		while (next < offset)
			go_list_step(&list, &next);
		while (next_moved < offset + lost)
			go_list_step(&moved, &next_moved);
		if (next != offset && next_moved != offset + lost && go_is_address(c, offset))
			return true;
	}
	return false;
}

bool go_lost_bytes(const struct go_contents *c)
{
	if (!go_ends_in_list(c))
		return false;
	const uint8_t *end = c->list.at;
	uint64_t offset = go_first_offset(c->list);
	bool pointers = true;
	for (unsigned pairs = 1; go_pair_of_list(c, &end, offset, &offset); pairs++) {
		uint64_t lost = (uint64_t)(c->list.at - end);
		pointers = pointers && go_was_pointer(c, offset, lost);
		if (pairs == PAIRS || (pointers && !go_has_unlisted(c, end, lost)) || go_has_moved(c, lost)
		    || go_is_list_beside(c, lost))
			return true;
	}
	return false;
}

/* Returns true if the entry of a function, a varint, lacks its first bytes: with them it would be
   shortly before the place where the frame goes on, and without them the function would be long. */
static bool go_is_cut_entry(const struct frame_record *frame)
{
	enum { LONG = 1 << 16, LONGER = 1 << 20, BITS = 7, MOST = 3 };
	if (frame->pc < frame->entry_pc || frame->pc - frame->entry_pc < LONG)
		return false;
	for (unsigned lost = 1; lost <= MOST; lost++) {
		uint64_t unit = UINT64_C(1) << BITS * lost, count = frame->pc / unit;
		if (frame->entry_pc <= count && count - frame->entry_pc <= LONGER / unit)
			return true;
	}
	return false;
}

bool go_frame_is_shifted(const struct frame_record *frame)
{
	enum { LONGEST = 1 << 26 }; /* of a function, and longer than any */
	return frame->pc && (frame->pc - frame->entry_pc >= LONGEST || go_is_cut_entry(frame));
}
