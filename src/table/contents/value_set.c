#include "table/contents/value_set.h"

#include "base/mem.h"
#include "go/runtime/gochan.h"
#include "go/runtime/gomap.h"
#include "go/runtime/gostructure.h"
#include "go/runtime/gosync.h"
#include "heap/heap.h"
#include "table/contents/entries.h"

#include <stdlib.h>

/* Runs in proportion to the bytes of the heap; pointers that are followed without a name. */
enum {
	BYTES_PER_RUN = 4,
	RUNS_ALWAYS = 1 << 16,
	FOLLOWED = 32,
	EMPTY_MOST = 1 << 16 /* values without bytes in a container, which may claim any number */
};

void value_set_init(struct value_set *set, const struct analysis *analysis)
{
	*set = (struct value_set){
		.in = datum_memory(analysis),
		.most = objects_bytes(analysis_heap(analysis)->objects) / BYTES_PER_RUN + RUNS_ALWAYS,
	};
}

void value_set_fini(struct value_set *set)
{
	free(set->run);
}

/* Returns true if a run continues the last one. A single value sets the distance to the next. */
static bool value_set_continues(struct value_set *set, const struct value_run *run, uint64_t count)
{
	struct value_run *last = set->runs ? &set->run[set->runs - 1] : NULL;
	uint64_t before = last ? set->count - last->first : 0;
	if (!last || last->type != run->type || last->key_type || run->key_type
	    || last->indexed != run->indexed || (run->indexed && run->key != last->key + before))
		return false;
	if (before == 1 && count == 1)
		last->stride = run->address - last->address;
	return run->address == last->address + before * last->stride
	       && (count == 1 || run->stride == last->stride);
}

/* Rows of a table have numbers of 32 bits. */
static void value_set_push(struct value_set *set, struct value_run run, uint64_t count)
{
	if (!count)
		return;
	run.stride = gotype_get(typing_types(set->in.typing), run.type)->size;
	if (count < UINT32_MAX - set->count && value_set_continues(set, &run, count)) {
		set->count += count;
		return;
	}
	if (set->runs >= set->most || count >= UINT32_MAX - set->count) {
		set->cut = true;
		return;
	}
	run.first = set->count;
	MEM_PUSH(set->run, set->runs, set->capacity, run);
	set->count += count;
}

void value_set_add(struct value_set *set, uint64_t address, gotype_id type, uint64_t count,
                   uint64_t index)
{
	struct value_run run = {
		.address = address,
		.type = type,
		.key = index,
		.indexed = index != UINT64_MAX,
	};
	value_set_push(set, run, count);
}

void value_set_add_entry(struct value_set *set, uint64_t address, gotype_id type, uint64_t key,
                         gotype_id key_type)
{
	struct value_run run = {.address = address, .type = type, .key = key, .key_type = key_type};
	value_set_push(set, run, 1);
}

/* Returns the run of value n. */
static const struct value_run *value_set_run(const struct value_set *set, uint64_t n)
{
	size_t at = 0, end = set->runs;
	while (end - at > 1) {
		size_t middle = at + (end - at) / 2;
		if (set->run[middle].first <= n)
			at = middle;
		else
			end = middle;
	}
	return &set->run[at];
}

struct datum value_set_place(const struct value_set *set, uint64_t n)
{
	const struct value_run *run = value_set_run(set, n);
	return (struct datum){.address = run->address + (n - run->first) * run->stride,
	                      .type = run->type};
}

void value_set_get(const struct value_set *set, uint64_t n, struct datum *value)
{
	const struct datum place = value_set_place(set, n);
	*value = datum_at(&set->in, place.address, place.type, 1);
}

bool value_set_key(const struct value_set *set, uint64_t n, struct datum *key, uint64_t *index)
{
	const struct value_run *run = value_set_run(set, n);
	*index = run->indexed ? run->key + (n - run->first) : UINT64_MAX;
	if (run->key_type)
		*key = datum_at(&set->in, run->key, run->key_type, 1);
	return run->key_type;
}

/* ---- Elements of containers */

/* Visits consecutive elements, as far as they are in the dump. */
static void value_each_in_row(const struct govalue *in, const struct datum *row, uint64_t count,
                              const struct value_visit *visit)
{
	static const struct datum none;
	struct datum element = *row;
	uint64_t size = gotype_get(typing_types(in->typing), row->type)->size;
	uint64_t there = !size ? EMPTY_MOST : row->data ? row->room / size : 0;
	*visit->lost += there < count;
	count = count < there ? count : there;
	element.count = count;
	if (!count || (visit->row && visit->row(visit->self, &element)))
		return;
	element.count = 1;
	for (uint64_t i = 0; i < count; i++) {
		visit->element(visit->self, &element, &none, i);
		element.address += size;
		element.data += size;
		element.room -= size;
	}
}

