#include "go/table/memory_parts.h"
#include "go/table/memory_count.h"
#include "go/table/memory_sites.h"

#include "base/mem.h"
#include "base/string_set.h"
#include "base/text.h"
#include "format/runtime.h"
#include "heap/heap.h"
#include "table/naming/thread.h"
#include "table/naming/typed.h"
#include "table/owners/object_owner.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MOST = 1 << 14 /* parts that have a name */, POLL_EVERY = 1 << 12 };

void memory_list_fini(struct memory_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->part[i].name);
	free(list->part);
	map_free(&list->of_key);
	*list = (struct memory_list){0};
}

/* Adds memory to the part with a key, and returns the part. */
static struct memory_part *memory_list_add(struct memory_list *list, uint64_t key, uint32_t id,
                                           uint64_t bytes, uint64_t resident)
{
	uint64_t at = list->count;
	if (map_add(&list->of_key, key, &at))
		MEM_PUSH(list->part, list->count, list->capacity, ((struct memory_part){.id = id}));
	list->part[at].count++;
	list->part[at].bytes += bytes;
	list->part[at].resident += resident;
	return &list->part[at];
}

static struct memory_part *memory_list_add_range(struct memory_list *list, uint64_t key,
                                                 uint32_t id, uint64_t address, uint64_t bytes)
{
	uint64_t resident = 0;
	heap_resident(analysis_heap(list->analysis), address, bytes, &resident);
	return memory_list_add(list, key, id, bytes, resident);
}

struct memory_part *memory_list_add_object(struct memory_list *list, uint64_t key, uint32_t object,
                                           uint32_t id)
{
	const struct heap *heap = analysis_heap(list->analysis);
	return memory_list_add_range(list, key, id, heap_address(heap, object),
	                             heap_size(heap, object));
}

/* ---- Objects by owner, unreachable ones by type */

bool memory_is_reachable(const struct memory_list *list, uint32_t id)
{
	return reach_has(analysis_reach(list->analysis), id);
}

static bool memory_add_objects(struct memory_list *list, bool by_type, struct progress *progress)
{
	const struct heap *heap = analysis_heap(list->analysis);
	uint32_t objects = heap_object_count(heap);
	progress_begin(progress, "owners of memory", objects);
	for (uint32_t id = 0; id < objects; id++) {
		bool reachable = memory_is_reachable(list, id);
		uint64_t key = reachable ? 1 + (uint64_t)(list->sets ? list->sets[id] : UINT32_MAX) : 0;
		if (by_type)
			key = typed_code(list->analysis, id);
		if (!by_type || !reachable)
			memory_list_add_object(list, key, id, id);
		if (id % POLL_EVERY == 0 && !progress_step(progress, id))
			return false;
	}
	return true;
}

static bool memory_add_owners(struct memory_list *list, struct progress *progress)
{
	list->sets = object_owner_sets(list->analysis, progress);
	return memory_add_objects(list, false, progress);
}

static bool memory_add_types(struct memory_list *list, struct progress *progress)
{
	if (!memory_add_objects(list, true, progress))
		return false;
	for (size_t i = 0; i < list->count; i++)
		if (typed_is_guess(list->analysis, list->part[i].id))
			list->part[i].guessed = list->part[i].count;
	memory_sites_mark(list);
	return true;
}

static void memory_name_owner(const struct memory_list *list, uint32_t id, struct buf *out)
{
	if (!memory_is_reachable(list, id))
		buf_add(out, "unreachable");
	else if (list->sets && list->sets[id] != UINT32_MAX)
		object_owner_add(list->analysis, list->sets[id], out);
	else
		buf_add(out, "without an owner");
}

void memory_name_type(const struct memory_list *list, uint32_t id, struct buf *out)
{
	if (!typed_add_name(list->analysis, id, out))
		buf_add(out, "other types");
}

/* ---- Free slots */

static bool memory_add_free_slots(struct memory_list *list, struct progress *progress)
{
	const struct heap *heap = analysis_heap(list->analysis);
	progress_begin(progress, "free slots", heap->span_count);
	for (uint32_t i = 0; i < heap->span_count; i++) {
		const struct span_record *span = &heap->spans[i];
		struct memory_slots slots;
		if (i % POLL_EVERY == 0 && !progress_step(progress, i))
			return false;
		if (span->state != SPAN_IN_USE)
			continue;
		memory_count_slots(heap, span, &slots);
		if (slots.free)
			memory_list_add(list, span->size, i, slots.free, slots.free_resident)->count +=
				span->slots - span->objects - 1;
	}
	return true;
}

static uint64_t memory_slot_size(const struct memory_list *list, uint32_t id)
{
	return analysis_heap(list->analysis)->spans[id].size;
}

static void memory_name_slot(const struct memory_list *list, uint32_t id, struct buf *out)
{
	buf_addf(out, "slots of %s B", text_count(memory_slot_size(list, id)).text);
}

static void memory_link_slot(const struct memory_list *list, uint32_t id, struct buf *out)
{
	buf_addf(out, "spans in use; filter free_slots > 0 and slot_size = %" PRIu64,
	         memory_slot_size(list, id));
}

/* ---- Stacks, mappings */

