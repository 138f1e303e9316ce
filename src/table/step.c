#include "table/step.h"

#include "base/mem.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/typed.h"
#include "types/gosync.h"
#include "types/leaves.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct typed typed_of(const struct analysis *analysis, uint32_t object)
{
	const struct typing *typing = analysis_typing(analysis);
	return typing ? typing_object(typing, object) : (struct typed){0};
}

/* The key or the value of an entry, and what is in it at an address. */
static gotype_id add_part(const struct govalue *in, const struct gomap_entry *entry, gotype_id key,
                          gotype_id value, bool is_value, uint64_t address, struct buf *out)
{
	const struct gomap_part *part = is_value ? &entry->value : &entry->key;
	gotype_id type = is_value ? value : key;
	if (!is_value)
		buf_add(out, " key ");
	govalue_add_key(in, key, entry->key.data, entry->key.size, out);
	if (part->place != part->address)
		return type;
	return leaf_at(typing_types(in->typing), type, address - part->place, out).type;
}

/* An entry of a map, where `type` is that of buckets or groups and the byte is of a slot. */
static bool add_entry(const struct govalue *in, const struct object_record *record, gotype_id type,
                      uint64_t offset, struct buf *out, gotype_id *leaf)
{
	struct gomap_slots slots;
	struct gomap_entry entry;
	unsigned slot;
	bool is_value;
	if (!gomap_slots(in, type, &slots))
		return false;
	uint64_t start = offset - offset % slots.size + record->header;
	if (!gomap_slot_at(in, &slots, offset % slots.size, &slot, &is_value)
	    || start > record->stored || slots.size > record->stored - start)
		return false;
	uint64_t address = record->slot + start;
	gomap_entry_get(in, &slots, record->data + start, address, slot, &entry);
	*leaf = add_part(in, &entry, slots.key, slots.value, is_value,
	                 address + offset % slots.size, out);
	return true;
}

/* The same of an entry of a trie. */
static bool add_trie_entry(const struct govalue *in, const struct object_record *record,
                           gotype_id type, uint64_t offset, struct buf *out, gotype_id *leaf)
{
	struct gosync_slot slot;
	if (!gosync_slot(typing_types(in->typing), type, &slot))
		return false;
	uint64_t start = record->slot + record->header;
	struct gomap_entry entry = {gosync_part(in, slot.key, start + slot.key_at),
	                            gosync_part(in, slot.value, start + slot.value_at)};
	bool is_value = offset - slot.value_at < entry.value.size;
	if (!is_value && offset - slot.key_at >= entry.key.size)
		return false;
	*leaf = add_part(in, &entry, slot.key, slot.value, is_value, start + offset, out);
	return true;
}

gotype_id step_add(const struct analysis *analysis, uint32_t object, uint64_t offset,
                   struct buf *out)
{
	struct govalue in = {analysis->heap, analysis_names(analysis), analysis_typing(analysis)};
	struct typed typed = typed_of(analysis, object);
	struct object_record record;
	gotype_id leaf = 0;
	if (!typed.type || typed.text || offset == UINT64_MAX)
		return 0;
	uint64_t size = gotype_get(analysis->types, typed.type)->size;
	if (size == 0 || offset / size >= typed.count)
		return 0;
	if (heap_object(analysis->heap, object, &record)
	    && (add_entry(&in, &record, typed.type, offset, out, &leaf)
	        || add_trie_entry(&in, &record, typed.type, offset, out, &leaf)))
		return leaf;
	if (typed.count > 1)
		buf_addf(out, "[%" PRIu64 "]", offset / size);
	return leaf_at(analysis->types, typed.type, offset % size, out).type;
}

/* A table of groups (internal/runtime/maps). */
static bool is_table(const struct gotypes *types, gotype_id type)
{
	gotype_id groups = gotype_field_named(types, type, "groups", NULL);
	return groups && gotype_field_named(types, groups, "lengthMask", NULL);
}

bool step_is_inner(const struct analysis *analysis, uint32_t object)
{
	gotype_id type = typed_of(analysis, object).type;
	if (!type)
		return false;
	const struct gotypes *types = analysis->types;
	const struct gotype *shape = gotype_get(types, type);
	if (gosync_role(shape->name) == GOSYNC_PART)
		return true;
	/* A bucket is of a map, too, but names an entry. */
	if (typing_container(analysis_typing(analysis), type))
		return !gotype_field_named(types, type, "ctrl", NULL)
		       && !gotype_field_named(types, type, "tophash", NULL);
	return is_table(types, type) || (shape->kind == GO_POINTER && is_table(types, shape->elem));
}

