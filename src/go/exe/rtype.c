#include "rtype.h"

/* Returns the size of the common part: the words size, pointers, equal, data; hash and flags (8
   bytes); name and pointer to this (8 bytes). */
static uint64_t common_size(const struct rtypes *table)
{
	return 4 * (uint64_t)table->image->pointer_size + 16;
}

/* Returns bytes of process memory, or NULL. */
static const uint8_t *memory_bytes(const struct rtypes *table, uint64_t address, uint64_t *offset,
                                   uint64_t *room)
{
	const struct gotypes_memory *memory = &table->memory;
	*offset = *room = 0;
	return memory->bytes ? memory->bytes(memory->self, address + memory->bias, offset, room) : NULL;
}

const uint8_t *rtype_bytes(const struct rtypes *table, uint64_t address, uint64_t *room)
{
	uint64_t offset;
	*room = image_room(table->image, address);
	if (*room > 0)
		return image_bytes(table->image, address, *room);
	return memory_bytes(table, address, &offset, room);
}

uint64_t rtype_number(const struct rtypes *table, uint64_t address)
{
	unsigned word = table->image->pointer_size;
	uint64_t room;
	const uint8_t *data = rtype_bytes(table, address, &room);
	return data && room >= word ? image_decode(table->image, data, word) : 0;
}

uint64_t rtype_pointer(const struct rtypes *table, uint64_t address)
{
	uint64_t value;
	if (image_pointer(table->image, address, &value))
		return value;
	value = rtype_number(table, address);
	return value ? value - table->memory.bias : 0;
}

static uint64_t rtype_place_of(const struct rtypes *table, const struct rtype *type, unsigned word)
{
	return type->address + common_size(table) + word * (uint64_t)table->image->pointer_size;
}

uint64_t rtype_word(const struct rtypes *table, const struct rtype *type, unsigned word)
{
	return rtype_pointer(table, rtype_place_of(table, type, word));
}

uint64_t rtype_count(const struct rtypes *table, const struct rtype *type, unsigned word)
{
	return rtype_number(table, rtype_place_of(table, type, word));
}

struct rtypes_part rtypes_range(const struct rtypes *table, size_t number)
{
	return number ? table->parts[number - 1] : (struct rtypes_part){table->base, table->end, 0};
}

bool rtypes_range_of(const struct rtypes *table, uint64_t address, struct rtypes_part *range)
{
	for (size_t i = 0; i <= table->part_count; i++) {
		*range = rtypes_range(table, i);
		if (address - range->base < range->end - range->base)
			return true;
	}
	return false;
}

static bool is_in_table(const struct rtypes *table, uint64_t address)
{
	struct rtypes_part range;
	return rtypes_range_of(table, address, &range);
}

/* Returns true if an object begins at the address: package reflect allocates each descriptor
   separately. */
static bool is_in_memory(const struct rtypes *table, uint64_t address)
{
	uint64_t offset, room;
	const uint8_t *data = memory_bytes(table, address, &offset, &room);
	return data && offset == 0 && room >= common_size(table);
}

bool rtype_is_made(const struct rtypes *table, const struct rtype *type)
{
	return !is_in_table(table, type->address);
}

static bool is_power(unsigned n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

static bool has_sane_parts(const struct rtypes *table, const struct rtype *type)
{
	uint64_t first = rtype_word(table, type, 0);
	switch (type->kind) {
	case GO_ARRAY:
	case GO_CHAN:
	case GO_MAP:
	case GO_POINTER:
	case GO_SLICE:
		return is_in_table(table, first) || is_in_memory(table, first);
	case GO_STRUCT:
		return rtype_count(table, type, 2) == rtype_count(table, type, 3);
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
	bool made = !is_in_table(table, address);
	uint64_t room;
	if (address % word != 0 || (made && !is_in_memory(table, address)))
		return false;
	const uint8_t *data = made ? rtype_bytes(table, address, &room)
	                           : image_bytes(image, address, common_size(table));
	if (!data)
		return false;
	unsigned kind = data[2 * word + 7] & 31;
	*type = (struct rtype){.address = address,
	                       .size = image_decode(image, data, word),
	                       .pointers = image_decode(image, data + word, word),
	                       .hash = (uint32_t)image_decode(image, data + 2 * word, 4),
	                       .flags = data[2 * word + 4],
	                       .align = data[2 * word + 5],
	                       .field_align = data[2 * word + 6],
	                       .kind = (enum gokind)kind,
	                       .name = (uint32_t)image_decode(image, data + 4 * word + 8, 4)};
	return kind != GO_INVALID && kind < GO_KINDS && is_power(type->align) && type->align <= 8
	       && is_power(type->field_align) && type->field_align <= 8 && type->pointers <= type->size
	       && type->pointers % word == 0 && type->hash != 0 && has_sane_parts(table, type)
	       && (made || is_printable(rtype_short_name(table, type)));
}
