#include "rtype.h"

/* Words of the common part: size, pointers, hash + flags (8 bytes), equal, data, name + pointer (8
   bytes). */
static uint64_t common_size(const struct rtypes *table)
{
	return 4 * (uint64_t)table->image->pointer_size + 16;
}

uint64_t rtype_word(const struct rtypes *table, const struct rtype *type, unsigned word)
{
	uint64_t value = 0, step = table->image->pointer_size;
	image_pointer(table->image, type->address + common_size(table) + word * step, &value);
	return value;
}

static bool is_power(unsigned n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

static bool has_sane_parts(const struct rtypes *table, const struct rtype *type)
{
	uint64_t first = rtype_word(table, type, 0);
	bool in_table = first >= table->base && first < table->end;
	switch (type->kind) {
	case GO_ARRAY: case GO_CHAN: case GO_MAP: case GO_POINTER: case GO_SLICE:
		return in_table;
	case GO_STRUCT:
		return rtype_word(table, type, 2) == rtype_word(table, type, 3);
	default:
		return true;
	}
}

static bool is_printable(struct text name)
{
	for (size_t i = 0; i < name.len && i < 256; i++)
		if ((uint8_t)name.data[i] < ' ' || name.data[i] == 0x7f)
			return false;
	return name.len > 0;
}

bool rtype_at(const struct rtypes *table, uint64_t address, struct rtype *type)
{
	const struct image *image = table->image;
	unsigned word = image->pointer_size;
	if (address < table->base || address >= table->end || address % word != 0)
		return false;
	const uint8_t *data = image_bytes(image, address, common_size(table));
	if (!data)
		return false;
	unsigned kind = data[2 * word + 7] & 31;
	*type = (struct rtype){
		.address = address, .size = image_decode(image, data, word),
		.pointers = image_decode(image, data + word, word),
		.hash = (uint32_t)image_decode(image, data + 2 * word, 4), .flags = data[2 * word + 4],
		.align = data[2 * word + 5], .field_align = data[2 * word + 6], .kind = (enum gokind)kind,
		.name = (uint32_t)image_decode(image, data + 4 * word + 8, 4)};
	return kind != GO_INVALID && kind < GO_KINDS && is_power(type->align) && type->align <= 8
	       && is_power(type->field_align) && type->field_align <= 8 && type->pointers <= type->size
	       && type->pointers % word == 0 && type->hash != 0 && has_sane_parts(table, type)
	       && is_printable(rtype_short_name(table, type));
}
