/* The maps of package sync that are fields of an object: the rows of their entries. */
#ifndef TABLE_EMBEDDED_H
#define TABLE_EMBEDDED_H

#include "table/members.h"
#include "types/gosync.h"

struct embedded {
	struct embedded_map {
		struct gosync map;
		struct buf name; /* of the field */
	} *maps;
	size_t map_count;
	uint64_t count;      /* of all entries */
};

/* Of an object that is one struct. */
void embedded_init(struct embedded *embedded, struct members *members);
void embedded_fini(struct embedded *embedded);
/* Appends the name: `cache["k"]`. n < count. */
void embedded_get(const struct embedded *embedded, const struct govalue *in, uint64_t n,
                  struct field *field, struct buf *name);

/* A row of an entry of a map: appends the key. */
void embedded_pair(const struct govalue *in, const struct gomap_entry *entry, gotype_id key,
                   gotype_id value, struct field *field, struct buf *name);
/* The n-th entry of a map of package sync. */
void embedded_entry(const struct govalue *in, const struct gosync *map, uint64_t n,
                    struct field *field, struct buf *name);

#endif
