/* Labels from records of the dump, and from words in allocation headers and interfaces that
   identify types. */
#include "go/types/labelling.h"

#include "base/mem.h"
#include "heap/edges.h"
#include "heap/heap.h"

#include <string.h>

enum { RUNTIME_G, RUNTIME_M, RUNTIME_DEFER, RUNTIME_PANIC };
static const char *const runtime_types[] = {
	[RUNTIME_G] = "runtime.g",
	[RUNTIME_M] = "runtime.m",
	[RUNTIME_DEFER] = "runtime._defer",
	[RUNTIME_PANIC] = "runtime._panic",
};

static void map_first_word(struct labels *l, struct map *map, uint64_t word, size_t index)
{
	map_put(map, word, index);
	l->pair_low = word < l->pair_low ? word : l->pair_low;
	l->pair_high = word > l->pair_high ? word : l->pair_high;
}

/* Returns the index of a type's descriptor in l->descriptors; adds it if necessary. */
static size_t descriptor_at(struct labels *l, uint64_t address)
{
	uint64_t known;
	if (map_get(&l->by_descriptor, address, &known))
		return (size_t)known;
	map_first_word(l, &l->by_descriptor, address, l->descriptor_count);
	MEM_PUSH(l->descriptors, l->descriptor_count, l->descriptor_capacity,
	         (struct descriptor){.address = address});
	return l->descriptor_count - 1;
}

/* Returns true if the name is complete: in a dump, that of a pointer type with methods ends after
   its package. */
static bool label_records_is_whole(struct text name)
{
	return name.len && name.data[name.len - 1] != '.';
}

/* Indexes the descriptors; the first ones are types of the runtime, without addresses. */
static void index_descriptors(struct labels *l)
{
	const struct heap *heap = l->heap;
	for (size_t i = 0; i < sizeof runtime_types / sizeof *runtime_types; i++) {
		struct descriptor own = {.name = {runtime_types[i], strlen(runtime_types[i])}};
		MEM_PUSH(l->descriptors, l->descriptor_count, l->descriptor_capacity, own);
	}
	for (uint32_t i = 0; i < heap->type_count; i++) {
		size_t index = descriptor_at(l, heap->types[i].address);
		const struct text name = heap->types[i].name;
		l->descriptors[index].name = name;
		l->descriptors[index].size = heap->types[i].size;
		l->descriptors[index].pointer = name.len
		                                && (name.data[0] == '*' || !label_records_is_whole(name));
	}
	for (uint32_t i = 0; i < heap->itab_count; i++) {
		if (!heap->itabs[i].type)
			continue;
		size_t index = descriptor_at(l, heap->itabs[i].type);
		map_first_word(l, &l->by_place, heap->itabs[i].address, index);
	}
}

/* Returns a label for objects of this type, or of the element type if it is a pointer type. */
static uint32_t named_label(struct labels *l, size_t index, enum type_known known, bool several)
{
	struct label label = {LABEL_NAME, (uint8_t)known, several, .value = index};
	uint64_t key = index << 3 | (uint64_t)several << 2 | (uint64_t)(known == KNOWN_GUESS) << 1;
	return label_intern(l, &l->by_name, key, label);
}

static uint32_t identity_label(struct labels *l, size_t index, bool own)
{
	struct label label = {LABEL_IDENTITY, KNOWN_NONE, own, .value = index};
	return label_intern(l, &l->by_name, index << 3 | (uint64_t)own << 1 | 1, label);
}

/* Labels the object in an interface. A one-word value, such as a map, may be stored in the
   interface itself; its target is not known then. */
static void set_pointee(struct labels *l, size_t index, uint32_t target)
{
	const struct descriptor *d = &l->descriptors[index];
	uint64_t width = l->regions->width, size = heap_size(l->heap, target);
	if (d->pointer && !label_records_is_whole(d->name))
		label_set(l, target, identity_label(l, index, false));
	else if (!label_records_is_whole(d->name))
		return; /* the target may be the value, or the target of the value */
	else if (d->pointer || (d->size != width && size_class_fits(size, d->size)))
		label_set(l, target, named_label(l, index, KNOWN_EXACT, false));
	else if (d->size == width && size <= 2 * width && heap_references(l->heap, target).count == 0)
		label_set(l, target, named_label(l, index, KNOWN_GUESS, false));
}

void label_pair(struct labels *l, uint64_t first, uint32_t target)
{
	uint64_t index;
	if (map_get(&l->by_place, first, &index) || map_get(&l->by_descriptor, first, &index))
		set_pointee(l, (size_t)index, target);
}

/* Returns a label from an allocation header: it has the element type, and the slot size limits the
   number of elements. */
static uint32_t header_label(struct labels *l, uint64_t word, uint64_t room)
{
	size_t index = descriptor_at(l, word);
	const struct descriptor *d = &l->descriptors[index];
	if (!label_records_is_whole(d->name) || !d->size || d->size > room)
		return identity_label(l, index, true);
	return named_label(l, index, KNOWN_EXACT, room / d->size > 1);
}

static void label_headers(struct labels *l)
{
	struct objects_run_view run;
	struct region region;
	for (size_t i = 0; i < objects_run_count(l->heap->objects); i++) {
		objects_run(l->heap->objects, i, &run);
		for (uint32_t id = run.first; run.header && id < run.first + run.count; id++) {
			if (label_at(l, id) == LABEL_TYPED)
				continue;
			regions_look(l->regions, id, &region);
			uint64_t word = region_word(l->regions, &region, 0);
			if (word && !objects_has_page(l->heap->objects, word))
				label_set(l, id, header_label(l, word, run.size - run.header));
		}
	}
}

/* Labels a runtime struct in the heap by the address in its record. The address of its type is not
   known. */
static void set_runtime(struct labels *l, uint64_t address, size_t which)
{
	uint32_t id = address ? heap_find(l->heap, address) : OBJECT_NONE;
	if (id != OBJECT_NONE && heap_address(l->heap, id) == address)
		label_set(l, id, named_label(l, which, KNOWN_EXACT, false));
}

static void label_runtime(struct labels *l)
{
	const struct heap *heap = l->heap;
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		set_runtime(l, heap->threads[i].record.address, RUNTIME_G);
		set_runtime(l, heap->threads[i].record.m, RUNTIME_M);
	}
	for (uint32_t i = 0; i < heap->os_thread_count; i++)
		set_runtime(l, heap->os_threads[i].address, RUNTIME_M);
	for (uint32_t i = 0; i < heap->defer_count; i++)
		set_runtime(l, heap->defers[i].address, RUNTIME_DEFER);
	for (uint32_t i = 0; i < heap->panic_count; i++)
		set_runtime(l, heap->panics[i].address, RUNTIME_PANIC);
}

/* Labels objects by their finalizers, which take a pointer to the object. */
static void label_finalizers(struct labels *l)
{
	for (uint32_t i = 0; i < l->heap->finalizer_count; i++) {
		uint64_t type = l->heap->finalizers[i].object_type, address = l->heap->finalizers[i].object;
		uint32_t id = heap_find(l->heap, address);
		if (!type || id == OBJECT_NONE || heap_address(l->heap, id) != address)
			continue;
		size_t index = descriptor_at(l, type);
		l->descriptors[index].pointer = true;
		label_set(l, id,
		          label_records_is_whole(l->descriptors[index].name)
		              ? named_label(l, index, KNOWN_EXACT, false)
		              : identity_label(l, index, false));
	}
}

void label_records(struct labels *l)
{
	index_descriptors(l);
	label_runtime(l);
	label_finalizers(l);
	label_headers(l);
}
