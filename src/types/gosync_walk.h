/* A walk over the entries of a sync.Map or a trie. Private to src/types/gosync*.c. */
#ifndef TYPES_GOSYNC_WALK_H
#define TYPES_GOSYNC_WALK_H

#include "types/gosync.h"
#include "types/struct_view.h"

struct gosync_walk {
	const struct govalue *in;
	struct gosync *map;
	size_t capacity;
	uint64_t budget; /* entries and nodes that may still be looked at */
};

/* Takes one off the budget; false: it is used up, and there is more. */
bool gosync_spend(struct gosync_walk *walk);
void gosync_add(struct gosync_walk *walk, uint64_t key, uint64_t value);
/* The object that begins at an address, as its type says. */
bool gosync_object(const struct gosync_walk *walk, uint64_t address, struct struct_view *out);

/* All entries under a node of a trie. */
void gosync_walk_trie(struct gosync_walk *walk, const struct struct_view *node);

#endif