/* Visits the elements of an array, of all consecutive values, or of a slice's window. */
static bool value_each_element(const struct govalue *in, const struct datum *place,
                               const struct value_visit *visit)
{
	const struct gotypes *types = typing_types(in->typing);
	const struct gotype *type = gotype_get(types, place->type);
	uint64_t width = in->heap->params.layout.pointer_size, count = place->count;
	struct datum row = *place;
	if (place->count == 1 && type->kind == GO_SLICE) {
		if (!place->data || place->room < 3 * width)
			return false;
		count = heap_word(in->heap, place->data + width);
		bool followed = datum_follow(in, place, &row);
		if (type->elem && !gotype_get(types, type->elem)->size) {
			row.type = type->elem;
		} else if (!followed || !row.type) {
			*visit->lost += count > 0 && row.address;
			return true;
		}
	} else if (place->count == 1 && type->kind == GO_ARRAY) {
		row.type = type->elem;
		count = type->count;
	} else if (place->count == 1) {
		return false;
	}
	value_each_in_row(in, &row, count, visit);
	return true;
}

static bool value_each_entry(const struct govalue *in, const struct datum *place,
                             const struct value_visit *visit)
{
	struct entries entries;
	struct gomap_entry entry;
	if (!entries_open(&entries, in, place))
		return false;
	uint64_t count = 0;
	for (; entries_next(&entries, &entry); count++) {
		struct datum value = datum_at(in, entry.value.address, entries.value, 1);
		struct datum key = datum_at(in, entry.key.address, entries.key, 1);
		visit->element(visit->self, &value, &key, UINT64_MAX);
	}
	*visit->lost += entries.is_map && count < entries.map.length;
	entries_close(&entries);
	return true;
}

static bool value_each_received(const struct govalue *in, const struct datum *place,
                                const struct value_visit *visit)
{
	static const struct datum none;
	struct gochan chan;
	if (place->count != 1
	    || !gochan_read(typing_runtime(in->typing), place->type, place->data, place->room, &chan))
		return false;
	bool empty = chan.elem && !chan.elem_size;
	for (uint64_t n = 0; empty && n < chan.length && n < EMPTY_MOST; n++) {
		const struct datum element = {chan.address, chan.elem, 1, NULL, 0, OBJECT_NONE};
		visit->element(visit->self, &element, &none, n);
	}
	*visit->lost += empty && chan.length > EMPTY_MOST;
	for (uint64_t n = 0; chan.buffer && chan.elem && n < chan.length; n++) {
		struct datum element = datum_at(in, chan.address + gochan_offset(&chan, n), chan.elem, 1);
		visit->element(visit->self, &element, &none, n);
	}
	return true;
}

bool value_set_is_single(const struct govalue *in, gotype_id id)
{
	const struct goruntime *rt = typing_runtime(in->typing);
	const struct gotype *type = gotype_get(rt->types, id);
	uint64_t offset;
	for (int depth = 0; type->kind == GO_POINTER && type->elem && depth < FOLLOWED - 1; depth++)
		type = gotype_get(rt->types, id = type->elem);
	return type->kind == GO_STRUCT && type->size && gosync_role(type->name) == GOSYNC_NONE
	       && gostructure_role(rt, id) == GOSTRUCTURE_NONE && !gomap_is_header(rt, id)
	       && !gotype_field_named(rt->types, id, "qcount", NULL)
	       && !govalue_pointer(in, id, &offset);
}

bool value_set_each(const struct govalue *in, const struct datum *container,
                    const struct value_visit *visit)
{
	struct datum place = *container, target;
	for (int depth = 0; depth < FOLLOWED && place.type; depth++) {
		const struct gotype *type = gotype_get(typing_types(in->typing), place.type);
		bool is_struct = type->kind == GO_STRUCT; /* it may be a header, or buckets */
		if (place.data
		    && ((is_struct
		         && (value_each_entry(in, &place, visit) || value_each_received(in, &place, visit)))
		        || value_each_element(in, &place, visit)))
			return true;
		if (type->kind == GO_STRING || !datum_leads_on(in, &place))
			return false;
		if (!datum_follow(in, &place, &target) || !target.data) /* nil has no elements */
			return type->kind == GO_MAP || type->kind == GO_CHAN;
		if (!target.type && target.object != OBJECT_NONE)
			target = datum_of_object(in, target.object);
		place = target;
	}
	return false;
}
