/* The user's cache folder: $XDG_CACHE_HOME/goheapx or ~/.cache/goheapx, mode 0700. It holds a
   secret (base/index_file.h) and index files, which are named by their keys. */
#pragma once

#include "base/buf.h"
#include "base/index_file.h"

/* Stores the path of the folder in an empty buffer, and creates the folder if `make`. Returns false
   with *err if it does not exist and cannot be created. */
bool cache_folder(struct buf *path, bool make, struct err *err);
/* Reads the secret; creates it if there is none and `make` is set. */
bool cache_secret(struct index_secret *secret, bool make, struct err *err);
/* Stores the path of the index file with the given key. */
bool cache_path(struct buf *path, struct index_key key, bool make, struct err *err);

struct cache_index {
	char *path;
	struct index_key key;
	uint64_t bytes; /* size on disk */
	int64_t used;   /* time of last use, seconds since 1970 */
};
struct cache_list {
	struct cache_index *index;
	size_t count;
	uint64_t bytes;
};
/* Returns all index files, least recently used first; cache_list_free frees them. */
struct cache_list cache_list(void);
void cache_list_free(struct cache_list *list);

/* Removes the least recently used index files until `bytes` more bytes fit, and partial files of
   processes that were killed. Returns false if that much room cannot be made. */
bool cache_make_room(uint64_t bytes);
/* Removes all index files and partial files; the secret stays. *removed lists the indices. Returns
   false with *err if an index could not be removed. */
bool cache_clear(struct cache_list *removed, struct err *err);

/* limit of the total size in GiB; half of the free space is another limit */
enum { CACHE_GIB = 8 };