static bool memory_add_stacks(struct memory_list *list, struct progress *progress)
{
	const struct heap *heap = analysis_heap(list->analysis);
	const struct groups *groups = analysis_groups(list->analysis);
	(void)progress;
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		struct thread_stack stack = heap_thread_stack(heap, i);
		if (stack.exact)
			memory_list_add_range(list, groups->of[i], i, stack.address, stack.bytes);
	}
	return true;
}

static void memory_name_stack(const struct memory_list *list, uint32_t id, struct buf *out)
{
	SCOPED_BUF function = {0};
	const struct thread *thread = &analysis_heap(list->analysis)->threads[id];
	thread_add_function(list->analysis, thread, &function);
	buf_add(out, function.len ? buf_text(&function) + 1 : "other " THREADS_WORD);
}

static bool memory_add_mappings(struct memory_list *list, struct progress *progress)
{
	const struct heap *heap = analysis_heap(list->analysis);
	(void)progress;
	for (uint32_t i = 0; i < heap->mapping_count; i++) {
		const struct mapping_record *mapping = &heap->mappings[i];
		if (strcmp(memory_row_of(mapping->kind).words.name, list->of.words.name) == 0)
			memory_list_add_range(list, i, i, mapping->address, mapping->bytes);
	}
	return true;
}

static void memory_name_mapping(const struct memory_list *list, uint32_t id, struct buf *out)
{
	const struct mapping_record *mapping = &analysis_heap(list->analysis)->mappings[id];
	if (mapping->path.len)
		text_add_escaped(out, mapping->path.data, mapping->path.len, SIZE_MAX);
	else
		buf_addf(out, "0x%" PRIx64, mapping->address);
}

const struct memory_kind memory_kinds[MEMORY_PARTS] = {
	[MEMORY_BY_OWNER] = {memory_add_owners, memory_name_owner, "object", "objects",
                         "objects; filter owner = ", .stages = STAGE_OWNED | STAGE_TYPED},
	[MEMORY_BY_TYPE] = {memory_add_types, memory_name_type, "object", "objects",
                        "objects unreachable; filter type = ", .stages = STAGE_OWNED | STAGE_TYPED},
	[MEMORY_BY_SITE] = {memory_sites_add, memory_sites_name, "sample", "samples",
                        .stages = STAGE_OWNED | STAGE_TYPED, .add_link = memory_sites_link},
	[MEMORY_BY_CLASS] = {memory_add_free_slots, memory_name_slot, "slot", "slots",
                         .stages = STAGE_READ, .add_link = memory_link_slot},
	[MEMORY_BY_THREAD] = {memory_add_stacks, memory_name_stack, THREAD_WORD, THREADS_WORD,
                          "goroutines; filter function = ", .stages = STAGE_NAMED},
	[MEMORY_BY_MAPPING] = {memory_add_mappings, memory_name_mapping, "mapping", "mappings",
                           .stages = STAGE_READ},
};

bool memory_list_fill(struct memory_list *list, const struct analysis *analysis,
                      const struct memory_row *of, struct progress *progress)
{
	*list = (struct memory_list){.analysis = analysis, .of = *of};
	bool done = memory_kinds[of->words.parts].add(list, progress);
	if (!done)
		memory_list_fini(list);
	return done;
}

/* ---- Names and order */

static int memory_part_order(const void *a, const void *b)
{
	const struct memory_part *x = a, *y = b;
	if (x->resident != y->resident)
		return x->resident > y->resident ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

void memory_part_add(struct memory_part *to, const struct memory_part *part)
{
	to->count += part->count;
	to->guessed += part->guessed;
	to->bytes += part->bytes;
	to->resident += part->resident;
	to->samples += part->samples;
}

/* Names the largest parts, makes one of those with the same name, and sorts all again. */
static void memory_list_name(struct memory_list *list, const struct memory_kind *kind)
{
	struct string_set names = {0}; /* the number of a name is the place of its part */
	SCOPED_BUF name = {0};
	size_t kept = 0;
	qsort(list->part, list->count, sizeof *list->part, memory_part_order);
	for (size_t i = 0; i < list->count; i++) {
		struct memory_part *part = &list->part[i];
		bool is_new = true;
		uint32_t place = 0;
		buf_clear(&name);
		if (i < NAMES_MOST) {
			kind->name(list, part->id, &name);
			place = string_set_number(&names, buf_text(&name), &is_new);
		}
		if (!is_new) {
			memory_part_add(&list->part[place], part);
			continue;
		}
		list->part[kept] = *part;
		list->part[kept++].name = i < NAMES_MOST ? mem_strdup(buf_text(&name)) : NULL;
	}
	list->count = kept;
	qsort(list->part, list->count, sizeof *list->part, memory_part_order);
	string_set_free(&names);
}

bool memory_list_settle(struct memory_list *list, const struct memory_row *whole,
                        struct memory_part *rest)
{
	*rest = (struct memory_part){.bytes = whole->bytes, .resident = whole->resident};
	for (size_t i = 0; i < list->count; i++) {
		if (list->part[i].bytes > rest->bytes || list->part[i].resident > rest->resident)
			return false;
		rest->bytes -= list->part[i].bytes;
		rest->resident -= list->part[i].resident;
	}
	if (list->count)
		memory_list_name(list, &memory_kinds[whole->words.parts]);
	return true;
}
