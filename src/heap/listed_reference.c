/* References of listed objects with their places and strengths. */
#include "heap/reference.h"

#include "base/bound.h"
#include "heap/columns.h"

#include <stddef.h>

const char *const strength_names[STRENGTHS] = {"strong", "soft", "weak", "ephemeron"};

struct weak_references heap_weak_references(const struct heap *heap)
{
	return (struct weak_references){heap->columns->weak, heap->columns->weak_count};
}

struct weak_references heap_weak_references_of(const struct heap *heap, uint32_t id)
{
	struct weak_references all = heap_weak_references(heap);
	size_t first = lower_bound(all.item, all.count, BOUND_BY(struct weak_reference, from), id);
	size_t end = upper_bound(all.item, all.count, BOUND_BY(struct weak_reference, from), id);
	return (struct weak_references){all.item + first, end - first};
}

size_t reference_count(const struct heap *heap, uint32_t id)
{
	return heap_references(heap, id).count + heap_weak_references_of(heap, id).count;
}

static bool reference_is_soft(const struct heap_columns *c, uint64_t edge)
{
	static const struct bound_by itself = {sizeof(uint64_t), 0, sizeof(uint64_t)};
	size_t at = lower_bound(c->soft, c->soft_count, itself, edge);
	return at < c->soft_count && c->soft[at] == edge;
}

struct reference reference_at(const struct heap *heap, uint32_t id, size_t number)
{
	const struct heap_columns *c = heap->columns;
	struct ids strong = heap_references(heap, id);
	if (number >= strong.count) {
		const struct weak_reference *weak =
			&heap_weak_references_of(heap, id).item[number - strong.count];
		return (struct reference){weak->target, weak->place, (enum strength)weak->strength};
	}
	uint64_t edge = starts_at(&c->starts, id) + number;
	return (struct reference){strong.id[number], c->place ? c->place[edge] : PLACE_NONE,
	                          reference_is_soft(c, edge) ? STRENGTH_SOFT : STRENGTH_STRONG};
}

bool reference_numbered(const struct heap *heap, uint32_t id, uint64_t place,
                        struct reference *reference)
{
	uint64_t number = place & ~PLACE_NUMBER;
	if (place_is_offset(place) || number >= reference_count(heap, id))
		return false;
	*reference = reference_at(heap, id, (size_t)number);
	return true;
}

bool reference_add_place(const struct heap *heap, uint32_t place, struct buf *name, uint64_t *index)
{
	return place == PLACE_NONE || !heap->format->place
	       || heap->format->place(heap->reader, place, name, index);
}

uint64_t listed_reference_find(const struct heap *heap, uint32_t from, uint32_t to, size_t nth)
{
	struct ids strong = heap_references(heap, from);
	struct weak_references weak = heap_weak_references_of(heap, from);
	for (size_t i = 0; i < strong.count; i++)
		if (strong.id[i] == to && nth-- == 0)
			return PLACE_NUMBER | i;
	for (size_t i = 0; i < weak.count; i++)
		if (weak.item[i].target == to && nth-- == 0)
			return PLACE_NUMBER | (strong.count + i);
	return UINT64_MAX;
}
