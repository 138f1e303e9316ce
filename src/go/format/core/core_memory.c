#include "core_memory.h"

#include <string.h>

const uint8_t *memory_peek(const struct core_memory *memory, uint64_t address, uint64_t size)
{
	const uint8_t *bytes = core_file_at(&memory->file, address, size);
	return bytes ? bytes : image_bytes(exe_image(memory->exe), address - memory->bias, size);
}

const uint8_t *memory_at(const struct core_memory *memory, uint64_t address, uint64_t size)
{
	const uint8_t *bytes = memory_peek(memory, address, size);
	redaction_keep(memory->file.redaction, bytes, bytes ? size : 0);
	return bytes;
}

bool memory_number(const struct core_memory *memory, uint64_t address, unsigned bytes,
                   uint64_t *value)
{
	const uint8_t *data = memory_at(memory, address, bytes);
	*value = 0;
	if (data)
		memcpy(value, data, bytes);
	return data;
}

uint64_t memory_word(const struct core_memory *memory, uint64_t address)
{
	uint64_t value;
	memory_number(memory, address, 8, &value);
	return value;
}

uint64_t memory_peek_word(const struct core_memory *memory, uint64_t address)
{
	const uint8_t *data = memory_peek(memory, address, 8);
	uint64_t value = 0;
	if (data)
		memcpy(&value, data, 8);
	return value;
}

uint64_t memory_offset(const struct core_memory *memory, uint64_t address)
{
	const struct core_segment *segment = core_file_segment(&memory->file, address);
	return segment ? segment->offset + (address - segment->address) : UINT64_MAX;
}

static uint64_t room_at(const struct core_memory *memory, uint64_t address)
{
	const struct core_segment *segment = core_file_segment(&memory->file, address);
	if (segment)
		return segment->size - (address - segment->address);
	return image_room(exe_image(memory->exe), address - memory->bias);
}

struct memory_slice memory_slice(const struct core_memory *memory, uint64_t address, unsigned size)
{
	struct memory_slice slice = {memory_word(memory, address), memory_word(memory, address + 8)};
	uint64_t most = slice.count ? room_at(memory, slice.address) / size : 0;
	if (slice.count > most)
		slice.count = most;
	return slice;
}
