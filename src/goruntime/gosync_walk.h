/* A walk over the entries of a sync.Map or a trie. Private to src/goruntime. */
#ifndef GORUNTIME_GOSYNC_WALK_H
#define GORUNTIME_GOSYNC_WALK_H

#include "goruntime/gosync.h"
#include "structs.h"

struct gosync_walk {
	const struct goruntime *in;
	struct gosync *map;
	size_t capacity;
	uint64_t budget; /* entries and nodes that may still be looked at */
};

/* Takes one off the budget; false: it is used up, and there is more. */
bool gosync_spend(struct gosync_walk *walk);
void gosync_add(struct gosync_walk *walk, uint64_t key, uint64_t value);
/* The object that begins at an address, as a value of a type. */
bool gosync_object(const struct gosync_walk *walk, gotype_id type, uint64_t address,
                   struct struct_view *out);
/* What an atomic.Pointer[T] points to: T; 0: the type is none. */
gotype_id gosync_pointee(const struct gotypes *types, gotype_id atomic);

/* Nodes of all tries there are: fills rt->nodes. */
void gosync_index_nodes(struct goruntime *rt);
/* All entries under a node of a trie. */
void gosync_walk_trie(struct gosync_walk *walk, const struct struct_view *node);

#endif
