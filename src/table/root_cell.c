/* Cells that the tables of roots and slots have in common: part of table/root.h. */
#include "table/root.h"

void root_add_flags(const struct root *root, const char *between, struct buf *out)
{
	static const struct { enum root_flag flag; const char *name; } flags[] = {
		{ROOT_PINNED, "pinned"}, {ROOT_WEAK, "weak"}, {ROOT_INTERIOR, "interior"},
	};
	const char *before = "";
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (root->flags & flags[i].flag) {
			buf_addf(out, "%s%s", before, flags[i].name);
			before = between;
		}
}

void cell_root_flags(struct value *value, const struct root *root)
{
	root_add_flags(root, " ", cell_begin(value));
	cell_end(value);
}

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
