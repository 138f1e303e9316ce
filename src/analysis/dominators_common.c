/* The nearest common dominator of many nodes: part of analysis/dominators.h. */
#include "analysis/dominators.h"

#include "base/map.h"
#include "heap/heap.h"

/* Gives the nodes from one on, up to the first that has a number, that number. */
static uint64_t dominators_number(const struct dominators *d, struct map *numbers, uint32_t node)
{
	uint64_t number = UINT64_MAX;
	uint32_t at = node;
	while (at != OBJECT_NONE && !map_get(numbers, at, &number))
		at = dominators_above(d, at);
	for (uint32_t i = node; i != at; i = dominators_above(d, i))
		map_put(numbers, i, number);
	return number;
}

uint32_t dominators_common(const struct dominators *dominators, const uint32_t *nodes, size_t count)
{
	SCOPED_MAP numbers = {0}; /* node -> the number of the first of the dominators below at it */
	uint64_t farthest = 0, above = 0;
	size_t first = 0;
	while (first < count && dominators_above(dominators, nodes[first]) == OBJECT_NONE)
		first++;
	uint32_t start = first < count ? dominators_above(dominators, nodes[first]) : OBJECT_NONE;
	for (uint32_t at = start; at != OBJECT_NONE; at = dominators_above(dominators, at))
		map_put(&numbers, at, above++);
	for (size_t i = first; i < count; i++) {
		uint32_t holder = dominators_above(dominators, nodes[i]);
		if (holder == OBJECT_NONE)
			continue;
		uint64_t number = dominators_number(dominators, &numbers, holder);
		if (number > farthest && number != UINT64_MAX)
			farthest = number;
	}
	for (uint64_t i = 0; i < farthest; i++)
		start = dominators_above(dominators, start);
	return start;
}
