/* A walk over the entries of a sync.Map or trie. Private to src/go/runtime. */
#pragma once

#include "go/runtime/gosync.h"
#include "structs.h"

struct gosync_walk {
	const struct goruntime *in;
	struct gosync *map;
	size_t capacity;
	uint64_t budget; /* remaining number of entries and nodes */
};

/* Takes one from the budget. Returns false if it is exhausted, and marks the map as incomplete. */
bool gosync_spend(struct gosync_walk *walk);
void gosync_add(struct gosync_walk *walk, uint64_t key, uint64_t value);
/* Returns a view of the object at an address as a value of a type. */
bool gosync_object(const struct gosync_walk *walk, gotype_id type, uint64_t address,
                   struct struct_view *out);
/* Returns the T of an atomic.Pointer[T]; 0: another type. */
gotype_id gosync_pointee(const struct gotypes *types, gotype_id atomic);

/* Fills rt->nodes with the node types of all tries. */
void gosync_index_nodes(struct goruntime *rt);
/* Adds all entries below a trie node. */
void gosync_walk_trie(struct gosync_walk *walk, const struct struct_view *node);
