/* Cells of rows that are about a root: table/columns.h. */
#include "table/columns.h"
#include "table/root.h"

void root_add_flags(const struct root *root, const char *between, struct buf *out)
{
	static const struct {
		enum root_flag flag;
		const char *name;
	} flags[] = {
		{ROOT_PINNED, "pinned"},
		{ROOT_WEAK, "weak"},
		{ROOT_INTERIOR, "interior"},
	};
	const char *before = "";
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (root->flags & flags[i].flag) {
			buf_addf(out, "%s%s", before, flags[i].name);
			before = between;
		}
}

static const struct root *root_of_row(const struct rows *rows, size_t row)
{
	return rows->table->root(rows, row);
}

void root_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (root_of_row(rows, row))
		root_add_name(rows->analysis, root_of_row(rows, row), cell_begin(value));
}

void root_flags_cell(const struct rows *rows, size_t row, struct value *value)
{
	root_add_flags(root_of_row(rows, row), " ", cell_begin(value));
	cell_end(value);
}

void root_offset_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct root *root = root_of_row(rows, row);
	uint64_t offset;
	if (root && root_offset(rows->analysis->heap, root, &offset))
		cell_number(value, VALUE_OFFSET, offset);
}

void root_address_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct root *root = root_of_row(rows, row);
	if (root && root->address)
		cell_number(value, VALUE_ADDRESS, root->address);
}

void root_target_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct root *root = root_of_row(rows, row);
	if (root)
		cell_number(value, VALUE_ADDRESS, root_pointer(rows->analysis->heap, root));
}

void root_text_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct root *root = root_of_row(rows, row);
	struct preview_place place;
	if (!root)
		return;
	struct buf *text = cell_begin(value);
	if (root_place(rows->analysis->heap, root, &place))
		preview_pointer(rows->analysis->heap, &place, text);
	else
		preview_object(rows->analysis->heap, root->target, text);
	cell_end(value);
}
