#include "table/naming/part.h"

#include "analysis/structures.h"
#include "base/text.h"
#include "go/runtime/gochan.h"
#include "heap/heap.h"
#include "heap/name_part.h"
#include "step_parts.h"
#include "table/naming/argument.h"
#include "table/naming/typed.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_LIMIT = 200 };

bool part_is(const struct govalue *in, const struct datum *value)
{
	if (!in->typing || value->object == OBJECT_NONE || !value->type || value->count != 1
	    || !value->data)
		return false;
	struct datum whole = datum_of_object(in, value->object);
	uint64_t size = datum_size(in, &whole);
	size = size ? size : heap_size(in->heap, value->object);
	return value->address != whole.address || datum_size(in, value) != size;
}

/* Returns true if a value stands for what it references: an object, or nothing, which is an error.
   Texts in the program's image have no object, and an empty text has no bytes. */
static bool part_references(const struct govalue *in, const struct datum *value)
{
	struct datum target;
	uint64_t word;
	if (!datum_pointer(in, value, &word))
		return false;
	bool text = gotype_get(typing_types(in->typing), value->type)->kind == GO_STRING;
	if (word == 0)
		return !text;
	return heap_find(in->heap, word) != OBJECT_NONE || !datum_follow(in, value, &target)
	       || !target.data;
}

bool part_of_operand(const struct analysis *analysis, const struct operand *operand,
                     struct datum *part)
{
	struct govalue in = datum_memory(analysis);
	*part = operand->value.place;
	return operand->kind == OPERAND_VALUE && !operand->value.whole && part_is(&in, part)
	       && !part_references(&in, part);
}

/* Replaces a pointer to memory outside of the heap, or a slice of it, by what is there. Returns
   false at the end. */
static bool part_follow_outside(const struct govalue *in, struct datum *value)
{
	enum gokind kind = gotype_get(typing_types(in->typing), value->type)->kind;
	unsigned width = in->heap->params.layout.pointer_size;
	struct datum target;
	if ((kind != GO_POINTER && kind != GO_SLICE) || value->count != 1
	    || !datum_follow(in, value, &target) || !target.type || !target.data
	    || target.object != OBJECT_NONE)
		return false;
	uint64_t size = gotype_get(typing_types(in->typing), target.type)->size;
	if (kind == GO_SLICE)
		target.count = heap_word(in->heap, value->data + width);
	if (!size || target.room / size < target.count || !target.count)
		return false;
	*value = target;
	return kind == GO_POINTER;
}

/* Returns the variable, or the element of static data, that contains an address outside of the
   heap, and appends its name; without a type: there is none. */
static struct datum part_holder(const struct analysis *analysis, uint64_t address, struct buf *out)
{
	struct govalue in = datum_memory(analysis);
	uint64_t bias = in.names ? in.names->fit.data_bias : 0;
	const struct exe_global *global =
		in.typing ? gotypes_global_at(analysis_types(analysis), address - bias) : NULL;
	const struct static_value *value = global ? NULL
	                                          : statics_find(analysis_statics(analysis), address);
	if (global) {
		text_add_symbol(out, global->name, strlen(global->name), NAME_LIMIT);
		return datum_at(&in, global->address + bias, global->type, 1);
	}
	if (!value || !typed_add_global(analysis, value->word, NULL, out))
		return (struct datum){0};
	uint64_t index = (address - value->address) / value->size;
	if (value->in_slice)
		name_add_index(out, index);
	return datum_at(&in, value->address + index * value->size, value->type, 1);
}

/* Stores the value outside of the heap that begins at an address. False: none of known type and
   bytes does. */
static bool part_at(const struct analysis *analysis, uint64_t address, struct datum *value)
{
	struct govalue in = datum_memory(analysis);
	SCOPED_BUF name = {0};
	if (!in.typing || heap_find(in.heap, address) != OBJECT_NONE)
		return false;
	*value = part_holder(analysis, address, &name);
	uint64_t offset = address - value->address;
	while (value->type && offset && datum_descend(&in, value, &offset, NULL))
		;
	return value->type && value->data && !offset;
}

bool part_outside(const struct analysis *analysis, const struct operand *operand,
                  struct datum *value)
{
	enum { FOLLOWED = 8 };
	struct govalue in = datum_memory(analysis);
	struct expression expression = operand->value;
	uint32_t id;
	if (operand->kind == OPERAND_ADDRESS)
		return part_at(analysis, operand->address, value);
	*value = operand->value.place;
	if (operand->kind != OPERAND_VALUE || !in.typing || !value->type || !value->data
	    || value->object != OBJECT_NONE)
		return false;
	const struct gotype *type = gotype_get(typing_types(in.typing), value->type);
	bool one = value->count == 1 && type->size <= in.heap->params.layout.pointer_size;
	if (!one && (value->count > 1 || type->kind == GO_STRUCT || type->kind == GO_ARRAY))
		return true;
	if (!expression_object(analysis, &expression, operand->end, &id, NULL))
		return true;
	if (id != OBJECT_NONE)
		return false;
	for (int i = 0; i < FOLLOWED && part_follow_outside(&in, value); i++)
		;
	return true;
}

