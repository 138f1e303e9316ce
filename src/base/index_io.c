#include "base/index_io.h"

#include "base/bound.h"
#include "base/cursor.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the name of a section. A name that is too long is an error of the program. */
static void index_io_name(const struct index_io *io, const char *name, const char *end,
                          char section[INDEX_NAME])
{
	if (snprintf(section, INDEX_NAME, "%s%s%s", io->prefix, name, end) >= INDEX_NAME)
		abort();
}

struct index_io index_io_below(const struct index_io *io, const char *name)
{
	struct index_io below = *io;
	index_io_name(io, name, "/", below.prefix);
	return below;
}

bool index_io_values(const struct index_io *io, const char *name, const struct index_value *values,
                     size_t count)
{
	SCOPED_BUF bytes = {0};
	size_t size = 0;
	for (size_t i = 0; i < count; size += values[i++].size)
		if (io->writer)
			buf_add_bytes(&bytes, values[i].at, values[i].size);
	bool done = index_io_buf(io, name, &bytes) && bytes.len == size;
	const char *from = bytes.data;
	for (size_t i = 0; done && io->file && i < count; from += values[i++].size)
		memcpy(values[i].at, from, values[i].size);
	return done;
}

bool index_io_array(const struct index_io *io, const char *name, void *array, size_t each,
                    void *count, size_t count_size)
{
	char section[INDEX_NAME];
	bool is_short = count_size == sizeof(uint32_t);
	uint64_t size = (is_short ? *(uint32_t *)count : *(size_t *)count) * (uint64_t)each;
	void *own;
	memcpy(&own, array, sizeof own);
	index_io_name(io, name, "", section);
	if (io->writer) {
		index_put(io->writer, section, own, size);
		return true;
	}
	const void *data = index_get(io->file, section, &size);
	if (!data || size % each || (is_short && size / each > UINT32_MAX))
		return false;
	own = mem_alloc(size);
	if (size)
		memcpy(own, data, size);
	memcpy(array, &own, sizeof own);
	if (is_short)
		*(uint32_t *)count = (uint32_t)(size / each);
	else
		*(size_t *)count = size / each;
	return true;
}

bool index_io_column(const struct index_io *io, const char *name, void *column, size_t size)
{
	char section[INDEX_NAME];
	void *own;
	memcpy(&own, column, sizeof own);
	index_io_name(io, name, "", section);
	if (io->writer) {
		index_put_column(io->writer, section, own, size);
		return true;
	}
	own = index_column(io->file, section, size);
	if (own)
		memcpy(column, &own, sizeof own);
	return own;
}

bool index_io_buf(const struct index_io *io, const char *name, struct buf *buf)
{
	char section[INDEX_NAME];
	uint64_t size;
	index_io_name(io, name, "", section);
	if (io->writer) {
		index_put_copy(io->writer, section, buf->data, buf->len);
		return true;
	}
	const char *bytes = index_get(io->file, section, &size);
	if (bytes)
		buf_add_bytes(buf, bytes, size);
	return bytes;
}

/* The sign of a distance becomes its lowest bit. */
static void index_io_add_deltas(const uint32_t *array, size_t count, struct buf *deltas)
{
	buf_add_uvarint(deltas, count);
	for (size_t i = 0; i < count; i++) {
		uint32_t delta = array[i] - (i ? array[i - 1] : 0);
		buf_add_uvarint(deltas, (uint32_t)(delta << 1 ^ -(delta >> 31)));
	}
}

bool index_io_deltas(const struct index_io *io, const char *name, uint32_t **array, uint32_t *count)
{
	SCOPED_BUF deltas = {0};
	if (io->writer)
		index_io_add_deltas(*array, *count, &deltas);
	bool done = index_io_buf(io, name, &deltas);
	if (done && io->file) {
		struct cursor c = cursor_make((const uint8_t *)buf_text(&deltas), deltas.len, 0);
		*count = (uint32_t)cursor_uvarint(&c);
		uint32_t *own = *array = mem_alloc((*count + 1UL) * sizeof *own), last = 0;
		for (size_t i = 0; i < *count; i++) {
			uint32_t delta = (uint32_t)cursor_uvarint(&c);
			own[i] = last += delta >> 1 ^ -(delta & 1);
		}
	}
	return done;
}

/* Only the pairs are saved: places in the table differ in every process (base/hash.h). */
struct index_pair {
	uint64_t key, value;
};

static void index_io_add_pairs(const struct map *map, struct buf *pairs)
{
	const struct index_pair zero = {0, map->zero};
	if (map->has_zero)
		buf_add_bytes(pairs, &zero, sizeof zero);
	for (size_t i = 0; map->bits && i < (size_t)1 << map->bits; i++) {
		const struct index_pair pair = {map->places[i].key, map->places[i].value};
		if (pair.key)
			buf_add_bytes(pairs, &pair, sizeof pair);
	}
	bound_sort(pairs->data, pairs->len / sizeof zero, BOUND_BY(struct index_pair, key));
}

bool index_io_map(const struct index_io *io, const char *name, struct map *map)
{
	SCOPED_BUF bytes = {0};
	if (io->writer)
		index_io_add_pairs(map, &bytes);
	bool done = index_io_buf(io, name, &bytes) && bytes.len % sizeof(struct index_pair) == 0;
	if (done && io->file) {
		const struct index_pair *pair = (const void *)bytes.data;
		size_t count = bytes.len / sizeof *pair;
		map_reserve(map, count);
		for (size_t i = 0; i < count; i++)
			map_put(map, pair[i].key, pair[i].value);
	}
	return done;
}
