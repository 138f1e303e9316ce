/* Leaves of a value: parts that are neither struct nor array, in ascending order of offsets. Arrays
   of bytes are one leaf, and so are times, locks and other types shown as a whole
   (go/types/govalue.h). */
#pragma once

#include "base/buf.h"
#include "base/map.h"
#include "go/exe/gotype.h"

struct scalar_field {
	gotype_id type;
	uint64_t offset; /* offset in the value */
};

/* Cache of leaf counts. `struct scalar_fields scalars = {.types = ...}` is empty; not
   thread-safe. */
struct scalar_fields {
	const struct gotypes *types;
	struct map counts; /* type -> number of leaves */
};
void scalar_fields_fini(struct scalar_fields *scalars);
uint64_t scalar_fields_count(struct scalar_fields *scalars, gotype_id type);
/* Returns the n-th leaf; appends its path as a suffix to the value's name: ".Inner.P", "[3].N". `n`
   must be below scalar_fields_count. `name` may be NULL. */
struct scalar_field scalar_fields_get(struct scalar_fields *scalars, gotype_id type, uint64_t n,
                                      struct buf *name);

/* Returns the leaf that contains a byte of the value, and appends its path; inside a sync.Map the
   path is that of the map. For padding: the type that has it, and its offset. `name` may be
   NULL. */
struct scalar_field scalar_at(const struct gotypes *types, gotype_id type, uint64_t offset,
                              struct buf *name);
/* Like scalar_at, but a sync.Map or trie is a leaf. */
struct scalar_field scalar_value_at(const struct gotypes *types, gotype_id type, uint64_t offset,
                                    struct buf *name);