/* ---- A whole path */

enum {
	STEPS_NAMED = 2048, /* at either end: there may be millions */
	PARTS_SHOWN = 12    /* at either end, when equal ones are one */
};

struct part {
	size_t start, len; /* in the text */
	uint64_t times;
};

struct expression {
	const struct analysis *analysis;
	const struct path *path;
	struct buf text;
	struct part *parts;
	size_t count;
	bool in_slice; /* what was named last is a slice: its array has elements, even if only one */
};

/* The name of the step to `at`, the object after step at - 1. */
static void name_step(struct expression *e, size_t at)
{
	const struct gotypes *types = e->analysis->types;
	uint32_t holder = e->path->step[at - 1];
	uint64_t offset = path_step_offset(e->analysis->heap, e->path, at);
	struct buf name = {0};
	gotype_id type = step_add(e->analysis, holder, offset, &name);
	if (!name.len && !type && offset != UINT64_MAX)
		buf_addf(&name, "(+0x%" PRIx64 ")", offset);
	if (e->in_slice && type && *buf_text(&name) != '[')
		buf_add(&e->text, "[0]");
	e->in_slice = type && gotype_get(types, type)->kind == GO_SLICE;
	buf_add(&e->text, buf_text(&name));
	buf_free(&name);
}

/* A part of the text from `start` to its end, or one more of the part before it. */
static void end_part(struct expression *e, size_t start)
{
	size_t len = e->text.len - start;
	struct part *last = e->count ? &e->parts[e->count - 1] : NULL;
	if (len == 0)
		return;
	if (last && last->len == len
	    && memcmp(e->text.data + last->start, e->text.data + start, len) == 0) {
		last->times++;
		e->text.len = start;
		e->text.data[start] = '\0';
		return;
	}
	e->parts[e->count++] = (struct part){start, len, 1};
}

static void name_steps(struct expression *e, size_t from, size_t to)
{
	for (size_t at = from; at < to; at++) {
		size_t start = e->text.len;
		if (!step_is_inner(e->analysis, e->path->step[at - 1]))
			name_step(e, at);
		end_part(e, start);
	}
}

static void add_parts(const struct expression *e, struct buf *out)
{
	for (size_t i = 0; i < e->count; i++) {
		const struct part *part = &e->parts[i];
		if (i == PARTS_SHOWN && e->count > 2 * PARTS_SHOWN) {
			buf_add(out, " … ");
			i = e->count - PARTS_SHOWN - 1;
			continue;
		}
		buf_add_bytes(out, e->text.data + part->start, part->len);
		if (part->times > 1)
			buf_addf(out, " x%" PRIu64 " ", part->times);
	}
}

/* The type of the word that a root is; 0: not known. */
static gotype_id root_type(const struct analysis *analysis, const struct root *root)
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

void step_add_path(const struct analysis *analysis, const struct path *path, struct buf *out)
{
	struct expression e = {.analysis = analysis, .path = path};
	size_t count = path->count, head = count < STEPS_NAMED ? count : STEPS_NAMED;
	size_t tail = count - head < STEPS_NAMED ? head : count - STEPS_NAMED;
	const struct root *root = &analysis->heap->roots[path->root];
	root_add_name(analysis, root, out);
	if (!analysis_typing(analysis))
		return;
	gotype_id type = root_type(analysis, root);
	e.in_slice = type && gotype_get(analysis->types, type)->kind == GO_SLICE;
	e.parts = mem_alloc((2 * STEPS_NAMED + 1) * sizeof *e.parts);
	name_steps(&e, 1, head);
	if (tail > head) {
		size_t start = e.text.len;
		buf_add(&e.text, " … ");
		end_part(&e, start);
	}
	name_steps(&e, tail, count);
	add_parts(&e, out);
	while (out->len && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
	buf_free(&e.text);
	free(e.parts);
}

gotype_id step_type(const struct analysis *analysis, const struct path *path)
{
	size_t last = path->count - 1;
	struct buf name = {0};
	if (last == 0)
		return root_type(analysis, &analysis->heap->roots[path->root]);
	gotype_id type = step_add(analysis, path->step[last - 1],
	                          path_step_offset(analysis->heap, path, last), &name);
	buf_free(&name);
	return type;
}
