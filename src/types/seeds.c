/* Sources of types before propagation. */
#include "goruntime/goiface.h"
#include "types/propagate.h"

enum { TINY_SLOT = 16 };

/* Adds the elements of an array with an allocation header, as many as fit; if fewer would need the
   same slot size, only a slice knows their number. */
static void add_header(struct typing *t, const struct region *region, gotype_id type)
{
	uint64_t size = gotype_get(t->types, type)->size;
	uint64_t count = size ? (region->size - region->header) / size : 0;
	bool sure = count && !size_class_fits(region->size, region->header + (count - 1) * size);
	propagate_add(t, (struct type_claim){region->address + region->header, type, count,
	                                     SOURCE_HEADER, sure ? TYPE_CLAIM_COUNTED : 0});
}

/* Go >= 1.22: the allocator stores the element type in the first word of the slot. */
void seed_headers(struct typing *t)
{
	struct objects_run_view run;
	for (size_t i = 0; i < objects_run_count(t->heap->objects); i++) {
		objects_run(t->heap->objects, i, &run);
		for (uint32_t id = run.first; run.header && id < run.first + run.count; id++) {
			struct region region;
			regions_get(&t->regions, id, &region);
			uint64_t word = region_word(&t->regions, &region, 0);
			gotype_id type = gotypes_at(t->types, word - t->bias);
			if (type)
				add_header(t, &region, type);
		}
	}
}

static void seed_add_record(struct typing *t, uint64_t address, const char *name)
{
	propagate_add(t,
	              (struct type_claim){address, gotypes_named(t->types, name), 1, SOURCE_RECORD, 0});
}

/* Types the value of a panic by the empty interface in its record. */
static void seed_panic(struct typing *t, const struct panic_record *panic)
{
	gotype_id type = gotypes_at(t->types, panic->type - t->bias);
	if (type && goiface_is_direct(t->types, type))
		type = gotype_get(t->types, type)->kind == GO_POINTER ? gotype_get(t->types, type)->elem
		                                                      : 0;
	if (type)
		propagate_add(t, (struct type_claim){panic->data, type, 1, SOURCE_RECORD, 0});
}

void seed_records(struct typing *t)
{
	const struct heap *heap = t->heap;
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		seed_add_record(t, heap->threads[i].record.address, "runtime.g");
		seed_add_record(t, heap->threads[i].record.m, "runtime.m");
	}
	for (uint32_t i = 0; i < heap->os_thread_count; i++)
		seed_add_record(t, heap->os_threads[i].address, "runtime.m");
	for (uint32_t i = 0; i < heap->defer_count; i++)
		seed_add_record(t, heap->defers[i].address, "runtime._defer");
	for (uint32_t i = 0; i < heap->panic_count; i++)
		seed_panic(t, &heap->panics[i]);
	for (uint32_t i = 0; i < heap->finalizer_count; i++) {
		gotype_id pointer = gotypes_at(t->types, heap->finalizers[i].object_type - t->bias);
		if (pointer && gotype_get(t->types, pointer)->kind == GO_POINTER)
			propagate_add(t, (struct type_claim){heap->finalizers[i].object,
			                                     gotype_get(t->types, pointer)->elem, 1,
			                                     SOURCE_RECORD, 0});
	}
}

/* Returns true if an interface may hold this value. A pointer to a type next to another pointer may
   look like an interface by chance. An interface holds a value with memory of its own, not of an
   interface type, and with pointers exactly where the type has them. */
static bool seed_is_held(struct typing *t, uint64_t data, gotype_id id, bool direct)
{
	struct region region;
	const struct gotype *type = gotype_get(t->types, id);
	if (type->kind == GO_INTERFACE && !direct)
		return false;
	if (!regions_find(&t->regions, data, &region) || region.kind != REGION_OBJECT)
		return true; /* for other memory the extent of a value is unknown */
	uint64_t offset = data - region.address, size = region.header + type->size;
	bool tiny = region.noscan && region.size <= TINY_SLOT && type->size < TINY_SLOT;
	bool own = tiny || (offset == region.header && size_class_fits(region.size, size));
	return (direct || own) && shape_equals(t, &region, offset, id);
}

/* Types targets of pairs of words that look like interfaces: an itab or type, then a pointer. */
static void seed_pairs_of(struct typing *t, const struct region *region)
{
	unsigned width = t->regions.width;
	for (uint64_t at = width; at + width <= region->size; at += width) {
		if (!region_points(&t->regions, region, at))
			continue;
		uint64_t first = region_word(&t->regions, region, at - width);
		uint64_t data = region_word(&t->regions, region, at), ignored;
		if (!data || !first || objects_has_page(t->heap->objects, first))
			continue;
		bool itab = map_get(&t->runtime.itabs, first, &ignored);
		gotype_id type = goiface_find(&t->runtime, first, itab);
		if (!type)
			continue;
		bool direct = goiface_is_direct(t->types, type);
		if (direct && gotype_get(t->types, type)->kind == GO_POINTER)
			type = gotype_get(t->types, type)->elem;
		else if (direct && gotype_get(t->types, type)->kind == GO_MAP)
			type = gotype_get(t->types, type)->header;
		else if (direct)
			continue;
		if (seed_is_held(t, data, type, direct))
			propagate_add(t, (struct type_claim){data, type, 1, SOURCE_LOOKS, 0});
	}
}

/* typing_fills is equal for equal objects of one run. */
static void seed_pairs_in_run(struct typing *t, uint32_t index, const struct objects_run_view *run)
{
	struct region region;
	struct object_type last = {0};
	bool filled = false;
	for (uint32_t id = run->first; id - run->first < run->count; id++) {
		const struct object_type *o = &t->object[id];
		if (o->type != last.type || o->count != last.count)
			filled = typed_fills(t, id, run->size, run->header);
		last = *o;
		if (filled || regions_run_noscan(&t->regions, index, run, id))
			continue;
		regions_get_hit(&t->regions, (struct objects_hit){id, index}, &region);
		seed_pairs_of(t, &region);
	}
}

void seed_pairs(struct typing *t)
{
	struct region region;
	struct objects_run_view run;
	for (size_t i = 0; i < objects_run_count(t->heap->objects); i++) {
		objects_run(t->heap->objects, i, &run);
		if (!t->regions.run_noscan[i])
			seed_pairs_in_run(t, (uint32_t)i, &run);
	}
	for (uint32_t i = 0; i < t->regions.segments + t->regions.frames; i++) {
		regions_get(&t->regions, t->regions.objects + i, &region);
		seed_pairs_of(t, &region);
	}
}
