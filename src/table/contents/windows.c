#include "table/contents/windows.h"
#include "table/contents/extent.h"

#include "analysis/damage.h"
#include "analysis/kept.h"
#include "base/bits.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/plugin.h"
#include "go/runtime/size_class.h"
#include "go/types/part_kinds.h"
#include "go/types/scalar_words.h"
#include "go/types/type_marks.h"
#include "heap/heap.h"
#include "heap/pointer_walk.h"
#include "heap/root.h"
#include "table/naming/root.h"

#include <stdlib.h>
#include <string.h>

enum {
	POLL_EVERY = 4096,
	/* Small values share slots of this size, and so would a copy. */
	TINY_SLOT = 16,
	/* Limit for an object without a type of its own: finding its n-th part takes n steps. */
	PARTS = 32
};

struct windows_search {
	const struct analysis *analysis;
	const struct heap *heap;
	const struct typing *typing;
	struct object_reader reader;
	struct part_kinds kinds;
	struct scalar_words words;
	struct type_marks marks; /* 1: values of the type contain slices or strings, or it is unknown */
	bool to_end;             /* a pointer of unknown extent has a window to the end of its target */
	size_t size;             /* bytes of the bits */
	uint64_t *whole;         /* bit per object: all of it is, or may be, in use, or nobody asks */
	uint64_t *array; /* bit per object: a slice or a string references it, and it is larger */
	struct window *window;
	size_t count, capacity;
};

/* ---- Windows */

/* Returns true if a copy of so many bytes would take as large a slot. */
static bool windows_is_tight(uint64_t slot, unsigned header, uint64_t bytes)
{
	return slot <= TINY_SLOT || size_class_fits(slot, header + bytes);
}

/* The same for an object, whose place costs more to find. */
static bool windows_object_is_tight(const struct windows_search *s, uint32_t object, uint64_t bytes)
{
	const struct objects *objects = heap_objects(s->heap);
	struct objects_run_view run;
	objects_run(objects, objects_run_of(objects, object), &run);
	return windows_is_tight(run.size, run.header, bytes);
}

/* Adds the window of a pointer into an object; `value` contains the pointer at `offset`. */
static void windows_add(struct windows_search *s, uint32_t object, uint64_t pointer,
                        const struct datum *value, uint64_t offset)
{
	struct window window = {.object = object};
	struct object_place place;
	struct extent extent;
	if (word_bit_is_set(s->whole, object))
		return;
	bool known = extent_of(s->heap, s->typing, value, offset, &extent);
	if (!s->to_end && (!known || windows_object_is_tight(s, object, extent.bytes))) {
		word_bit_set(s->whole, object);
		return;
	}
	objects_place(s->heap->objects, object, &place);
	uint64_t start = pointer - place.slot - place.header, room = place.size - place.header;
	known = known && start <= room && extent.bytes <= room - start && extent.room <= room - start;
	if (!s->to_end && !known) {
		word_bit_set(s->whole, object);
		return;
	}
	if (!known) {
		start = start < room ? start : 0;
		extent.bytes = room - start;
	}
	window.start = start;
	window.end = start + extent.bytes;
	window.array = extent.array;
	window.type = known ? extent.type & INT32_MAX : 0;
	if (extent.array)
		word_bit_set(s->array, object);
	MEM_PUSH(s->window, s->count, s->capacity, window);
}

/* Values of one type at an offset of an object. */
struct window_values {
	uint64_t offset, count;
	gotype_id type;
};

static bool windows_value_at(struct windows_search *s, const struct window_values *values,
                             uint64_t offset, struct scalar_field *leaf)
{
	uint64_t size = gotype_get(typing_types(s->typing), values->type)->size;
	if (offset < values->offset || !size || (offset - values->offset) / size >= values->count)
		return false;
	uint64_t start = values->offset + (offset - values->offset) / size * size;
	*leaf = scalar_words_at(&s->words, values->type, offset - start);
	leaf->offset += start;
	return true;
}

/* Stores the values that are known with enough certainty: the object's, else its parts'. Returns
   their number. */
static unsigned windows_values(const struct windows_search *s, const struct walk_object *object,
                               struct window_values values[PARTS])
{
	const struct typed *typed = &object->typed;
	struct typed_part part;
	unsigned count = 0;
	uint32_t n = 0;
	if (typed->type && !typed->text) {
		values[0] = (struct window_values){0, typed->count, typed->type};
		return typed->known > KNOWN_GUESS;
	}
	while (count < PARTS && typing_part(s->typing, object->id, &n, &part))
		if (type_known((enum type_source)part.source) > KNOWN_GUESS)
			values[count++] = (struct window_values){part.offset, part.count, part.type};
	return count;
}

