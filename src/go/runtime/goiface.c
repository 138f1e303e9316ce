#include "go/runtime/goiface.h"

#include <string.h>

enum { DEPTH = 64 }; /* nesting of structs and arrays */

static bool goiface_descriptor(const struct goruntime *rt, uint64_t word, bool has_methods,
                               uint64_t *descriptor)
{
	*descriptor = word;
	return word && (!has_methods || map_get(&rt->itabs, word, descriptor));
}

gotype_id goiface_dynamic(const struct goruntime *rt, uint64_t word, bool has_methods)
{
	uint64_t descriptor, type = 0;
	if (goiface_descriptor(rt, word, has_methods, &descriptor))
		map_get(&rt->dynamic, descriptor, &type);
	return (gotype_id)type;
}

gotype_id goiface_find(const struct goruntime *rt, uint64_t word, bool has_methods)
{
	uint64_t descriptor;
	bool known = goiface_descriptor(rt, word, has_methods, &descriptor);
	return known ? gotypes_at(rt->types, descriptor - rt->bias) : 0;
}

bool goiface_is_direct(const struct gotypes *types, gotype_id id)
{
	for (int depth = 0; id && depth < DEPTH; depth++) {
		const struct gotype *type = gotype_get(types, id);
		switch (type->kind) {
		case GO_POINTER:
		case GO_MAP:
		case GO_CHAN:
		case GO_FUNC:
		case GO_UNSAFE_POINTER:
			return true;
		case GO_STRUCT:
			if (type->fields != 1)
				return false;
			id = gotype_field(types, type->first_field)->type;
			break;
		case GO_ARRAY:
			if (type->count != 1)
				return false;
			id = type->elem;
			break;
		default:
			return false;
		}
	}
	return false;
}

bool goiface_is_taken_apart(const struct gotype *type)
{
	return type->kind == GO_STRUCT && strcmp(type->name, "sync.eface") == 0;
}
