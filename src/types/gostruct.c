#include "types/gostruct.h"

bool gostruct_at(const struct govalue *in, gotype_id type, uint64_t address, struct gostruct *out)
{
	uint64_t size = gotype_get(typing_types(in->typing), type)->size;
	const uint8_t *data = type && address ? govalue_memory(in, address, size) : NULL;
	*out = (struct gostruct){in, type, data, size};
	return data != NULL;
}

bool gostruct_field(const struct gostruct *from, const char *name, struct gostruct *out)
{
	const struct gotypes *types = typing_types(from->in->typing);
	uint64_t offset;
	gotype_id type = gotype_field_named(types, from->type, name, &offset);
	uint64_t size = gotype_get(types, type)->size;
	if (!type || size > from->size || offset > from->size - size)
		return false;
	*out = (struct gostruct){from->in, type, from->data + offset, size};
	return true;
}

bool gostruct_number(const struct gostruct *from, const char *name, uint64_t *number)
{
	struct gostruct field;
	if (!gostruct_field(from, name, &field) || field.size == 0 || field.size > sizeof *number)
		return false;
	*number = govalue_number(from->in, field.data, field.size);
	return true;
}

bool gostruct_follow(const struct gostruct *from, const char *name, struct gostruct *out)
{
	const struct gotypes *types = typing_types(from->in->typing);
	struct gostruct field;
	if (!gostruct_field(from, name, &field))
		return false;
	const struct gotype *type = gotype_get(types, field.type);
	return type->kind == GO_POINTER && field.size == from->in->heap->params.layout.pointer_size
	       && gostruct_at(from->in, type->elem, heap_word(from->in->heap, field.data), out);
}
