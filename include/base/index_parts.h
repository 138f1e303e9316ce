/* What is kept in an index and is no column: arrays, maps, structs without pointers. */
#ifndef BASE_INDEX_PARTS_H
#define BASE_INDEX_PARTS_H

#include "base/index_file.h"
#include "base/map.h"

#include <stdbool.h>

/* A copy of an array of elements of `each` bytes, to be freed; NULL: the file has none. */
void *index_array(struct index_file *file, const char *name, size_t each, size_t *count);
/* A struct of exactly that size. False: the file has none. */
bool index_struct(struct index_file *file, const char *name, void *out, size_t size);

/* A copy of an array of structs in which the compiler leaves bytes unused, which may be anything:
   those from `from` to `to` of each are written as 0. */
void index_put_padded(struct index_writer *writer, const char *name, const void *data, size_t count,
                      size_t each, size_t from, size_t to);

/* Its pairs by their keys. */
void index_put_map(struct index_writer *writer, const char *name, const struct map *map);
/* Into a map that is empty. False: the file has none. */
bool index_map_into(struct index_file *file, const char *name, struct map *map);

#endif
