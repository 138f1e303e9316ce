#include "table/contents/typed_fields.h"

#include <inttypes.h>

/* Returns true if the object's fields have rows. Bytes and texts have none. */
static bool is_told(const struct gotypes *types, const struct typed *typed)
{
	const struct gotype *type = gotype_get(types, typed->type);
	bool bytes = typed->text || (type->kind == GO_UINT8 && typed->count > 1);
	return typed->type && type->size > 0 && !bytes;
}

static void init_block(struct typed_fields *members)
{
	struct typed_part part;
	uint32_t count = 0;
	members->is_block = true;
	members->end = members->each;
	while (typing_part(members->in.typing, members->object, &count, &part))
		;
	members->count = count;
}

/* Determines the number of rows, for as many elements as there are bytes of. */
static void typed_fields_count(struct typed_fields *members)
{
	members->each = gotype_get(members->scalars.types, members->typed.type)->size;
	uint64_t elements = members->size / members->each;
	if (elements > members->typed.count)
		elements = members->typed.count;
	if (elements == 0)
		return;
	if (members->typed.source == SOURCE_BLOCK) {
		init_block(members);
		return;
	}
	members->per = scalar_fields_count(&members->scalars, members->typed.type);
	members->count = members->per * elements;
	members->end = members->each * elements;
}

void typed_fields_init(struct typed_fields *members, const struct analysis *analysis,
                       uint32_t object, const struct object_record *record)
{
	const struct typing *typing = analysis_typing(analysis);
	*members = (struct typed_fields){
		.in = datum_memory(analysis),
		.data = record->data + record->header,
		.size = record->stored > record->header ? record->stored - record->header : 0,
	};
	if (!typing)
		return;
	members->scalars.types = typing_types(typing);
	members->typed = typing_object(typing, object);
	members->object = object;
	if (!is_told(members->scalars.types, &members->typed))
		return;
	typed_fields_count(members);
}

void typed_fields_init_value(struct typed_fields *members, const struct govalue *in,
                             const struct datum *value)
{
	uint64_t size = datum_size(in, value);
	*members = (struct typed_fields){
		.in = *in,
		.scalars.types = typing_types(in->typing),
		.data = value->data,
		.size = value->room < size ? value->room : size,
		.typed = {.type = value->type,
	              .count = value->count < UINT32_MAX ? (uint32_t)value->count : UINT32_MAX},
		.object = value->object,
	};
	if (size)
		typed_fields_count(members);
}

/* Stores the n-th value of a block. */
static void get_value(const struct typed_fields *members, uint64_t n, struct field *field)
{
	struct typed_part part = {0};
	uint32_t at = (uint32_t)n;
	typing_part(members->in.typing, members->object, &at, &part);
	*field = field_none("value");
	field->type = part.type;
	field->offset = part.offset;
	field->data = members->data + part.offset;
	field->size = gotype_get(members->scalars.types, part.type)->size;
}

void typed_fields_fini(struct typed_fields *members)
{
	scalar_fields_fini(&members->scalars);
}

void typed_fields_get(struct typed_fields *members, uint64_t n, struct field *field,
                      struct buf *name)
{
	if (members->is_block) {
		get_value(members, n, field);
		return;
	}
	size_t before = name->len;
	uint64_t element = n / members->per;
	if (members->typed.count > 1)
		buf_addf(name, "[%" PRIu64 "]", element);
	struct scalar_field scalar =
		scalar_fields_get(&members->scalars, members->typed.type, n % members->per, name);
	if (name->len > before && name->data[before] == '.') { /* the object's own field: no dot */
		for (size_t i = before; i < name->len; i++)
			name->data[i] = name->data[i + 1];
		name->len--;
	}
	*field = field_none("value");
	field->type = scalar.type;
	field->offset = element * members->each + scalar.offset;
	field->data = members->data + field->offset;
	field->size = gotype_get(members->scalars.types, scalar.type)->size;
	if (field->size > members->size - field->offset)
		field->size = members->size - field->offset;
	field_point_by_type(&members->in, field);
}
