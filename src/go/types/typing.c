#include "go/types/propagate.h"

enum { TINY_SLOT = 16 };

const struct gotypes *typing_types(const struct typing *t)
{
	return t->types;
}

const struct goruntime *typing_runtime(const struct typing *t)
{
	return &t->runtime;
}

struct typed told_typed(uint8_t told)
{
	struct typed typed = {
		.source = told_source(told), .known = told_known(told), .text = (told & TOLD_TEXT) != 0};
	if (typed.source == SOURCE_HEADER && !(told & TOLD_COUNT))
		typed.source = SOURCE_ELEMENTS;
	if (typed.known > type_known(typed.source))
		typed.known = type_known(typed.source);
	return typed;
}

/* Rare, so typing_object() needs no registers for it. */
#define APART __attribute__((noinline))

static bool typing_is_one_byte(const struct typing *t, struct object_type object)
{
	return object.type && object.type == t->byte && object.count == 1;
}

/* A slice without a known length claims one byte; a single byte would be in a tiny slot. */
static APART struct typed typing_one_byte(const struct typing *t, uint32_t id,
                                          struct object_type object)
{
	uint8_t told = (uint8_t)object.told;
	struct typed typed = t->told[told];
	typed.type = object.type;
	typed.count = 1;
	if (heap_size(t->heap, id) > TINY_SLOT) {
		typed.count = (uint32_t)heap_size(t->heap, id);
		typed.source = SOURCE_WHOLE;
		typed.known = told_known(told_by(SOURCE_WHOLE, told_known(told), false));
	}
	return typed;
}

struct typed typing_object(const struct typing *t, uint32_t id)
{
	struct object_type object = typing_told(t, id);
	const struct typed *told = &t->told[object.told];
	if (typing_is_one_byte(t, object))
		return typing_one_byte(t, id, object);
	return (struct typed){object.type, object.type ? object.count : 0, told->source, told->known,
	                      told->text};
}

size_t typing_name_key(const struct typing *t, uint32_t id)
{
	struct object_type object = typing_told(t, id);
	if (!object.type)
		return 0;
	const struct typed *told = &t->told[object.told];
	if (told->text)
		return TYPING_TEXT;
	bool several = typing_is_one_byte(t, object) ? heap_size(t->heap, id) > TINY_SLOT
	                                             : object.count > 1;
	return TYPING_FIRST + TYPING_KEYS * (size_t)object.type + several;
}

gotype_id typing_type(const struct typing *t, uint32_t id)
{
	return typing_told(t, id).type;
}

void typing_ahead(const struct typing *t, uint32_t id)
{
	__builtin_prefetch(t->code ? (const void *)&t->code[id] : &t->object[id]);
}

bool typed_fills(const struct typing *t, uint32_t id, uint64_t slot, unsigned header)
{
	struct object_type object = typing_told(t, id);
	return object.type
	       && size_class_fits(slot,
	                          header + gotype_get(t->types, object.type)->size * object.count);
}

bool typing_fills(const struct typing *t, uint32_t id)
{
	struct object_place place;
	objects_place(heap_objects(t->heap), id, &place);
	return typed_fills(t, id, place.size, place.header);
}

bool typing_part(const struct typing *t, uint32_t id, uint32_t *part, struct typed_part *out)
{
	uint32_t p = sparse_get(&t->part_of, id);
	for (uint32_t i = 0; p && i < *part; i++)
		p = t->parts[p - 1].next;
	if (!p)
		return false;
	*out = t->parts[p - 1];
	++*part;
	return true;
}
