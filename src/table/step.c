#include "table/step.h"

#include "base/mem.h"
#include "table/entries.h"
#include "table/operand.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/typed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct typed step_typed_of(const struct analysis *analysis, uint32_t object)
{
	const struct typing *typing = analysis_typing(analysis);
	return typing ? typing_object(typing, object) : (struct typed){0};
}

/* The key or the value of an entry, and what is in it at an address. *sure becomes false where
   other entries may be called the same. */
static struct datum step_add_part(const struct govalue *in, const struct gomap_entry *entry,
                                  gotype_id key, gotype_id value, bool is_value, uint64_t address,
                                  bool *sure, struct buf *out)
{
	const struct gomap_part *part = is_value ? &entry->value : &entry->key;
	if (!is_value)
		buf_add(out, " key ");
	*sure = entries_add_key(in, key, &entry->key, out);
	struct datum place = datum_at(in, part->place, is_value ? value : key, 1);
	if (part->place != part->address) {
		place.type = 0; /* the word there is a pointer to it, which no type of the program is of */
		return place;
	}
	return datum_scalar(in, &place, address - part->place, out);
}

/* An entry of a map, where `holder` is buckets or groups and the byte is of a slot. */
static bool step_add_entry(const struct govalue *in, const struct datum *holder, uint64_t offset,
                           bool *sure, struct buf *out, struct datum *scalar)
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
	*scalar = step_add_part(in, &entry, slots.key, slots.value, is_value, holder->address + offset,
	                        sure, out);
	return true;
}

/* The same of an entry of a trie. */
static bool add_trie_entry(const struct govalue *in, const struct datum *holder, uint64_t offset,
                           bool *sure, struct buf *out, struct datum *scalar)
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
	*scalar = step_add_part(in, &entry, slot.key, slot.value, is_value, start + offset, sure, out);
	return true;
}

/* Is it an entry that the offset is in? */
static bool step_entry(const struct govalue *in, const struct datum *holder, uint64_t offset,
                       bool *sure, struct buf *out, struct datum *scalar)
{
	uint64_t size = holder->type ? gotype_get(typing_types(in->typing), holder->type)->size : 0;
	if (!size || !holder->data || offset / size >= holder->count)
		return false;
	return step_add_entry(in, holder, offset, sure, out, scalar)
	       || add_trie_entry(in, holder, offset, sure, out, scalar);
}

gotype_id step_add(const struct analysis *analysis, uint32_t object, uint64_t offset,
                   struct buf *out)
{
	struct govalue in = datum_memory(analysis);
	struct datum scalar;
	bool sure;
	if (!in.typing || offset == UINT64_MAX)
		return 0;
	struct datum holder = datum_of_object(&in, object);
	if (!step_entry(&in, &holder, offset, &sure, out, &scalar))
		scalar = datum_scalar(&in, &holder, offset, out);
	return scalar.type;
}

static bool is_part_of_sync_map(const struct analysis *analysis, gotype_id type)
{
	return gosync_role(gotype_get(analysis_types(analysis), type)->name) == GOSYNC_PART;
}

