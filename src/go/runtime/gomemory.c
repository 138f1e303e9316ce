#include "go/runtime/gomemory.h"

#include "go/runtime/goruntime.h"
#include "heap/heap.h"

uint64_t gomemory_number(const struct heap *heap, const uint8_t *data, uint64_t size)
{
	bool big = heap->params.layout.big_endian;
	uint64_t value = 0;
	for (uint64_t i = 0; i < size; i++)
		value = value << 8 | data[big ? i : size - 1 - i];
	return value;
}

bool gomemory_object(const struct heap *heap, uint32_t id, struct gomemory_piece *piece)
{
	struct object_record record;
	if (!heap_object(heap, id, &record))
		return false;
	*piece = (struct gomemory_piece){record.slot, record.stored, record.data};
	return true;
}

bool gomemory_piece(const struct heap *heap, uint64_t address, struct gomemory_piece *piece)
{
	uint32_t id = heap_find(heap, address);
	if (id != OBJECT_NONE) {
		if (!gomemory_object(heap, id, piece))
			*piece = (struct gomemory_piece){0};
		return true;
	}
	for (uint32_t i = 0; i < heap->segment_count; i++) {
		const struct segment_record *segment = &heap->segments[i];
		*piece = (struct gomemory_piece){segment->address, segment->size, segment->data};
		if (address - segment->address < segment->size)
			return true;
	}
	struct segment_record more;
	bool found = heap->format && heap->format->variables
	             && heap->format->variables(heap->reader, address, &more);
	*piece = found ? (struct gomemory_piece){more.address, more.size, more.data}
	               : (struct gomemory_piece){0};
	return found;
}

const uint8_t *gomemory_in_piece(const struct gomemory_piece *piece, uint64_t address,
                                 uint64_t size)
{
	uint64_t at = address - piece->address;
	return at < piece->size && size <= piece->size - at ? piece->data + at : NULL;
}

const uint8_t *gomemory_in_dump(const struct heap *heap, uint64_t address, uint64_t size)
{
	struct gomemory_piece piece;
	return gomemory_piece(heap, address, &piece) ? gomemory_in_piece(&piece, address, size) : NULL;
}

uint64_t gomemory_word_in_dump(const struct heap *heap, uint64_t address)
{
	const uint8_t *data = gomemory_in_dump(heap, address, heap->params.layout.pointer_size);
	return data ? heap_word(heap, data) : 0;
}

const uint8_t *gomemory_bytes(const struct goruntime *rt, uint64_t address, uint64_t size)
{
	struct gomemory_piece piece;
	if (gomemory_piece(rt->heap, address, &piece))
		return gomemory_in_piece(&piece, address, size);
	return image_bytes(gotypes_image(rt->types), address - rt->bias, size);
}

uint64_t gomemory_word(const struct goruntime *rt, uint64_t address)
{
	uint64_t word;
	struct gomemory_piece piece;
	if (gomemory_piece(rt->heap, address, &piece)) {
		const uint8_t *data =
			gomemory_in_piece(&piece, address, rt->heap->params.layout.pointer_size);
		return data ? heap_word(rt->heap, data) : 0;
	}
	bool constant = image_pointer(gotypes_image(rt->types), address - rt->bias, &word);
	return constant && word ? word + rt->bias : 0;
}
