/* References between the objects of a heap as a graph in both directions. */
#pragma once

#include "base/starts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap;

struct ids {
	const uint32_t *id;
	size_t count;
}; /* borrowed */

/* Returns the targets of an object's references in the order of its fields, including duplicates.
   Requires heap_link. */
struct ids heap_references(const struct heap *heap, uint32_t id);
/* Returns true if each pointer of an object to an address in *low ... *low + *span - 1 leads to an
   object, and so is one of its references, and no other pointer does. False: not known. */
bool heap_all_linked(const struct heap *heap, uint64_t *low, uint64_t *span);
/* Returns the referrers of an object, ascending, including duplicates. Requires heap_link; the
   first call builds them, unless heap_reverse has. */
struct ids heap_referrers(const struct heap *heap, uint32_t id);

/* Edge arrays for loops over the whole graph, valid as long as the heap. */
struct edges {
	const struct starts *starts;
	const uint32_t *to;
};
struct edges heap_edges(const struct heap *heap);      /* references */
struct edges heap_back_edges(const struct heap *heap); /* referrers */

static inline struct ids edges_of(struct edges edges, uint32_t id)
{
	uint32_t first = starts_at(edges.starts, id);
	return (struct ids){edges.to + first, starts_at(edges.starts, id + 1) - first};
}

/* Prefetch for a breadth-first search, which is bound by memory latency: of the `left` objects next
   in its queue, prefetches the CSR offsets and then the edges of those that come soon. */
enum { EDGES_ROW_AHEAD = 32, EDGES_LIST_AHEAD = 16 };
static inline void edges_ahead(struct edges edges, const uint32_t *queue, size_t left)
{
	if (left <= EDGES_ROW_AHEAD)
		return;
	starts_prefetch(edges.starts, queue[EDGES_ROW_AHEAD]);
	__builtin_prefetch(edges_of(edges, queue[EDGES_LIST_AHEAD]).id);
}

/* References that do not retain their target, sorted by their source; only formats with PART_NAMES
   have any. They are not among the references above, which retain. */
struct weak_reference {
	uint32_t from, target;
	uint32_t place; /* see reference_add_place() */
	uint8_t strength;
};
struct weak_references {
	const struct weak_reference *item;
	size_t count;
}; /* borrowed */
struct weak_references heap_weak_references(const struct heap *heap);
struct weak_references heap_weak_references_of(const struct heap *heap, uint32_t id);
/* Returns those to an object, a copy that the caller frees; NULL if there are none. Searches all of
   them. */
struct weak_reference *heap_weak_references_to(const struct heap *heap, uint32_t id, size_t *count);