static void windows_see(void *self, struct walk_object *object)
{
	struct windows_search *s = self;
	struct window_values values[PARTS];
	const struct object_record *record = &object->record;
	struct pointer_walk walk;
	struct pointer pointer;
	if (!heap_references(s->heap, object->id).count || !walk_object_read(object))
		return;
	unsigned count = windows_values(s, object, values);
	uint64_t room = record->stored - record->header;
	pointer_walk_linked(&walk, s->heap, object->id, record);
	while (pointer_walk_next(&walk, &pointer)) {
		struct scalar_field leaf = {0, 0};
		bool known = false;
		if (pointer.target == OBJECT_NONE || word_bit_is_set(s->whole, pointer.target))
			continue;
		for (unsigned i = 0; i < count && !known; i++)
			known = windows_value_at(s, &values[i], pointer.offset, &leaf);
		known = known && leaf.offset <= room;
		struct datum value = {
			.type = known ? leaf.type : 0,
			.data = known ? record->data + record->header + leaf.offset : NULL,
			.room = known ? room - leaf.offset : 0,
		};
		windows_add(s, pointer.target, pointer.value, &value, pointer.offset - leaf.offset);
	}
}

static void windows_in_root(struct windows_search *s, const struct root *root)
{
	/* The length word of a string in a frame may be stale, and nothing shows whether it is. */
	static const unsigned words[GO_KINDS] = {[GO_SLICE] = 3, [GO_POINTER] = 1};
	struct datum value = {0};
	if (word_bit_is_set(s->whole, root->target) || !root_retains(root))
		return;
	if (root->kind <= ROOT_FRAME)
		value = root_value(s->analysis, root);
	enum gokind kind = gotype_get(typing_types(s->typing), value.type)->kind;
	if (root->kind == ROOT_FRAME
	    && (!words[kind] || !root_is_whole(s->analysis, root, words[kind])))
		value.type = 0;
	windows_add(s, root->target, root_pointer(s->heap, root), &value,
	            root->address - value.address);
}

static void windows_in_object(struct windows_search *s, uint32_t object)
{
	struct walk_object one = {
		.id = object, .typed = typing_object(s->typing, object), .reader = &s->reader};
	windows_see(s, &one);
}

static uint8_t windows_mark(void *self, gotype_id type)
{
	struct windows_search *s = self;
	uint32_t kinds = UINT32_C(1) << GO_SLICE | UINT32_C(1) << GO_STRING;
	return !type || part_kinds_of(&s->kinds, type) & kinds;
}

/* First the objects that contain slices and strings are seen, as far as their types are known. */
static bool windows_wants(void *self, gotype_id type)
{
	return windows_mark(self, type);
}

/* Returns true if an object references one whose used part is not known to be all of it. */
static bool windows_is_partial(const struct windows_search *s, uint32_t object)
{
	struct ids to = heap_references(s->heap, object);
	for (uint32_t i = 0; i < to.count; i++)
		if (word_bit_is_set(s->array, to.id[i]) && !word_bit_is_set(s->whole, to.id[i]))
			return true;
	return false;
}

/* Looks at the other objects, whose pointers count only if they reference arrays that the first
   ones use in part: few are read. */
static bool windows_look_at_others(struct windows_search *s, struct progress *progress)
{
	const struct reach *reach = analysis_reach(s->analysis);
	uint32_t id, count = heap_object_count(s->heap);
	progress_begin(progress, "finding the used parts of arrays", count);
	for (id = 0; id < count && (id % POLL_EVERY || progress_step(progress, id)); id++)
		if (reach_has(reach, id) && !type_marks_of(&s->marks, typing_type(s->typing, id))
		    && windows_is_partial(s, id))
			windows_in_object(s, id);
	return id == count;
}

/* ---- Results */

