/* State of the reader of Go dumps for a file. */
#include "go/format/dump/go_next.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Cache: beginning of a long list -> its end. One entry per kilobytes of the file. */
struct go_long_lists {
	pthread_mutex_t lock;
	struct map stops;
};

struct go_reader *go_reader_new(const struct go_layout *layout, const uint8_t *data, size_t size)
{
	struct go_reader *reader = mem_alloc(sizeof *reader);
	reader->layout = layout;
	reader->data = data;
	reader->size = size;
	reader->long_lists = mem_alloc(sizeof *reader->long_lists);
	pthread_mutex_init(&reader->long_lists->lock, NULL);
	return reader;
}

void go_reader_free(struct go_reader *reader)
{
	map_free(&reader->types);
	map_free(&reader->old.scalars);
	free(reader->type);
	for (size_t i = 0; i < reader->list_count; i++)
		free(reader->lists[i]);
	free(reader->lists);
	pthread_mutex_destroy(&reader->long_lists->lock);
	map_free(&reader->long_lists->stops);
	free(reader->long_lists);
	free(reader);
}

void go_close(struct reader *reader)
{
	go_reader_free((struct go_reader *)reader);
}

void go_reader_set_params(struct go_reader *reader, const struct params_record *params)
{
	reader->params = *params;
	reader->rules = go_rules(params->version, params->layout.pointer_size);
	reader->params.layout.header_over = reader->rules.header_over;
	reader->old.layout = reader->params.layout;
	reader->old.kinds = reader->layout->kinds;
	reader->old.max_kind = reader->layout->max_kind;
}

void go_reader_add_type(struct go_reader *reader, const struct type_record *r)
{
	reader->type =
		mem_grow(reader->type, reader->type_count, &reader->type_capacity, sizeof *reader->type);
	map_put(&reader->types, r->address, reader->type_count);
	reader->type[reader->type_count++] = go_type_make(reader, r->size, r->fields.at, r->fields.end);
	if (!r->pointer)
		map_put(&reader->old.scalars, r->address, 1);
}

uint8_t *go_reader_keep_list(struct go_reader *reader, const uint8_t *list, size_t size)
{
	uint8_t *kept = mem_alloc(size + 1);
	memcpy(kept, list, size);
	reader->lists =
		mem_grow(reader->lists, reader->list_count, &reader->list_capacity, sizeof *reader->lists);
	return reader->lists[reader->list_count++] = kept;
}

enum { SHORT_LIST = 128 }; /* scanning it takes no longer than looking up where it stops */

const uint8_t *go_reader_fields_stop(const struct go_reader *reader, const uint8_t *at,
                                     const uint8_t *end)
{
	struct go_long_lists *lists = reader->long_lists;
	bool may_be_long = end - at > SHORT_LIST;
	const uint8_t *near = may_be_long ? at + SHORT_LIST : end;
	const uint8_t *stop = go_object_stop(reader, at, near);
	uint64_t start = (uint64_t)(at - reader->data), known;
	if (!may_be_long || stop < near)
		return stop;
	pthread_mutex_lock(&lists->lock);
	if (!map_get(&lists->stops, start, &known)) {
		known = (uint64_t)(go_object_stop(reader, at, end) - reader->data);
		map_put(&lists->stops, start, known);
	}
	pthread_mutex_unlock(&lists->lock);
	return reader->data + known;
}

bool go_object_read(const struct reader *reader, uint64_t offset, struct object_record *record)
{
	const struct go_reader *go = (const struct go_reader *)reader;
	if (offset >= go->size || go->data[offset] != GO_TAG_OBJECT)
		return false;
	struct cursor c = cursor_make(go->data, go->size, offset + 1);
	return go_object_decode(go, &c, offset, go_reader_fields_stop, record);
}

bool go_object_next(const struct reader *reader, struct object_record *record)
{
	uint64_t offset = record->end;
	return go_object_expect((const struct go_reader *)reader, offset, record)
	       || go_object_read(reader, offset, record);
}
