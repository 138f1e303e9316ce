/* What is kept in an index, said once: a function names each part with its section, and the same
   function writes the parts or reads them. */
#pragma once

#include "base/buf.h"
#include "base/index_file.h"
#include "base/map.h"

#include <stdbool.h>

/* Either the writer or the file is set. */
struct index_io {
	struct index_writer *writer;
	struct index_file *file;
	char prefix[INDEX_NAME]; /* of the names of sections, with a slash; or empty */
};

/* Returns the same index for sections below a name. */
struct index_io index_io_below(const struct index_io *io, const char *name);

/* Each of these adds a section to the writer and returns true, or reads it. They return false if
   the file lacks the section or the size differs; then the value is unchanged. A value that is read
   is the caller's to free as it would free what it had written. */

/* Several plain values in one section. */
struct index_value {
	void *at;
	size_t size;
};
#define INDEX_VALUE(value)      \
	{                           \
		&(value), sizeof(value) \
	}
#define INDEX_VALUES(io, name, ...)                                      \
	index_io_values(io, name, (const struct index_value[]){__VA_ARGS__}, \
	                sizeof((const struct index_value[]){__VA_ARGS__})    \
	                    / sizeof(struct index_value))
bool index_io_values(const struct index_io *io, const char *name, const struct index_value *values,
                     size_t count);

/* An array that must not change until the index is written, and its count (uint32_t or size_t),
   which follows from the size of the section. Its elements have no padding, as that has no defined
   value. */
#define INDEX_ARRAY(io, name, array, count) \
	index_io_array(io, name, &(array), sizeof *(array), &(count), sizeof(count))
bool index_io_array(const struct index_io *io, const char *name, void *array, size_t each,
                    void *count, size_t count_size);

/* A column (base/mem.h) of `count` elements that nobody writes to any more. It maps the file once
   that is written, or read. */
#define INDEX_COLUMN(io, name, column, count) \
	index_io_column(io, name, &(column), (count) * sizeof *(column))
bool index_io_column(const struct index_io *io, const char *name, void *column, size_t size);

/* An array, like INDEX_ARRAY, of numbers that are mostly near the one before: saved as distances of
   a varying length. */
bool index_io_deltas(const struct index_io *io, const char *name, uint32_t **array,
                     uint32_t *count);

/* The bytes of a buffer, which reading appends. */
bool index_io_buf(const struct index_io *io, const char *name, struct buf *buf);
/* The pairs of a map, sorted by key. It is empty before it is read. */
bool index_io_map(const struct index_io *io, const char *name, struct map *map);
