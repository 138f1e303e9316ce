/* What a value consists of: its leaves are what is no struct and no array, in the order of their
   addresses. Rows of bytes are one leaf, and so are times, locks and others that people read as a
   whole (types/govalue.h). */
#ifndef TYPES_SCALAR_FIELDS_H
#define TYPES_SCALAR_FIELDS_H

#include "base/buf.h"
#include "base/map.h"
#include "exe/gotype.h"

struct scalar_field {
	gotype_id type;
	uint64_t offset; /* in the value */
};

/* `struct scalar_fields scalars = {.types = ...}` knows no counts yet; one thread at a time may use
 * it. */
struct scalar_fields {
	const struct gotypes *types;
	struct map counts; /* type -> how many */
};
void scalar_fields_fini(struct scalar_fields *scalars);
uint64_t scalar_fields_count(struct scalar_fields *scalars, gotype_id type);
/* The n-th leaf; appends how one writes it after the value's name: ".Inner.P", "[3].N". `n` must
   be below scalar_fields_count. `name` may be NULL. */
struct scalar_field scalar_fields_get(struct scalar_fields *scalars, gotype_id type, uint64_t n,
                                      struct buf *name);

/* The leaf that a byte of the value lies in, with its name; of what is in a sync.Map, that of the
   map. Bytes between fields: the type that has them, and where it begins. `name` may be NULL. */
struct scalar_field scalar_at(const struct gotypes *types, gotype_id type, uint64_t offset,
                              struct buf *name);
/* The same, but a sync.Map or a trie is a leaf. */
struct scalar_field scalar_value_at(const struct gotypes *types, gotype_id type, uint64_t offset,
                                    struct buf *name);

#endif
