/* Index sections that are no columns: arrays, maps, structs without pointers. */
#ifndef BASE_INDEX_PARTS_H
#define BASE_INDEX_PARTS_H

#include "base/index_file.h"
#include "base/map.h"

#include <stdbool.h>

/* Returns a copy of an array of elements of `each` bytes; the caller frees it. Returns NULL if the
   file has none. */
void *index_array(struct index_file *file, const char *name, size_t each, size_t *count);
/* Reads a struct of exactly `size` bytes into *out. Returns false if the file has none. */
bool index_struct(struct index_file *file, const char *name, void *out, size_t size);

/* Adds a copy of an array of structs with padding: the bytes `from` ... `to` - 1 of each element
   are written as 0, since padding has no defined value. */
void index_put_padded(struct index_writer *writer, const char *name, const void *data, size_t count,
                      size_t each, size_t from, size_t to);

/* Adds the pairs of a map, sorted by key. */
void index_put_map(struct index_writer *writer, const char *name, const struct map *map);
/* Reads a section into an empty map. Returns false if the file has none. */
bool index_map_into(struct index_file *file, const char *name, struct map *map);

#endif