/* Makes an array, whose elements an object has one behind the other, one of the object's values. */
static void part_regroup(const struct gotypes *types, struct datum *from, const struct datum *part,
                         uint64_t offset)
{
	const struct gotype *type = gotype_get(types, part->type);
	uint64_t size = type->size, each = gotype_get(types, from->type)->size;
	while (type->kind == GO_ARRAY && type->elem != from->type)
		type = gotype_get(types, type->elem);
	if (type->kind != GO_ARRAY || !size || offset % size)
		return;
	from->type = part->type;
	from->count = from->count * each / size;
}

/* Appends the steps from a value to a part of it. */
static void part_add_steps(const struct govalue *in, struct datum from, const struct datum *part,
                           struct buf *out)
{
	uint64_t offset = part->address - from.address;
	if (from.count > 1)
		part_regroup(typing_types(in->typing), &from, part, offset);
	while ((offset || from.count > 1 || from.type != part->type)
	       && datum_descend(in, &from, &offset, out))
		;
}

/* Appends the index of the element of a channel in which a value lies, where the buffer is behind
   the header in the same object; stores the element. False: it lies in none. */
static bool part_add_element(const struct govalue *in, const struct datum *holder,
                             const struct datum *part, struct buf *out, struct datum *element)
{
	struct gochan chan;
	if (!holder->type || holder->count != 1
	    || !gochan_read(typing_runtime(in->typing), holder->type, holder->data, holder->room, &chan)
	    || !chan.buffer || !chan.elem)
		return false;
	uint64_t offset = part->address - chan.address;
	if (part->address < chan.address || offset / chan.elem_size >= chan.room)
		return false;
	name_add_index(out, offset / chan.elem_size);
	*element = datum_at(in, chan.address + offset / chan.elem_size * chan.elem_size, chan.elem, 1);
	return true;
}

/* Appends the path to a value outside of the heap; nothing if it has no name. */
static void part_add_outside(const struct analysis *analysis, const struct datum *part,
                             struct buf *out)
{
	struct govalue in = datum_memory(analysis);
	struct datum from = part_holder(analysis, part->address, out);
	if (from.type)
		part_add_steps(&in, from, part, out);
}

void part_add_path(const struct analysis *analysis, const struct datum *part, struct buf *out)
{
	struct govalue in = datum_memory(analysis);
	if (part->object == OBJECT_NONE) {
		part_add_outside(analysis, part, out);
		return;
	}
	struct datum holder = datum_of_object(&in, part->object), from = holder;
	uint32_t head = structures_of(analysis_structures(analysis), part->object);
	SCOPED_BUF entry = {0};
	bool inside = part_is(&in, part) && datum_size(&in, part), sure;
	if (head != part->object && inside
	    && step_entry_part(&in, &holder, part->address - holder.address, &sure, &entry, &from))
		step_add_object(analysis, head, out);
	else
		step_add_object(analysis, inside ? part->object : head, out);
	if (inside && !entry.len)
		part_add_element(&in, &holder, part, &entry, &from);
	buf_add(out, buf_text(&entry));
	if (inside && from.type)
		part_add_steps(&in, from, part, out);
}

void part_add_argument(const struct analysis *analysis, const struct datum *part, struct buf *out)
{
	struct govalue in = datum_memory(analysis);
	struct datum whole = datum_of_object(&in, part->object);
	SCOPED_BUF name = {0}, element = {0};
	struct datum found;
	size_t length;
	gotype_display(typing_types(in.typing), part->type, &name);
	buf_add_char(&name, ')');
	if (part_is(&in, part)
	    && datum_typed(&in, &whole, part->address - whole.address, buf_text(&name), &length,
	                   &found))
		buf_addf(out, "0x%" PRIx64 "(+0x%" PRIx64 " %s%s", whole.address,
		         part->address - whole.address, type_mark(datum_known(&in, part)), buf_text(&name));
	else if (part_is(&in, part) && part_add_element(&in, &whole, part, &element, &found)
	         && found.address == part->address && found.type == part->type)
		buf_addf(out, "0x%" PRIx64 "%s", whole.address, buf_text(&element));
	else
		buf_addf(out, "0x%" PRIx64, part->address);
}

void part_add_page(const struct analysis *analysis, const char *text, struct buf *command)
{
	struct operand operand;
	struct datum value;
	bool known = argument_operand(analysis, text, &operand, NULL) && operand.kind == OPERAND_VALUE
	             && operand.value.place.data;
	if (*text)
		buf_addf(command, "%s %s",
		         !known                                     ? "roots"
		         : part_outside(analysis, &operand, &value) ? "fields"
		                                                    : "object",
		         text);
}
