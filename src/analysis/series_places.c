#include "series_places.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Flags for one earlier dump. */
struct dump_places {
	const struct heap *older;
	uint8_t *flags; /* by object of the newer dump */
	size_t size;
};
struct series_places {
	pthread_mutex_t lock;
	struct dump_places *dump;
	size_t count, capacity;
};

struct series_places *series_places_new(void)
{
	struct series_places *places = mem_alloc(sizeof *places);
	pthread_mutex_init(&places->lock, NULL);
	return places;
}

void series_places_free(struct series_places *places)
{
	if (!places)
		return;
	for (size_t i = 0; i < places->count; i++)
		mem_column_free(places->dump[i].flags, places->dump[i].size);
	pthread_mutex_destroy(&places->lock);
	free(places->dump);
	free(places);
}

static bool same_words(const struct object_record *a, const struct object_record *b)
{
	struct fields x = a->fields, y = b->fields;
	uint64_t left, right;
	for (;;) {
		bool more = fields_next(&x, &left), too = fields_next(&y, &right);
		if (more != too || (more && left != right))
			return false;
		if (!more)
			return true;
	}
}

/* Compares shapes. A header contains the type. */
static bool same_shape(const struct object_record *a, const struct object_record *b)
{
	if (a->slot != b->slot || a->size != b->size || a->header != b->header)
		return false;
	if (a->header && a->stored >= a->header && b->stored >= b->header
	    && memcmp(a->data, b->data, a->header) != 0)
		return false;
	return same_words(a, b);
}

static bool same_contents(const struct object_record *a, const struct object_record *b)
{
	if (a->stored != b->stored || memcmp(a->data, b->data, a->stored) != 0)
		return false;
	for (uint64_t i = a->header; i < a->stored; i++)
		if (a->data[i])
			return true;
	return false;
}

/* Compares all objects. Both dumps have them by address, so each record is read once, in order. */
static struct dump_places series_places_find(const struct heap *older, const struct heap *newer)
{
	uint32_t objects = heap_object_count(newer);
	struct object_reader old_reader = {.heap = older}, reader = {.heap = newer};
	struct object_record a, b;
	struct dump_places made = {older, NULL, objects + (size_t)1};
	made.flags = mem_column(made.size);
	for (uint32_t id = 0; id < objects; id++) {
		uint32_t before = heap_find(older, heap_address(newer, id));
		if (before == OBJECT_NONE || !object_reader_read(&old_reader, before, &a)
		    || !object_reader_read(&reader, id, &b) || !same_shape(&a, &b))
			continue;
		made.flags[id] = PLACE_SHAPE;
		if (same_contents(&a, &b))
			made.flags[id] |= PLACE_CONTENTS;
	}
	return made;
}

const uint8_t *series_places_get(struct series_places *places, const struct heap *older,
                                 const struct heap *newer)
{
	const uint8_t *flags = NULL;
	pthread_mutex_lock(&places->lock);
	for (size_t i = 0; i < places->count && !flags; i++)
		if (places->dump[i].older == older)
			flags = places->dump[i].flags;
	if (!flags) {
		places->dump =
			mem_grow(places->dump, places->count, &places->capacity, sizeof *places->dump);
		struct dump_places made = series_places_find(older, newer);
		places->dump[places->count++] = made;
		flags = made.flags;
	}
	pthread_mutex_unlock(&places->lock);
	return flags;
}
