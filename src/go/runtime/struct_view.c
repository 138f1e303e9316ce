#include "go/runtime/struct_view.h"

#include "heap/heap.h"

bool struct_view_at(const struct goruntime *in, gotype_id type, uint64_t address,
                    struct struct_view *out)
{
	uint64_t size = gotype_get(in->types, type)->size;
	const uint8_t *data = type && address ? gomemory_bytes(in, address, size) : NULL;
	*out = (struct struct_view){in, type, data, size};
	return data != NULL;
}

bool struct_view_field(const struct struct_view *from, const char *name, struct struct_view *out)
{
	const struct gotypes *types = from->in->types;
	uint64_t offset;
	gotype_id type = gotype_field_named(types, from->type, name, &offset);
	uint64_t size = gotype_get(types, type)->size;
	if (!type || size > from->size || offset > from->size - size)
		return false;
	*out = (struct struct_view){from->in, type, from->data + offset, size};
	return true;
}

bool struct_view_number(const struct struct_view *from, const char *name, uint64_t *number)
{
	struct struct_view field;
	if (!struct_view_field(from, name, &field) || field.size == 0 || field.size > sizeof *number)
		return false;
	*number = gomemory_number(from->in->heap, field.data, field.size);
	return true;
}

bool struct_view_follow(const struct struct_view *from, const char *name, struct struct_view *out)
{
	const struct gotypes *types = from->in->types;
	struct struct_view field;
	if (!struct_view_field(from, name, &field))
		return false;
	const struct gotype *type = gotype_get(types, field.type);
	return type->kind == GO_POINTER && field.size == from->in->heap->params.layout.pointer_size
	       && struct_view_at(from->in, type->elem, heap_word(from->in->heap, field.data), out);
}
