/* Where values lie: in the dump, or in the executable. */
#include "types/govalue.h"

uint64_t govalue_number(const struct govalue *in, const uint8_t *data, uint64_t size)
{
	return image_decode(exe_image(in->names->exe), data, (unsigned)size);
}

/* Memory that the dump holds. */
static const uint8_t *memory_of_dump(const struct govalue *in, uint64_t address, uint64_t size,
                                     bool *found)
{
	struct object_record record;
	uint32_t id = heap_find(in->heap, address);
	*found = true;
	if (id != OBJECT_NONE) {
		uint64_t at = address;
		bool whole = heap_object(in->heap, id, &record) && (at -= record.slot) <= record.stored
		             && size <= record.stored - at;
		return whole ? record.data + at : NULL;
	}
	for (uint32_t i = 0; i < in->heap->segment_count; i++) {
		const struct segment_record *segment = &in->heap->segments[i];
		uint64_t at = address - segment->address;
		if (at < segment->size && size <= segment->size - at)
			return segment->data + at;
	}
	*found = false;
	return NULL;
}

const uint8_t *govalue_memory(const struct govalue *in, uint64_t address, uint64_t size)
{
	bool found;
	const uint8_t *data = memory_of_dump(in, address, size, &found);
	if (found)
		return data;
	return image_bytes(exe_image(in->names->exe), address - in->names->fit.bias, size);
}

uint64_t govalue_word(const struct govalue *in, uint64_t address)
{
	uint64_t word, bias = in->names->fit.bias;
	bool found;
	const uint8_t *data =
		memory_of_dump(in, address, in->heap->params.layout.pointer_size, &found);
	if (data)
		return heap_word(in->heap, data);
	bool constant = !found && image_pointer(exe_image(in->names->exe), address - bias, &word);
	return constant && word ? word + bias : 0;
}
