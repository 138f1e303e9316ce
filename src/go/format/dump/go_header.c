/* Slots of exactly 32 KiB. The largest size class has an allocation header, like smaller ones; an
   object of the same size with its own span, the smallest such object, has none. The words of the
   slot decide. */
#include "go/format/dump/go_object.h"

enum { WORD = 8, WORDS = GO_HEADER_MAX / WORD, LEAST_ADDRESS = 4096 };

struct slot {
	const struct layout *layout;
	const uint8_t *data;
	uint64_t log[WORDS / 64]; /* one bit per word: it is in the pointer list */
};

static bool is_log(const struct slot *slot, unsigned word)
{
	return slot->log[word / 64] >> word % 64 & 1;
}

static uint64_t word_of(const struct slot *slot, unsigned word)
{
	return layout_word(slot->layout, slot->data + (size_t)word * WORD);
}

static bool is_address(uint64_t word)
{
	return word >= LEAST_ADDRESS && word % WORD == 0;
}

/* Returns the period of the pointer words, from the first word on; 0 if there is none that divides
   the slot. */
static unsigned step_of(const struct slot *slot)
{
	for (unsigned step = 1; step <= WORDS / 2; step *= 2) {
		unsigned word = step;
		while (word < WORDS && is_log(slot, word) == is_log(slot, word - step))
			word++;
		if (word == WORDS)
			return step;
	}
	return 0;
}

/* Returns true for an array of values that begin with interfaces, which looks like a header
   followed by values that begin with a pointer. In the former case a type precedes each pointer; in
   the latter it is whatever follows the pointer of the previous value, such as the length of a
   string. */
static bool is_row_of_interfaces(const struct slot *slot)
{
	unsigned step = step_of(slot), interfaces = 0;
	for (unsigned word = step; step && word + 1 < WORDS; word += step) {
		if (!is_log(slot, word + 1) || !word_of(slot, word + 1))
			continue;
		if (!is_address(word_of(slot, word)))
			return false;
		interfaces++;
	}
	return interfaces > 0;
}

bool go_header_is_there(const struct go_reader *reader, const struct object_record *object)
{
	struct slot slot = {.layout = &reader->params.layout, .data = object->data};
	struct fields fields = object->fields;
	uint64_t offset;
	bool wide = reader->params.layout.pointer_size == WORD;
	while (fields_next(&fields, &offset)) {
		if (offset < GO_HEADER_SIZE)
			return false;
		if (offset % WORD == 0 && offset / WORD < WORDS)
			slot.log[offset / WORD / 64] |= (uint64_t)1 << offset / WORD % 64;
	}
	if (!wide)
		return layout_word(slot.layout, slot.data) >= LEAST_ADDRESS;
	return is_address(word_of(&slot, 0)) && !is_row_of_interfaces(&slot);
}
