/* Expressions for whole paths, with a cache (step_states.h): all shortest paths through an object
   have the same expression up to that object. */
#include "step_parts.h"
#include "step_states.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "go/runtime/gomap.h"
#include "heap/root.h"
#include "table/naming/operand.h"
#include "table/naming/root.h"
#include "table/naming/step.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	STEPS_BOUND = 160,  /* bytes that are left of a longer name */
	STEPS_NAMED = 2048, /* at either end: a path may have millions */
	PARTS_SHOWN = 12    /* at either end, when repeated parts are merged */
};

struct naming {
	const struct analysis *analysis;
	struct govalue in;
	struct step_state now;
	struct buf text; /* of the last step, or of several consecutive ones */
	struct buf tail; /* the only step so far within a map or channel */
};

/* Names a field by the type of the pointer that leads to it: relative to the start of a slice, or
   to the target of a pointer. False: the offset lies outside of that target, or the pointer refers
   to the whole object. */
static bool name_by_pointer(const struct naming *e, const struct datum *whole, uint64_t offset,
                            struct buf *out, struct datum *scalar)
{
	const struct gotypes *types = typing_types(e->in.typing);
	struct datum target;
	if (!e->now.from.type || !datum_follow(&e->in, &e->now.from, &target) || !target.type)
		return false;
	bool slice = gotype_get(types, e->now.from.type)->kind == GO_SLICE;
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

/* Returns true if the same name, read from the pointer, leads to something else. */
static bool is_ambiguous(const struct naming *e, const struct datum *whole, const char *name)
{
	struct datum target, ignored;
	if (!e->now.from.type || !datum_follow(&e->in, &e->now.from, &target) || !target.type)
		return false;
	if (target.address == whole->address && target.type == whole->type)
		return false;
	if (*name == '[')
		return target.address != whole->address || datum_is_row(&e->in, &target);
	return *name == '.'
	       && datum_field(&e->in, &target, name + 1, strcspn(name + 1, ".[( "), &ignored);
}

/* Names an element of a slice's array that is not in the slice: it has no index in the program, but
   its references keep objects alive. False: the path does not come through a slice. */
static bool name_outside(const struct naming *e, const struct datum *whole, uint64_t offset,
                         struct buf *out, struct datum *scalar)
{
	struct datum target;
	if (!e->now.from.type
	    || gotype_get(typing_types(e->in.typing), e->now.from.type)->kind != GO_SLICE
	    || !datum_follow(&e->in, &e->now.from, &target) || target.object != whole->object
	    || !target.type || target.type != whole->type)
		return false;
	SCOPED_BUF name = {0};
	*scalar = datum_scalar(&e->in, whole, offset, &name);
	const char *text = buf_text(&name), *rest = *text == '[' ? strchr(text, ']') : NULL;
	bool before = whole->address + offset < target.address;
	buf_addf(out, "(%s)%s", before ? "before [0]" : "past the end", rest ? rest + 1 : text);
	return true;
}

/* Names a field by the object's own type; by the offset if it has none. */
static void name_by_object(struct naming *e, const struct datum *whole, uint64_t offset,
                           struct buf *out, struct datum *scalar)
{
	if (e->now.channel && whole->count == 1)
		buf_add(out, "[0]");
	*scalar = datum_scalar(&e->in, whole, offset, out);
	if (!scalar->type)
		buf_addf(out, "(+0x%" PRIx64 ")", offset);
	e->now.unsure |= is_ambiguous(e, whole, buf_text(out))
	                 || (e->now.inner && out->len && !(e->now.channel && *out->data == '['));
}

/* Passes a step within a map, a channel or a sync.Map, which has no name in the program. */
static void pass_inner(struct naming *e, const struct datum *whole, uint64_t offset,
                       struct datum *scalar)
{
	const struct gotypes *types = typing_types(e->in.typing);
	struct gomap_slots ignored;
	bool first = !e->now.inner,
		 bucket = gomap_slots(typing_runtime(e->in.typing), whole->type, &ignored);
	buf_clear(&e->tail);
	*scalar = datum_scalar(&e->in, whole, offset, &e->tail);
	if (!first || e->now.entry)
		buf_clear(&e->tail);
	e->now.inner |= !e->now.entry; /* a sync.Map boxes its values, like interfaces */
	e->now.unsure |= bucket && first;
	gotype_id of = goruntime_container(typing_runtime(e->in.typing), whole->type);
	e->now.channel = of && gotype_get(types, of)->kind == GO_CHAN;
}

/* Returns true if the pointer is not the one that a reader of the expression follows. */
static bool is_aside(const struct naming *e, const struct datum *scalar, uint64_t address)
{
	uint64_t offset;
	return scalar->type
	       && (!govalue_pointer(&e->in, scalar->type, &offset)
	           || scalar->address + offset != address);
}

/* Names the step to `at` of the path, the object after step at - 1. */
static void step_add_name(struct naming *e, const struct path *path, size_t at)
{
	uint32_t holder = path->step[at - 1];
	uint64_t offset = path_step_offset(analysis_heap(e->analysis), path, at);
	size_t before = e->text.len;
	if (step_add_told(analysis_heap(e->analysis), holder, offset, &e->text)) {
		e->now = (struct step_state){.part = e->now.part, .silent = e->text.len == before};
		return;
	}
	struct datum whole = datum_of_object(&e->in, holder), scalar = {0};
	bool sure = true, box = false;
	/* The interface in a sync.Map's box: the step of the key leads through it. */
	bool of_box = e->now.box
	              && gotype_get(analysis_types(e->analysis), whole.type)->kind == GO_INTERFACE;
	SCOPED_BUF name = {0};
	if (offset == UINT64_MAX) {
		e->now.unsure = true;
	} else if (step_entry(&e->in, &whole, offset, &sure, &name, &scalar)) {
		e->now.inner = e->now.channel = false;
		e->now.entry = true;
		box = step_is_of_sync_map(e->analysis, typing_type(e->in.typing, path->step[at]));
		buf_clear(&e->tail);
	} else if (step_is_inner(e->analysis, holder)
	           || gomap_slots(typing_runtime(e->in.typing), whole.type, &(struct gomap_slots){0})) {
		/* An object without a step of its own. A bucket leads to the next one of its chain. */
		box = e->now.box;
		pass_inner(e, &whole, offset, &scalar);
	} else {
		if (name_by_pointer(e, &whole, offset, &name, &scalar))
			;
		else if (name_outside(e, &whole, offset, &name, &scalar))
			e->now.unsure = true;
		else
			name_by_object(e, &whole, offset, &name, &scalar);
		e->now.inner = e->now.channel = e->now.entry = false;
		buf_clear(&e->tail);
	}
	buf_add(&e->text, buf_text(&name));
	e->now.unsure |= !sure || is_aside(e, &scalar, whole.address + offset);
	e->now.silent = e->text.len == before && !of_box;
	e->now.box = box;
	e->now.from = scalar;
}

/* Returns true for ".Next" and "[3]": a following "x298" repeats one such component. */
static bool is_one_component(const char *text, size_t len)
{
	size_t rest = *text == '[' ? strspn(text + 1, "0123456789") + 2 : strcspn(text + 1, ".[( ") + 1;
	return rest == len;
}

static void step_add_parts(struct naming *e, const struct step_states *states, struct buf *out)
{
	uint32_t at = e->now.part, count = at ? states->part[at].count : 0;
	SCOPED_FREE uint32_t *parts = mem_alloc((count + 1ULL) * sizeof *parts);
	for (uint32_t i = count; i-- > 0; at = states->part[at].before)
		parts[i] = at;
	for (uint32_t i = 0; i < count; i++) {
		const struct step_part *part = &states->part[parts[i]];
		const char *text = states->text.data + part->text;
		if (i == PARTS_SHOWN && count > 2 * PARTS_SHOWN) {
			buf_add(out, " … ");
			e->now.unsure = true;
			i = count - PARTS_SHOWN - 1;
			continue;
		}
		bool folded = part->times >= STEPS_FOLDED;
		for (uint64_t n = 0; n < (folded ? 1 : part->times); n++)
			buf_add_bytes(out, text, part->len);
		if (folded)
			buf_addf(out, " x%" PRIu64 " ", part->times);
		e->now.unsure |= folded && !is_one_component(text, part->len);
	}
}

/* Returns the step after the omitted part of a long path; 0: nothing is omitted. It is a multiple
   of STEPS_NAMED, so that longer paths share the cache of shorter ones. */
static size_t gap_end(const struct path *path)
{
	return path->count < 3 * STEPS_NAMED ? 0
	                                     : (path->count - STEPS_NAMED) / STEPS_NAMED * STEPS_NAMED;
}

/* Returns the cache key of a step. The omitted part before a step can end at two places, so each
   object has at most two states. */
static uint64_t state_key(const struct path *path, size_t at, size_t end)
{
	bool late = at >= STEPS_NAMED && end == at / STEPS_NAMED * STEPS_NAMED;
	return (path->step[at] + 1ULL) << 1 | late;
}

/* Returns how many steps at the start of the path are the shortest path to the last of them. */
static size_t shortest_steps(const struct reach *reach, const struct path *path)
{
	size_t at = 0;
	uint32_t before = heap_object_count(reach->heap) + path->root;
	for (; at < path->count && reach_before(reach, path->step[at]) == before; at++)
		before = path->step[at];
	return at;
}

/* Loads the state of the last cached step. Returns the step after it. */
static size_t path_resume(struct naming *e, const struct step_states *states,
                          const struct path *path, size_t shortest, size_t end)
{
	const struct step_state *state = NULL;
	size_t at = shortest;
	while (at > 1 && !state) {
		at = at > STEPS_NAMED && at <= end ? STEPS_NAMED - 1 : at - 1; /* skips what is omitted */
		state = step_states_get(states, state_key(path, at, end));
	}
	if (!state) {
		e->now.from = root_value(e->analysis, heap_root(analysis_heap(e->analysis), path->root));
		return 1;
	}
	e->now = *state;
	buf_add_bytes(&e->tail, states->text.data + state->tail, state->tail_len);
	return at + 1;
}

static void name_path(struct naming *e, struct step_states *states, const struct path *path)
{
	static const char gap[] = " … ";
	size_t shortest = shortest_steps(analysis_reach(e->analysis), path), end = gap_end(path);
	for (size_t at = path_resume(e, states, path, shortest, end); at < path->count; at++) {
		if (end && at == STEPS_NAMED) {
			at = end;
			e->now = (struct step_state){
				.unsure = true, .part = step_states_add(states, e->now.part, gap, sizeof gap - 1)};
			buf_clear(&e->tail);
		}
		buf_clear(&e->text);
		step_add_name(e, path, at);
		if (e->text.len)
			e->now.part = step_states_add(states, e->now.part, e->text.data, e->text.len);
		if (at < shortest) {
			struct step_state state = e->now;
			state.tail = states->text.len;
			state.tail_len = e->tail.len;
			buf_add_bytes(&states->text, buf_text(&e->tail), e->tail.len);
			step_states_put(states, state_key(path, at, end), state);
		}
	}
}

/* Returns true if steps have names: from types, or from the format. */
static bool has_names(const struct naming *e)
{
	return e->in.typing || heap_has(analysis_heap(e->analysis), PART_NAMES);
}

void step_add_stretch(const struct analysis *analysis, const struct path *path, size_t first,
                      size_t last, struct buf *out)
{
	struct naming e = {.analysis = analysis, .in = datum_memory(analysis)};
	if (!has_names(&e))
		return;
	if (first == 0)
		e.now.from = root_value(analysis, heap_root(analysis_heap(analysis), path->root));
	for (size_t at = first ? first : 1; at <= last; at++)
		step_add_name(&e, path, at);
	buf_addf(out, "%s%s", buf_text(&e.text), buf_text(&e.tail));
	buf_free(&e.text);
	buf_free(&e.tail);
}

/* Cuts the end of a long name, whose object is then told by its address. */
static bool step_bound(struct buf *out, size_t start)
{
	size_t length = out->len - start, kept = STEPS_BOUND;
	if (length <= TEXT_BOUND)
		return false;
	while (kept && ((uint8_t)out->data[start + kept] & 0xc0) == 0x80)
		kept--;
	buf_truncate(out, start + kept);
	return true;
}

void step_add_path(const struct analysis *analysis, const struct path *path, struct buf *out)
{
	struct naming e = {.analysis = analysis, .in = datum_memory(analysis)};
	size_t before = out->len;
	const struct root *root = heap_root(analysis_heap(analysis), path->root);
	entity_add_name(analysis, entity_of_root(analysis_heap(analysis), root), out);
	if (has_names(&e)) {
		struct step_states *states = step_states_of(analysis);
		pthread_mutex_lock(&states->lock);
		step_states_trim(states);
		name_path(&e, states, path);
		step_add_parts(&e, states, out);
		pthread_mutex_unlock(&states->lock);
	} else {
		e.now.silent = path->count > 1;
	}
	while (out->len && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
	buf_add(out, buf_text(&e.tail));
	e.now.silent &= !e.tail.len;
	uint32_t last = path->step[path->count - 1];
	bool clear = !e.now.unsure && !e.now.silent && !e.now.box && root_is_clear(analysis, root);
	bool bounded = step_bound(out, before);
	/* other formats name each of their roots */
	if (bounded || e.now.silent || (!clear && heap_has(analysis_heap(analysis), PART_MEMORY)))
		buf_addf(out, " … 0x%" PRIx64, heap_address(analysis_heap(analysis), last));
	buf_free(&e.tail);
	buf_free(&e.text);
}

void step_add_object(const struct analysis *analysis, uint32_t object, struct buf *out)
{
	struct paths *paths = paths_open(analysis_heap(analysis), analysis_reach(analysis), object);
	const struct path *path = paths_get(paths, 0, NULL);
	if (path)
		step_add_path(analysis, path, out);
	paths_close(paths);
}
