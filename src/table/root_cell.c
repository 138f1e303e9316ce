/* Cells that the tables of roots and slots have in common: part of table/root.h. */
#include "table/root.h"

static void cell_preview(struct value *value, const struct heap *heap, const struct root *root)
{
	struct preview_place place;
	struct buf *text = cell_begin(value);
	if (root_place(heap, root, &place))
		preview_pointer(heap, &place, text);
	else
		preview_object(heap, root->target, text);
	cell_end(value);
}

void cell_root(struct value *value, const struct analysis *analysis, const struct root *root,
			   enum root_part part)
{
	const struct heap *heap = analysis->heap;
	uint64_t offset;
	switch (part) {
	case ROOT_NAME:
		root_add_name(analysis, root, cell_begin(value));
		break;
	case ROOT_OFFSET:
		if (root_offset(heap, root, &offset))
			cell_number(value, VALUE_OFFSET, offset);
		break;
	case ROOT_ADDRESS:
		if (root->address)
			cell_number(value, VALUE_ADDRESS, root->address);
		break;
	case ROOT_POINTER:
		cell_number(value, VALUE_ADDRESS, root_pointer(heap, root));
		break;
	case ROOT_OBJECT:
		cell_object(value, heap, root->target);
		break;
	case ROOT_SIZE:
		cell_object_size(value, heap, root->target);
		break;
	case ROOT_TEXT:
		cell_preview(value, heap, root);
		break;
	}
}