static int windows_in_order(const void *a, const void *b)
{
	const struct window *x = a, *y = b;
	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* Adds the array of one object, if a copy of its used part would take a smaller slot. */
static void windows_add_array(struct windows *windows, const struct windows_search *s,
                              const struct window *first, size_t count)
{
	struct window_array array = {.object = first->object, .holders = (uint32_t)count};
	struct object_place place;
	uint64_t end = 0;
	bool is_array = false;
	objects_place(s->heap->objects, first->object, &place);
	for (size_t i = 0; i < count; i++) {
		uint64_t start = first[i].start > end ? first[i].start : end;
		if (first[i].end > start)
			array.used += first[i].end - start;
		end = first[i].end > end ? first[i].end : end;
		is_array |= first[i].array;
	}
	array.wasted = place.size - array.used;
	if (!is_array || windows_is_tight(place.size, place.header, array.used))
		return;
	MEM_PUSH(windows->array, windows->count, windows->capacity, array);
	windows->wasted += array.wasted;
}

static void windows_sum(struct windows *windows, struct windows_search *s)
{
	if (s->count)
		qsort(s->window, s->count, sizeof *s->window, windows_in_order);
	for (size_t first = 0, end; first < s->count; first = end) {
		for (end = first + 1; end < s->count && s->window[end].object == s->window[first].object;)
			end++;
		if (!word_bit_is_set(s->whole, s->window[first].object))
			windows_add_array(windows, s, &s->window[first], end - first);
	}
}

static void windows_free(void *made)
{
	struct windows *windows = made;
	free(windows->array);
	free(windows);
}

static struct windows_search *windows_new(const struct analysis *analysis)
{
	const struct heap *heap = analysis_heap(analysis);
	size_t size = (heap_object_count(heap) / 64 + 1) * sizeof(uint64_t);
	struct windows_search *s = mem_alloc(sizeof *s);
	*s = (struct windows_search){
		.analysis = analysis,
		.heap = heap,
		.typing = analysis_typing(analysis),
		.reader = {.heap = heap},
		.kinds = {.types = analysis_types(analysis)},
		.words = {.types = analysis_types(analysis)},
		.marks = {.mark = windows_mark, .self = s},
		.size = size,
		.whole = mem_column(size),
		.array = mem_column(size),
	};
	return s;
}

static void windows_search_free(struct windows_search *s)
{
	mem_column_free(s->whole, s->size);
	mem_column_free(s->array, s->size);
	part_kinds_fini(&s->kinds);
	scalar_words_fini(&s->words);
	type_marks_fini(&s->marks);
	free(s);
}

static void windows_in_roots(struct windows_search *s)
{
	for (uint32_t i = 0; i < s->heap->root_count; i++)
		windows_in_root(s, &s->heap->roots[i]);
}

static void *windows_begin(const struct analysis *analysis, struct progress *progress)
{
	struct windows_search *s = windows_new(analysis);
	SCOPED_BUF cause = {0};
	(void)progress;
	/* a slice that is missing may use any part */
	if (damage_cause(s->heap, DAMAGE_ROOTS, &cause))
		memset(s->whole, 0xff, s->size);
	else if (s->typing)
		windows_in_roots(s);
	return s;
}

static void *windows_end(void *self, bool seen, struct progress *progress)
{
	struct windows_search *s = self;
	struct windows *windows = mem_alloc(sizeof *windows);
	bool done = seen && (!s->typing || windows_look_at_others(s, progress));
	if (done)
		windows_sum(windows, s);
	free(s->window);
	windows_search_free(s);
	if (done)
		return windows;
	windows_free(windows);
	return NULL;
}

static bool windows_index(void *made, const struct index_io *io)
{
	struct windows *windows = made;
	return INDEX_VALUES(io, "wasted", INDEX_VALUE(windows->wasted))
	       && INDEX_ARRAY(io, "array", windows->array, windows->count);
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, windows_kept) = {
	.name = "pinned",
	.needs = STAGE_TYPED | STAGE_REACHED,
	.walker = {windows_begin, windows_wants, windows_see, windows_end},
	.free = windows_free,
	.size = sizeof(struct windows),
	.index = windows_index,
};

const struct windows *analysis_windows(const struct analysis *analysis, struct progress *progress)
{
	return analysis_kept(analysis, &windows_kept, RETAIN_ALIVE, progress);
}

struct window *windows_of(const struct analysis *analysis, const uint32_t *object, size_t count,
                          size_t *windows)
{
	struct windows_search *s = windows_new(analysis);
	const struct reach *reach = analysis_reach(analysis);
	uint64_t *read = mem_column(s->size);
	s->to_end = true;
	memset(s->whole, 0xff, s->size);
	for (size_t i = 0; i < count; i++)
		word_bit_clear(s->whole, object[i]);
	windows_in_roots(s);
	for (size_t i = 0; i < count; i++) {
		struct ids from = heap_referrers(s->heap, object[i]);
		for (size_t n = 0; n < from.count; n++)
			if (reach_has(reach, from.id[n]) && word_bit_add(read, from.id[n]))
				windows_in_object(s, from.id[n]);
	}
	struct window *window = s->window;
	*windows = s->count;
	if (s->count)
		qsort(window, s->count, sizeof *window, windows_in_order);
	mem_column_free(read, s->size);
	windows_search_free(s);
	return window;
}