bool step_is_inner(const struct analysis *analysis, uint32_t object)
{
	gotype_id type = step_typed_of(analysis, object).type;
	return type
	       && (is_part_of_sync_map(analysis, type)
	           || gomap_is_between(typing_runtime(analysis_typing(analysis)), type));
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

struct naming {
	const struct analysis *analysis;
	const struct path *path;
	struct govalue in;
	struct buf text;
	struct part *parts;
	size_t count;
	struct datum from; /* the value that leads to the object whose field is named next */
	bool inner;        /* the last steps were the runtime's own, */
	bool channel;      /* from a channel to its buffer */
	bool entry;        /* the last step was an entry of a map, */
	bool box;          /* the last one to what a sync.Map keeps behind a key: not yet its value */
	struct buf tail;   /* the only step yet within a map or channel */
	bool silent;       /* the last step has no name */
	bool unsure;       /* the text may lead to another object than the path */
};

/* By the value that leads to it, as the program reads it: of a slice from its own start, of what a
   pointer points to the field there. False: it is beyond these, or all of the object is meant. */
static bool name_by_pointer(const struct naming *e, const struct datum *whole, uint64_t offset,
                            struct buf *out, struct datum *scalar)
{
	const struct gotypes *types = typing_types(e->in.typing);
	struct datum target;
	if (!e->from.type || !datum_follow(&e->in, &e->from, &target) || !target.type)
		return false;
	bool slice = gotype_get(types, e->from.type)->kind == GO_SLICE;
	uint64_t at = whole->address + offset - target.address;
	uint64_t size = gotype_get(types, target.type)->size;
	if (target.object != whole->object || (!slice && target.address == whole->address)
	    || at / size >= target.count)
		return false;
	if (slice && target.count == 1)
		buf_add(out, "[0]");
	*scalar = datum_scalar(&e->in, &target, at, out);
	return true;
}

/* Would one who follows the pointer find something else under that name? */
static bool is_ambiguous(const struct naming *e, const struct datum *whole, const char *name)
{
	struct datum target, ignored;
	if (!e->from.type || !datum_follow(&e->in, &e->from, &target) || !target.type)
		return false;
	if (target.address == whole->address && target.type == whole->type)
		return false;
	if (*name == '[')
		return target.address != whole->address || datum_is_row(&e->in, &target);
	return *name == '.'
	       && datum_field(&e->in, &target, name + 1, strcspn(name + 1, ".[( "), &ignored);
}

/* An element of the array behind a slice that is not in the slice: it has no index there, but what
   it holds is alive. False: it is in the slice, or the path comes by another value. */
static bool name_outside(const struct naming *e, const struct datum *whole, uint64_t offset,
                         struct buf *out, struct datum *scalar)
{
	struct datum target;
	if (!e->from.type || gotype_get(typing_types(e->in.typing), e->from.type)->kind != GO_SLICE
	    || !datum_follow(&e->in, &e->from, &target) || target.object != whole->object
	    || !target.type || target.type != whole->type)
		return false;
	struct buf name = {0};
	*scalar = datum_scalar(&e->in, whole, offset, &name);
	const char *text = buf_text(&name), *rest = *text == '[' ? strchr(text, ']') : NULL;
	bool before = whole->address + offset < target.address;
	buf_addf(out, "(%s)%s", before ? "before [0]" : "past the end", rest ? rest + 1 : text);
	buf_free(&name);
	return true;
}

/* By the object's own type; without one by the offset. */
static void name_by_object(struct naming *e, const struct datum *whole, uint64_t offset,
                           struct buf *out, struct datum *scalar)
{
	if (e->channel && whole->count == 1)
		buf_add(out, "[0]");
	*scalar = datum_scalar(&e->in, whole, offset, out);
	if (!scalar->type)
		buf_addf(out, "(+0x%" PRIx64 ")", offset);
	e->unsure |= is_ambiguous(e, whole, buf_text(out))
	             || (e->inner && out->len && !(e->channel && *out->data == '['));
}

/* A step within a map, a channel or a sync.Map: nothing that a program names. */
static void pass_inner(struct naming *e, const struct datum *whole, uint64_t offset,
                       struct datum *scalar)
{
	const struct gotypes *types = typing_types(e->in.typing);
	struct gomap_slots ignored;
	bool first = !e->inner,
		 bucket = gomap_slots(typing_runtime(e->in.typing), whole->type, &ignored);
	buf_clear(&e->tail);
	*scalar = datum_scalar(&e->in, whole, offset, &e->tail);
	if (!first || e->entry)
		buf_clear(&e->tail);
	e->inner |= !e->entry; /* what a sync.Map keeps behind a key is in boxes, as interfaces are */
	e->unsure |= bucket && first;
	gotype_id of = goruntime_container(typing_runtime(e->in.typing), whole->type);
	e->channel = of && gotype_get(types, of)->kind == GO_CHAN;
}

/* What is only passed through. A bucket leads to the next one of its chain. */
static bool is_inner(const struct naming *e, uint32_t holder, const struct datum *whole)
{
	struct gomap_slots ignored;
	return step_is_inner(e->analysis, holder)
	       || gomap_slots(typing_runtime(e->in.typing), whole->type, &ignored);
}

/* Is it by another word of the value than the one that its reader follows? */
static bool is_aside(const struct naming *e, const struct datum *scalar, uint64_t address)
{
	uint64_t offset;
	return scalar->type
	       && (!govalue_pointer(&e->in, scalar->type, &offset)
	           || scalar->address + offset != address);
}

/* What is behind a key of a sync.Map ends with an interface that the key is said to lead through.
 */
static bool is_value_of_box(const struct naming *e, const struct datum *whole)
{
	return e->box && gotype_get(analysis_types(e->analysis), whole->type)->kind == GO_INTERFACE;
}

/* Names the step to `at`, the object after step at - 1. */
static void step_add_name(struct naming *e, size_t at)
{
	uint32_t holder = e->path->step[at - 1];
	uint64_t offset = path_step_offset(analysis_heap(e->analysis), e->path, at);
	struct datum whole = datum_of_object(&e->in, holder), scalar = {0};
	bool sure = true, box = false, of_box = is_value_of_box(e, &whole);
	size_t before = e->text.len;
	struct buf name = {0};
	if (offset == UINT64_MAX) {
		e->unsure = true;
	} else if (step_entry(&e->in, &whole, offset, &sure, &name, &scalar)) {
		e->inner = e->channel = false;
		e->entry = true;
		box = is_part_of_sync_map(e->analysis, typing_type(e->in.typing, e->path->step[at]));
		buf_clear(&e->tail);
	} else if (is_inner(e, holder, &whole)) {
		box = e->box;
		pass_inner(e, &whole, offset, &scalar);
	} else {
		if (name_by_pointer(e, &whole, offset, &name, &scalar))
			;
		else if (name_outside(e, &whole, offset, &name, &scalar))
			e->unsure = true;
		else
			name_by_object(e, &whole, offset, &name, &scalar);
		e->inner = e->channel = e->entry = false;
		buf_clear(&e->tail);
	}
	buf_add(&e->text, buf_text(&name));
	buf_free(&name);
	e->unsure |= !sure || is_aside(e, &scalar, whole.address + offset);
	e->silent = e->text.len == before && !of_box;
	e->box = box;
	e->from = scalar;
}

/* A part of the text from `start` to its end, or one more of the part before it. */
static void end_part(struct naming *e, size_t start)
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

static void name_steps(struct naming *e, size_t from, size_t to)
{
	for (size_t at = from; at < to; at++) {
		size_t start = e->text.len;
		step_add_name(e, at);
		end_part(e, start);
	}
}

/* ".Next" and "[3]": what "x298" after it is read as a repetition of. */
static bool is_one_component(const char *text, size_t len)
{
	size_t rest = *text == '[' ? strspn(text + 1, "0123456789") + 2 : strcspn(text + 1, ".[( ") + 1;
	return rest == len;
}

static void step_add_parts(struct naming *e, struct buf *out)
{
	for (size_t i = 0; i < e->count; i++) {
		const struct part *part = &e->parts[i];
		if (i == PARTS_SHOWN && e->count > 2 * PARTS_SHOWN) {
			buf_add(out, " … ");
			e->unsure = true;
			i = e->count - PARTS_SHOWN - 1;
			continue;
		}
		buf_add_bytes(out, e->text.data + part->start, part->len);
		if (part->times > 1)
			buf_addf(out, " x%" PRIu64 " ", part->times);
		e->unsure |= part->times > 1 && !is_one_component(e->text.data + part->start, part->len);
	}
}

/* The middle of a long path is left out. */
static void name_path(struct naming *e)
{
	size_t count = e->path->count, head = count < STEPS_NAMED ? count : STEPS_NAMED;
	size_t tail = count - head < STEPS_NAMED ? head : count - STEPS_NAMED;
	e->parts = mem_alloc((head + count - tail + 1) * sizeof *e->parts);
	e->from = root_value(e->analysis, &analysis_heap(e->analysis)->roots[e->path->root]);
	name_steps(e, 1, head);
	if (tail > head) {
		size_t start = e->text.len;
		buf_add(&e->text, " … ");
		end_part(e, start);
		e->from = (struct datum){0};
		e->unsure = true;
	}
	name_steps(e, tail, count);
}

void step_add_stretch(const struct analysis *analysis, const struct path *path, size_t first,
                      size_t last, struct buf *out)
{
	struct naming e = {.analysis = analysis, .path = path, .in = datum_memory(analysis)};
	if (!e.in.typing)
		return;
	if (first == 0)
		e.from = root_value(analysis, &analysis_heap(analysis)->roots[path->root]);
	for (size_t at = first ? first : 1; at <= last; at++)
		step_add_name(&e, at);
	buf_addf(out, "%s%s", buf_text(&e.text), buf_text(&e.tail));
	buf_free(&e.text);
	buf_free(&e.tail);
}

void step_add_path(const struct analysis *analysis, const struct path *path, struct buf *out)
{
	struct naming e = {
		.analysis = analysis,
		.path = path,
		.in = datum_memory(analysis),
		.silent = path->count > 1,
	};
	const struct root *root = &analysis_heap(analysis)->roots[path->root];
	entity_add_name(analysis, entity_of_root(analysis_heap(analysis), root), out);
	if (e.in.typing)
		name_path(&e);
	step_add_parts(&e, out);
	while (out->len && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
	buf_add(out, buf_text(&e.tail));
	e.silent &= !e.tail.len;
	uint32_t last = path->step[path->count - 1];
	bool clear = !e.unsure && !e.silent && !e.box && root_is_clear(analysis, root);
	if (!clear && heap_has(analysis_heap(analysis), HAS_ADDRESSES))
		buf_addf(out, " … 0x%" PRIx64, heap_address(analysis_heap(analysis), last));
	buf_free(&e.tail);
	buf_free(&e.text);
	free(e.parts);
}

void step_add_object(const struct analysis *analysis, uint32_t object, struct buf *out)
{
	struct paths *paths = paths_open(analysis_heap(analysis), analysis_reach(analysis), object);
	const struct path *path = paths_get(paths, 0, NULL);
	if (path)
		step_add_path(analysis, path, out);
	paths_close(paths);
}

gotype_id step_type(const struct analysis *analysis, const struct path *path)
{
	size_t last = path->count - 1;
	struct buf name = {0};
	if (last == 0)
		return root_value(analysis, &analysis_heap(analysis)->roots[path->root]).type;
	gotype_id type = step_add(analysis, path->step[last - 1],
	                          path_step_offset(analysis_heap(analysis), path, last), &name);
	buf_free(&name);
	return type;
}
