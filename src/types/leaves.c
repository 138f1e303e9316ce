#include "types/leaves.h"

#include "base/text.h"
#include "types/gosync.h"

#include <inttypes.h>
#include <string.h>

enum { DEPTH = 64, NAME_LIMIT = 200 }; /* real types are nested far less */

/* What a type is, for here: its fields, its elements, or a leaf. */
static bool is_struct(const struct gotype *type)
{
	return type->kind == GO_STRUCT && type->fields > 0;
}

/* A struct that is shown by its fields. */
static bool is_shown(const struct gotype *type)
{
	return is_struct(type) && !govalue_is_known(type->name);
}

static bool is_array(const struct gotypes *types, const struct gotype *type)
{
	const struct gotype *elem = gotype_get(types, type->elem);
	return type->kind == GO_ARRAY && elem->size > 0 && elem->kind != GO_UINT8;
}

static void add_field(struct buf *name, const struct gofield *field)
{
	buf_add_char(name, '.');
	text_add_visible(name, field->name, strlen(field->name), NAME_LIMIT);
}

void leaves_fini(struct leaves *leaves)
{
	map_free(&leaves->counts);
}

static uint64_t count_leaves(struct leaves *leaves, gotype_id id, int depth)
{
	const struct gotype *type = gotype_get(leaves->types, id);
	uint64_t count = 0;
	bool fields = is_shown(type);
	if (depth == DEPTH || (!fields && !is_array(leaves->types, type)))
		return type->size > 0;
	if (map_get(&leaves->counts, id, &count))
		return count;
	for (uint32_t i = 0; fields && i < type->fields; i++)
		count += count_leaves(leaves, gotype_field(leaves->types, type->first_field + i)->type,
		                      depth + 1);
	if (!fields)
		count = type->count * count_leaves(leaves, type->elem, depth + 1);
	map_put(&leaves->counts, id, count);
	return count;
}

uint64_t leaves_count(struct leaves *leaves, gotype_id type)
{
	return count_leaves(leaves, type, 0);
}

/* The field with the n-th leaf of a struct; *n becomes the leaf's number in it. */
static const struct gofield *field_of_leaf(struct leaves *leaves, const struct gotype *type,
                                           uint64_t *n)
{
	for (uint32_t i = 0; i < type->fields; i++) {
		const struct gofield *field = gotype_field(leaves->types, type->first_field + i);
		uint64_t count = count_leaves(leaves, field->type, 0);
		if (*n < count)
			return field;
		*n -= count;
	}
	return NULL;
}

struct leaf leaves_get(struct leaves *leaves, gotype_id id, uint64_t n, struct buf *name)
{
	struct leaf leaf = {id, 0};
	for (int depth = 0; depth < DEPTH; depth++) {
		const struct gotype *type = gotype_get(leaves->types, leaf.type);
		if (is_shown(type)) {
			const struct gofield *field = field_of_leaf(leaves, type, &n);
			if (!field)
				break;
			add_field(name, field);
			leaf = (struct leaf){field->type, leaf.offset + field->offset};
		} else if (is_array(leaves->types, type)) {
			uint64_t each = count_leaves(leaves, type->elem, 0);
			if (each == 0)
				break;
			buf_addf(name, "[%" PRIu64 "]", n / each);
			leaf.offset += n / each * gotype_get(leaves->types, type->elem)->size;
			leaf.type = type->elem;
			n %= each;
		} else {
			break;
		}
	}
	return leaf;
}

static const struct gofield *field_at(const struct gotypes *types, const struct gotype *type,
                                      uint64_t offset)
{
	for (uint32_t i = 0; i < type->fields; i++) {
		const struct gofield *field = gotype_field(types, type->first_field + i);
		uint64_t size = gotype_get(types, field->type)->size;
		if (offset >= field->offset && offset - field->offset < size)
			return field;
	}
	return NULL;
}

struct leaf leaf_at(const struct gotypes *types, gotype_id id, uint64_t offset, struct buf *name)
{
	struct leaf leaf = {id, 0};
	struct buf inner = {0}; /* a map is named, not how it keeps its entries */
	for (int depth = 0; depth < DEPTH; depth++) {
		const struct gotype *type = gotype_get(types, leaf.type);
		if (type->kind == GO_STRUCT && gosync_role(type->name) == GOSYNC_MAP)
			name = &inner;
		if (is_struct(type)) {
			const struct gofield *field = field_at(types, type, offset - leaf.offset);
			if (!field)
				break;
			add_field(name, field);
			leaf = (struct leaf){field->type, leaf.offset + field->offset};
		} else if (is_array(types, type)) {
			uint64_t size = gotype_get(types, type->elem)->size;
			uint64_t index = (offset - leaf.offset) / size;
			buf_addf(name, "[%" PRIu64 "]", index);
			leaf = (struct leaf){type->elem, leaf.offset + index * size};
		} else {
			break;
		}
	}
	buf_free(&inner);
	return leaf;
}
