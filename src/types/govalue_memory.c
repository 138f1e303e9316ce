/* Where values lie: in the dump, or in the executable. */
#include "types/govalue.h"

uint64_t govalue_number(const struct govalue *in, const uint8_t *data, uint64_t size)
{
	return image_decode(exe_image(in->names->exe), data, (unsigned)size);
}

bool govalue_piece(const struct govalue *in, uint64_t address, struct govalue_piece *piece)
{
	struct object_record record;
	uint32_t id = heap_find(in->heap, address);
	if (id != OBJECT_NONE) {
		bool known = heap_object(in->heap, id, &record);
		*piece = (struct govalue_piece){record.slot, known ? record.stored : 0, record.data};
		return true;
	}
	for (uint32_t i = 0; i < in->heap->segment_count; i++) {
		const struct segment_record *segment = &in->heap->segments[i];
		*piece = (struct govalue_piece){segment->address, segment->size, segment->data};
		if (address - segment->address < segment->size)
			return true;
	}
	*piece = (struct govalue_piece){0};
	return false;
}

const uint8_t *govalue_piece_at(const struct govalue_piece *piece, uint64_t address, uint64_t size)
{
	uint64_t at = address - piece->address;
	return at < piece->size && size <= piece->size - at ? piece->data + at : NULL;
}

const uint8_t *govalue_memory(const struct govalue *in, uint64_t address, uint64_t size)
{
	struct govalue_piece piece;
	if (govalue_piece(in, address, &piece))
		return govalue_piece_at(&piece, address, size);
	return image_bytes(exe_image(in->names->exe), address - in->names->fit.bias, size);
}

uint64_t govalue_word(const struct govalue *in, uint64_t address)
{
	uint64_t word, bias = in->names->fit.bias;
	struct govalue_piece piece;
	if (govalue_piece(in, address, &piece)) {
		const uint8_t *data =
			govalue_piece_at(&piece, address, in->heap->params.layout.pointer_size);
		return data ? heap_word(in->heap, data) : 0;
	}
	bool constant = image_pointer(exe_image(in->names->exe), address - bias, &word);
	return constant && word ? word + bias : 0;
}
