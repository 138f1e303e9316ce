#include "table/naming/part.h"

#include "table/contents/entries.h"
#include "table/naming/step.h"

#include <inttypes.h>

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

/* Appends the steps from a value to a part of it. */
static void part_add_steps(const struct govalue *in, struct datum from, const struct datum *part,
                           struct buf *out)
{
	uint64_t offset = part->address - from.address;
	while ((offset || from.count > 1 || from.type != part->type)
	       && datum_descend(in, &from, &offset, out))
		;
}

/* Appends the key of the entry in whose slot a value lies, and the steps to it. False: it lies in
   none. */
static bool part_add_entry(const struct govalue *in, const struct datum *holder,
                           const struct datum *part, struct buf *out)
{
	const struct goruntime *rt = typing_runtime(in->typing);
	uint64_t offset = part->address - holder->address;
	struct gomap_slots slots;
	struct gomap_entry entry;
	unsigned slot;
	bool is_value;
	if (!holder->type || !gomap_slots(rt, holder->type, &slots))
		return false;
	uint64_t start = offset - offset % slots.size;
	if (!gomap_slot_at(rt, &slots, offset % slots.size, &slot, &is_value) || start > holder->room
	    || slots.size > holder->room - start)
		return false;
	gomap_entry_get(rt, &slots, holder->data + start, holder->address + start, slot, &entry);
	const struct gomap_part *at = is_value ? &entry.value : &entry.key;
	buf_add(out, is_value ? "" : " key ");
	entries_add_key(in, slots.key, &entry.key, out);
	if (at->place == at->address)
		part_add_steps(in, datum_at(in, at->place, is_value ? slots.value : slots.key, 1), part,
		               out);
	return true;
}

void part_add_path(const struct analysis *analysis, const struct datum *part, struct buf *out)
{
	struct govalue in = datum_memory(analysis);
	uint32_t head = structures_of(analysis_structures(analysis), part->object);
	struct datum holder = datum_of_object(&in, part->object);
	struct buf entry = {0};
	bool in_entry = part_add_entry(&in, &holder, part, &entry);
	step_add_object(analysis, in_entry ? head : part->object, out);
	if (in_entry)
		buf_add(out, buf_text(&entry));
	else if (holder.type)
		part_add_steps(&in, holder, part, out);
	buf_free(&entry);
}

void part_add_argument(const struct analysis *analysis, const struct datum *part, struct buf *out)
{
	struct govalue in = datum_memory(analysis);
	struct datum whole = datum_of_object(&in, part->object);
	struct buf name = {0};
	struct datum found;
	size_t length;
	gotype_display(typing_types(in.typing), part->type, &name);
	buf_add_char(&name, ')');
	if (part_is(&in, part)
	    && datum_typed(&in, &whole, part->address - whole.address, buf_text(&name), &length,
	                   &found))
		buf_addf(out, "0x%" PRIx64 "(+0x%" PRIx64 " %s", whole.address,
		         part->address - whole.address, buf_text(&name));
	else
		buf_addf(out, "0x%" PRIx64, part->address);
	buf_free(&name);
}
