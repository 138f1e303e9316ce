#include "table/cell.h"

#include "base/text.h"
#include "heap/pointer_walk.h"
#include "table/naming/argument.h"

#include <string.h>

enum {
	TEXT_LIMIT = 512 /* bytes of a name that are shown: Go's names are shorter, */
};                   /* a damaged file's are not, and many rows may share one */

void cell_number(struct value *value, enum value_kind kind, uint64_t number)
{
	value->kind = kind;
	value->number = number;
}

void cell_share(struct value *value, uint64_t part, uint64_t whole)
{
	cell_number(value, VALUE_SHARE, part);
	value->whole = whole;
}

struct buf *cell_begin(struct value *value)
{
	value->kind = VALUE_TEXT;
	value->composed = true;
	value->number = value->text->len;
	return value->text;
}

void cell_text(struct value *value, const char *text)
{
	buf_add(cell_begin(value), text);
}

void cell_dump_text(struct value *value, struct text text)
{
	text_add_escaped(cell_begin(value), text.data, text.len, TEXT_LIMIT);
}

void cell_symbol(struct value *value, struct text name)
{
	text_add_symbol(cell_begin(value), name.data, name.len, TEXT_LIMIT);
}

void cell_object(struct value *value, const struct heap *heap, uint32_t id)
{
	if (id != OBJECT_NONE)
		cell_number(value, VALUE_ADDRESS, heap_address(heap, id));
}

void cell_object_size(struct value *value, const struct heap *heap, uint32_t id)
{
	if (id != OBJECT_NONE)
		cell_number(value, VALUE_BYTES, heap_size(heap, id));
}

void cell_reachable(struct value *value, const struct analysis *analysis, uint32_t id)
{
	if (id != OBJECT_NONE && analysis_has_roots(analysis))
		cell_number(value, VALUE_BOOL, reach_has(analysis_reach(analysis), id));
}

void cell_offset(struct value *value, uint64_t offset)
{
	if (place_is_offset(offset))
		cell_number(value, VALUE_OFFSET, offset);
}

bool reach_must_be_known(const struct analysis *analysis, struct err *err)
{
	if (analysis_has_roots(analysis))
		return true;
	err_set(err,
	        "There are no roots in the dump: what is alive cannot be told. The table unreachable "
	        "has the objects that no other one points to");
	return argument_absent(analysis_heap(analysis), DAMAGE_ROOTS, err);
}

uint32_t rows_id(const struct rows *rows, size_t row)
{
	const uint32_t *ids = rows->data;
	return ids ? ids[row] : (uint32_t)row;
}

void cell_called(struct value *value, const struct analysis *analysis, uint64_t pc)
{
	const char *name;
	if (!names_function(analysis_names(analysis), pc, &name))
		return;
	text_add_symbol(cell_begin(value), name, strlen(name), TEXT_LIMIT);
}
