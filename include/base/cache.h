/* The user's folder for what can be made again: $XDG_CACHE_HOME/goheapx, or ~/.cache/goheapx. Only
   the user may look into it (0700). It has a secret (base/index_file.h), and indices, whose names
   are their keys. */
#ifndef BASE_CACHE_H
#define BASE_CACHE_H

#include "base/buf.h"
#include "base/index_file.h"

/* Appends its path, and makes it if `make`. False: *err: there is none, and none can be made. */
bool cache_folder(struct buf *path, bool make, struct err *err);
/* The secret, made with the first use if `make`. */
bool cache_secret(struct index_secret *secret, bool make, struct err *err);
/* Appends the path of the index with a key. */
bool cache_path(struct buf *path, struct index_key key, bool make, struct err *err);

struct cache_index {
	char *path;
	struct index_key key;
	uint64_t bytes; /* on disk */
	int64_t used;   /* seconds since 1970 */
};
/* All indices, those that have not been used for the longest time first. */
struct cache_list {
	struct cache_index *index;
	size_t count;
	uint64_t bytes;
};
struct cache_list cache_list(void);
void cache_list_free(struct cache_list *list);

/* Removes indices that have not been used for the longest time until there is room for so many
   bytes more; and what a process that was killed has left. False: there cannot be that much room.
 */
bool cache_make_room(uint64_t bytes);
/* Removes all of it; *removed is what was there. False: *err: something is left. */
bool cache_clear(struct cache_list *removed, struct err *err);

enum { CACHE_GIB = 8 }; /* all together take no more, and no more than half of what is free */

#endif
