/* Descriptions of all structures; each list ends with an entry without name. Private to
   src/go/runtime. */
#pragma once

#include "go/runtime/goruntime.h"
#include "go/runtime/struct_view.h"

extern const struct goruntime_struct gochan_structs[], gosync_structs[], gosync_trie_structs[],
	sync_pool_structs[];
extern const struct gotypes_part gochan_parts[]; /* display rules, see gotypes_runtime */
extern const struct struct_layout gochan_layout;

/* Returns a view of the value at a place, limited to the bytes of its region. */
static inline struct struct_view structs_view(const struct goruntime_place *at)
{
	uint64_t room = at->offset < at->region->size ? at->region->size - at->offset : 0;
	return (struct struct_view){at->rt, at->type, at->region->data + at->offset, room};
}
