#include "go/types/scalar_fields.h"

#include "base/text.h"
#include "go/runtime/gosync.h"
#include "go/types/govalue.h"
#include "heap/name_part.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH = 64, NAME_LIMIT = 200 }; /* real types are nested far less */

/* Returns true for a type with fields. */
static bool is_struct(const struct gotype *type)
{
	return type->kind == GO_STRUCT && type->fields > 0;
}

/* Returns true for a struct shown by its fields. */
static bool is_shown(const struct gotype *type)
{
	return is_struct(type) && !govalue_is_known(type->name);
}

static bool is_array(const struct gotypes *types, const struct gotype *type)
{
	const struct gotype *elem = gotype_get(types, type->elem);
	return type->kind == GO_ARRAY && elem->size > 0 && elem->kind != GO_UINT8;
}

static void scalar_fields_add_field(struct buf *name, const struct gofield *field)
{
	if (!name)
		return;
	buf_add_char(name, '.');
	text_add_escaped(name, field->name, strlen(field->name), NAME_LIMIT);
}

void scalar_fields_fini(struct scalar_fields *scalars)
{
	map_free(&scalars->counts);
}

static uint64_t count_scalars(struct scalar_fields *scalars, gotype_id id, int depth)
{
	const struct gotype *type = gotype_get(scalars->types, id);
	uint64_t count = 0;
	bool fields = is_shown(type);
	if (depth == DEPTH || (!fields && !is_array(scalars->types, type)))
		return type->size > 0;
	if (map_get(&scalars->counts, id, &count))
		return count;
	for (uint32_t i = 0; fields && i < type->fields; i++)
		count += count_scalars(scalars, gotype_field(scalars->types, type->first_field + i)->type,
		                       depth + 1);
	if (!fields)
		count = type->count * count_scalars(scalars, type->elem, depth + 1);
	map_put(&scalars->counts, id, count);
	return count;
}

uint64_t scalar_fields_count(struct scalar_fields *scalars, gotype_id type)
{
	return count_scalars(scalars, type, 0);
}

/* Returns the field with the n-th leaf of a struct; *n becomes the number of the leaf in the
   field. */
static const struct gofield *field_of_scalar(struct scalar_fields *scalars,
                                             const struct gotype *type, uint64_t *n)
{
	for (uint32_t i = 0; i < type->fields; i++) {
		const struct gofield *field = gotype_field(scalars->types, type->first_field + i);
		uint64_t count = count_scalars(scalars, field->type, 0);
		if (*n < count)
			return field;
		*n -= count;
	}
	return NULL;
}

struct scalar_field scalar_fields_get(struct scalar_fields *scalars, gotype_id id, uint64_t n,
                                      struct buf *name)
{
	struct scalar_field scalar = {id, 0};
	for (int depth = 0; depth < DEPTH; depth++) {
		const struct gotype *type = gotype_get(scalars->types, scalar.type);
		if (is_shown(type)) {
			const struct gofield *field = field_of_scalar(scalars, type, &n);
			if (!field)
				break;
			scalar_fields_add_field(name, field);
			scalar = (struct scalar_field){field->type, scalar.offset + field->offset};
		} else if (is_array(scalars->types, type)) {
			uint64_t each = count_scalars(scalars, type->elem, 0);
			if (each == 0)
				break;
			if (name)
				name_add_index(name, n / each);
			scalar.offset += n / each * gotype_get(scalars->types, type->elem)->size;
			scalar.type = type->elem;
			n %= each;
		} else {
			break;
		}
	}
	return scalar;
}

static const struct gofield *scalar_fields_find(const struct gotypes *types,
                                                const struct gotype *type, uint64_t offset)
{
	for (uint32_t i = 0; i < type->fields; i++) {
		const struct gofield *field = gotype_field(types, type->first_field + i);
		uint64_t size = gotype_get(types, field->type)->size;
		if (offset >= field->offset && offset - field->offset < size)
			return field;
	}
	return NULL;
}

/* Returns true for an exported type of package sync: its fields mean nothing to its users. */
static bool is_of_sync(const struct gotype *type)
{
	return strncmp(type->name, "sync.", 5) == 0 && isupper((unsigned char)type->name[5]);
}

static struct scalar_field scalar_find(const struct gotypes *types, gotype_id id, uint64_t offset,
                                       bool whole, struct buf *name)
{
	struct scalar_field scalar = {id, 0};
	struct buf inner = {0}, *outer = name; /* inner discards the path inside a map */
	size_t shown = SIZE_MAX;               /* length of the name that the reader wants */
	for (int depth = 0; depth < DEPTH; depth++) {
		const struct gotype *type = gotype_get(types, scalar.type);
		bool map = type->kind == GO_STRUCT && gosync_role(type->name) == GOSYNC_MAP;
		if (map && whole)
			break;
		if (map)
			name = name ? &inner : NULL;
		if (outer && !name_wants(outer, NAME_WORD)
		    && (is_of_sync(type)
		        || (shown == SIZE_MAX && strcmp(type->name, "internal/sync.Mutex") == 0)))
			shown = outer->len;
		if (is_struct(type)) {
			const struct gofield *field = scalar_fields_find(types, type, offset - scalar.offset);
			if (!field)
				break;
			scalar_fields_add_field(name, field);
			scalar = (struct scalar_field){field->type, scalar.offset + field->offset};
		} else if (is_array(types, type)) {
			uint64_t size = gotype_get(types, type->elem)->size;
			uint64_t index = (offset - scalar.offset) / size;
			if (name)
				name_add_index(name, index);
			scalar = (struct scalar_field){type->elem, scalar.offset + index * size};
		} else {
			break;
		}
	}
	if (outer)
		buf_truncate(outer, shown);
	buf_free(&inner);
	return scalar;
}

struct scalar_field scalar_at(const struct gotypes *types, gotype_id id, uint64_t offset,
                              struct buf *name)
{
	return scalar_find(types, id, offset, false, name);
}

struct scalar_field scalar_value_at(const struct gotypes *types, gotype_id id, uint64_t offset,
                                    struct buf *name)
{
	return scalar_find(types, id, offset, true, name);
}
