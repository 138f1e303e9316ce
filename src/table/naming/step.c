#include "step_parts.h"

#include "heap/pointer_walk.h"
#include "heap/root.h"
#include "table/contents/entries.h"
#include "table/naming/root.h"
#include "table/naming/step.h"

/* Appends the key of an entry. Returns its key or value, with type 0 if that is a pointer that has
   none in the program. *sure becomes false if other entries may have the same text. */
static struct datum step_add_part(const struct govalue *in, const struct gomap_entry *entry,
                                  gotype_id key, gotype_id value, bool is_value, bool *sure,
                                  struct buf *out)
{
	const struct gomap_part *part = is_value ? &entry->value : &entry->key;
	if (!is_value)
		buf_add(out, " key ");
	*sure = entries_add_key(in, key, &entry->key, out);
	bool boxed = part->place != part->address;
	return datum_at(in, part->place, boxed ? 0 : is_value ? value : key, 1);
}

/* Appends the entry of a map, if `holder` is buckets or groups and the offset lies in a slot.
   False: it does not. */
static bool step_add_entry(const struct govalue *in, const struct datum *holder, uint64_t offset,
                           bool *sure, struct buf *out, struct datum *part)
{
	struct gomap_slots slots;
	struct gomap_entry entry;
	unsigned slot;
	bool is_value;
	if (!gomap_slots(typing_runtime(in->typing), holder->type, &slots))
		return false;
	uint64_t start = offset - offset % slots.size;
	if (!gomap_slot_at(typing_runtime(in->typing), &slots, offset % slots.size, &slot, &is_value)
	    || start > holder->room || slots.size > holder->room - start)
		return false;
	gomap_entry_get(typing_runtime(in->typing), &slots, holder->data + start,
	                holder->address + start, slot, &entry);
	*part = step_add_part(in, &entry, slots.key, slots.value, is_value, sure, out);
	return true;
}

/* Appends the entry of a trie, if the offset lies in one. False: it does not. */
static bool add_trie_entry(const struct govalue *in, const struct datum *holder, uint64_t offset,
                           bool *sure, struct buf *out, struct datum *part)
{
	const struct goruntime *rt = typing_runtime(in->typing);
	struct gosync_slot slot;
	if (!gosync_slot(typing_types(in->typing), holder->type, &slot))
		return false;
	uint64_t start = holder->address;
	struct gomap_entry entry = {gosync_part(rt, slot.key, start + slot.key_at),
	                            gosync_part(rt, slot.value, start + slot.value_at)};
	bool is_value = offset - slot.value_at < entry.value.size;
	if (!is_value && offset - slot.key_at >= entry.key.size)
		return false;
	*part = step_add_part(in, &entry, slot.key, slot.value, is_value, sure, out);
	return true;
}

static bool step_trie_slot(const struct analysis *analysis, uint32_t object,
                           struct gosync_slot *slot)
{
	const struct typing *typing = analysis_typing(analysis);
	return typing && gosync_slot(typing_types(typing), typing_type(typing, object), slot);
}

bool step_is_trie_entry(const struct analysis *analysis, uint32_t object)
{
	struct gosync_slot slot;
	return step_trie_slot(analysis, object, &slot);
}

bool step_add_trie_key(const struct analysis *analysis, uint32_t object, struct buf *out)
{
	struct govalue in = datum_memory(analysis);
	struct gosync_slot slot;
	if (!step_trie_slot(analysis, object, &slot))
		return false;
	struct datum entry = datum_of_object(&in, object);
	struct gomap_part key =
		gosync_part(typing_runtime(in.typing), slot.key, entry.address + slot.key_at);
	entries_add_key(&in, slot.key, &key, out);
	return true;
}

bool step_entry_part(const struct govalue *in, const struct datum *holder, uint64_t offset,
                     bool *sure, struct buf *out, struct datum *part)
{
	uint64_t size = holder->type ? gotype_get(typing_types(in->typing), holder->type)->size : 0;
	if (!size || !holder->data || offset / size >= holder->count)
		return false;
	return step_add_entry(in, holder, offset, sure, out, part)
	       || add_trie_entry(in, holder, offset, sure, out, part);
}

bool step_entry(const struct govalue *in, const struct datum *holder, uint64_t offset, bool *sure,
                struct buf *out, struct datum *scalar)
{
	if (!step_entry_part(in, holder, offset, sure, out, scalar))
		return false;
	if (scalar->type)
		*scalar = datum_scalar(in, scalar, holder->address + offset - scalar->address, out);
	return true;
}

gotype_id step_add(const struct analysis *analysis, uint32_t object, uint64_t offset,
                   struct buf *out)
{
	struct govalue in = datum_memory(analysis);
	struct datum scalar;
	bool sure;
	if (step_add_told(analysis_heap(analysis), object, offset, out) || !in.typing
	    || !place_is_offset(offset))
		return 0;
	struct datum holder = datum_of_object(&in, object);
	if (!step_entry(&in, &holder, offset, &sure, out, &scalar))
		scalar = datum_scalar(&in, &holder, offset, out);
	return scalar.type;
}

bool step_is_of_sync_map(const struct analysis *analysis, gotype_id type)
{
	return gosync_role(gotype_get(analysis_types(analysis), type)->name) == GOSYNC_PART;
}

bool step_is_inner(const struct analysis *analysis, uint32_t object)
{
	const struct typing *typing = analysis_typing(analysis);
	gotype_id type = typing ? typing_type(typing, object) : 0;
	return type
	       && (step_is_of_sync_map(analysis, type)
	           || gomap_is_between(typing_runtime(typing), type));
}

gotype_id step_type(const struct analysis *analysis, const struct path *path)
{
	size_t last = path->count - 1;
	SCOPED_BUF name = {0};
	if (last == 0)
		return root_value(analysis, heap_root(analysis_heap(analysis), path->root)).type;
	return step_add(analysis, path->step[last - 1],
	                path_step_offset(analysis_heap(analysis), path, last), &name);
}
