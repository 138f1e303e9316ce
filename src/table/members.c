#include "table/members.h"

#include <inttypes.h>

/* Bytes are shown as such. */
static bool is_told(const struct gotypes *types, const struct typed *typed)
{
	const struct gotype *type = gotype_get(types, typed->type);
	bool bytes = typed->text || (type->kind == GO_UINT8 && typed->count > 1);
	return typed->type && type->size > 0 && !bytes;
}

void members_init(struct members *members, const struct analysis *analysis, uint32_t object,
                  const struct object_record *record)
{
	const struct typing *typing = analysis_typing(analysis);
	*members = (struct members){
		.in = {analysis->heap, analysis_names(analysis), typing},
		.data = record->data + record->header,
		.size = record->size - record->header,
	};
	if (!typing)
		return;
	members->leaves.types = typing_types(typing);
	members->typed = typing_object(typing, object);
	if (!is_told(members->leaves.types, &members->typed))
		return;
	members->each = gotype_get(members->leaves.types, members->typed.type)->size;
	uint64_t elements = members->size / members->each;
	if (elements > members->typed.count)
		elements = members->typed.count;
	if (elements == 0)
		return;
	members->per = leaves_count(&members->leaves, members->typed.type);
	members->count = members->per * elements;
	members->end = members->each * elements;
}

void members_fini(struct members *members)
{
	leaves_fini(&members->leaves);
}

static void find_pointer(const struct members *members, struct member *member)
{
	uint64_t at, width = members->in.heap->params.layout.pointer_size;
	if (!govalue_pointer(&members->in, member->type, &at))
		return;
	at += member->offset;
	member->has_pointer = members->size >= width && at <= members->size - width;
	if (member->has_pointer)
		member->pointer = heap_word(members->in.heap, members->data + at);
}

struct member members_get(struct members *members, uint64_t n, struct buf *name)
{
	size_t before = name->len;
	uint64_t element = n / members->per;
	if (members->typed.count > 1)
		buf_addf(name, "[%" PRIu64 "]", element);
	struct leaf leaf = leaves_get(&members->leaves, members->typed.type, n % members->per, name);
	if (name->len > before && name->data[before] == '.') { /* of the object itself: no dot */
		for (size_t i = before; i < name->len; i++)
			name->data[i] = name->data[i + 1];
		name->len--;
	}
	struct member member = {
		.type = leaf.type,
		.offset = element * members->each + leaf.offset,
		.size = gotype_get(members->leaves.types, leaf.type)->size,
	};
	if (member.size > members->size - member.offset)
		member.size = members->size - member.offset;
	find_pointer(members, &member);
	return member;
}

void members_add_type(const struct members *members, const struct member *member, struct buf *out)
{
	gotype_display(members->leaves.types, member->type, out);
}

void members_add_value(const struct members *members, const struct member *member, struct buf *out)
{
	govalue_add(&members->in, member->type, members->data + member->offset, member->size, out);
}
