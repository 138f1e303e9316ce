/* Objects of Go 1.3: they refer to a type, and have its fields once, once per element, or not at
   all. */
#include "go/format/dump/go_object.h"

/* Rejects a list with more pairs than words: it would give arrays more pointers than fit. */
struct go_type go_type_make(const struct go_reader *reader, uint64_t size, const uint8_t *list,
                            const uint8_t *end)
{
	struct fields fields = {.at = list, .end = end};
	uint64_t words = size / sizeof(uint32_t), offset;
	if (reader->params.layout.pointer_size == 8)
		words /= 2;
	while (words && fields_next(&fields, &offset))
		words--;
	bool plausible = fields.at >= fields.end || *fields.at == 0;
	return (struct go_type){size, list, plausible ? end : list};
}

enum { KIND_ONE, KIND_ARRAY, KIND_CHANNEL, KIND_CONSERVATIVE = 127 };

/* Sets the offset of the first element and the distance of elements. Returns false if the object
   has no pointers. */
static bool find_elements(const struct go_reader *reader, uint64_t kind, const struct go_type *type,
                          uint64_t size, struct fields *fields)
{
	fields->base = kind == KIND_CHANNEL ? reader->params.channel_size : 0;
	fields->stride = kind == KIND_ONE ? 0 : type->size;
	if (kind > KIND_CHANNEL || type->list >= type->end || *type->list == 0)
		return false;
	return type->size != 0 && type->size <= size && fields->base <= size - type->size;
}

bool go_object_typed(const struct go_reader *reader, struct cursor *c, struct object_record *r)
{
	uint64_t type = cursor_uvarint(c), kind = cursor_uvarint(c), index;
	r->size = cursor_uvarint(c);
	r->stored = object_stored(r->size);
	r->data = cursor_bytes(c, r->stored);
	r->end = cursor_offset(c);
	r->header = 0;
	r->fields = (struct fields){
		.old = &reader->old, .list = (const uint8_t *)"", .data = r->data, .size = r->stored};
	bool known = map_get(&reader->types, type, &index);
	r->untyped = kind != KIND_CONSERVATIVE && (kind > KIND_CHANNEL || (type && !known));
	if (kind == KIND_CONSERVATIVE) {
		r->fields.list = NULL;
	} else if (known && find_elements(reader, kind, &reader->type[index], r->stored, &r->fields)) {
		r->fields.list = r->fields.at = reader->type[index].list;
		r->fields.end = reader->type[index].end;
	} else {
		r->fields.stride = 0;
	}
	return cursor_ok(c);
}
