/* The variable that a root is a word of: part of table/root.h. */
#include "table/datum.h"
#include "table/root.h"
#include "table/typed.h"

static gotype_id type_of_root(const struct analysis *analysis, const struct root *root)
{
	struct buf name = {0};
	gotype_id type = 0;
	if (root->kind == ROOT_FRAME)
		typed_add_local(analysis, &analysis->heap->frames[root->holder].record, root->address,
		                &type, &name);
	else if (root->kind == ROOT_DATA || root->kind == ROOT_BSS)
		typed_add_global(analysis, root->address, &type, &name);
	buf_free(&name);
	return type;
}

struct datum root_value(const struct analysis *analysis, const struct root *root)
{
	struct govalue in = datum_memory(analysis);
	struct preview_place at;
	struct datum value = {.address = root->address, .count = 1, .object = OBJECT_NONE};
	uint64_t offset = 0;
	gotype_id type = type_of_root(analysis, root);
	bool known = type && govalue_pointer(&in, type, &offset);
	if (!root_place(analysis->heap, root, &at) || at.offset < offset)
		return value;
	value.type = known ? type : 0;
	value.address -= offset;
	value.data = at.data + (at.offset - offset);
	value.room = at.size - (at.offset - offset);
	return value;
}
