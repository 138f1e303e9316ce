#include "table/contents/extent.h"

#include "go/runtime/goiface.h"
#include "go/types/typing.h"
#include "heap/heap.h"

struct extent_search {
	const struct heap *heap;
	const struct typing *typing;
	unsigned width;
};

static bool extent_bytes(const struct extent_search *s, uint64_t count, gotype_id elem,
                         uint64_t *bytes)
{
	uint64_t size = gotype_get(typing_types(s->typing), elem)->size;
	return elem && !__builtin_mul_overflow(count, size, bytes);
}

/* Stores the extent of a pointer. False for a pointer to a byte, which may be the first of any
   length. */
static bool extent_of_pointer(const struct extent_search *s, gotype_id elem, struct extent *extent)
{
	extent->type = elem;
	return gotype_get(typing_types(s->typing), elem)->kind != GO_UINT8
	       && extent_bytes(s, 1, elem, &extent->bytes) && extent->bytes > 0;
}

static bool extent_of_interface(const struct extent_search *s, const struct datum *value,
                                bool has_methods, struct extent *extent)
{
	const struct gotypes *types = typing_types(s->typing);
	gotype_id id =
		goiface_dynamic(typing_runtime(s->typing), heap_word(s->heap, value->data), has_methods);
	extent->type = id;
	if (!id || !goiface_is_direct(types, id))
		return extent_bytes(s, 1, id, &extent->bytes);
	return gotype_get(types, id)->kind == GO_POINTER
	       && extent_of_pointer(s, gotype_get(types, id)->elem, extent);
}

/* Stores the extents of a slice. Its capacity must be plausible, too, since words of a variable may
   be stale. */
static bool extent_of_slice(const struct extent_search *s, const struct datum *value,
                            gotype_id elem, struct extent *extent)
{
	uint64_t length = heap_word(s->heap, value->data + s->width);
	uint64_t capacity = heap_word(s->heap, value->data + 2 * s->width);
	return length <= capacity && capacity > 0 && extent_bytes(s, length, elem, &extent->bytes)
	       && extent_bytes(s, capacity, elem, &extent->room);
}

bool extent_of(const struct heap *heap, const struct typing *typing, const struct datum *value,
               uint64_t offset, struct extent *extent)
{
	const struct extent_search search = {heap, typing, heap->params.layout.pointer_size};
	const struct extent_search *s = &search;
	const struct gotype *type = gotype_get(typing_types(s->typing), value->type);
	uint64_t words = value->room / s->width;
	*extent = (struct extent){.array = type->kind == GO_STRING || type->kind == GO_SLICE};
	if (!value->type || !value->data)
		return false;
	if (type->kind == GO_INTERFACE)
		return offset == s->width && words >= 2
		       && extent_of_interface(s, value, type->has_methods, extent);
	if (offset)
		return false;
	if (type->kind == GO_POINTER)
		return extent_of_pointer(s, type->elem, extent);
	extent->type = type->kind == GO_SLICE ? type->elem : 0;
	if (type->kind == GO_SLICE && words >= 3)
		return extent_of_slice(s, value, type->elem, extent);
	if (type->kind != GO_STRING || words < 2)
		return false;
	extent->bytes = heap_word(s->heap, value->data + s->width);
	return true;
}
