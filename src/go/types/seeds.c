/* Sources of types before propagation. */
#include "go/runtime/gochan.h"
#include "go/runtime/goiface.h"
#include "go/types/propagate.h"
#include "go/types/scalar_fields.h"
#include "heap/heap.h"

#include <stdlib.h>

enum { TINY_SLOT = 16 };

static void seed_add(struct typing *t, uint64_t address, gotype_id type, enum type_source source)
{
	propagate_add(t, (struct type_claim){address, type, 1, source, 0});
}

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
	seed_add(t, address, gotypes_named(t->types, name), SOURCE_RECORD);
}

/* Types the value of a panic by the empty interface in its record. */
static void seed_panic(struct typing *t, const struct panic_record *panic)
{
	gotype_id type = gotypes_at(t->types, panic->type - t->bias);
	if (type && goiface_is_direct(t->types, type))
		type = gotype_get(t->types, type)->kind == GO_POINTER ? gotype_get(t->types, type)->elem
		                                                      : 0;
	if (type)
		seed_add(t, panic->data, type, SOURCE_RECORD);
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
			seed_add(t, heap->finalizers[i].object, gotype_get(t->types, pointer)->elem,
			         SOURCE_RECORD);
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
			seed_add(t, data, type, SOURCE_LOOKS);
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

/* ---- Code */

/* Types from the executable's code: globals, local variables, closures. */

void seed_globals(struct typing *t)
{
	size_t count;
	const struct exe_global *globals = gotypes_globals(t->types, &count);
	for (size_t i = 0; i < count; i++)
		seed_add(t, globals[i].address + t->data_bias, globals[i].type, SOURCE_FIELD);
}

/* Returns true if the frame lists a pointer word of the variable: others are dead, and their memory
   may hold anything. A variable that exceeds its frame is incomplete. */
static bool is_alive(struct typing *t, const struct region *region, uint64_t at, gotype_id type)
{
	unsigned width = t->regions.width;
	uint64_t size = gotype_get(t->types, type)->size;
	const struct shape *shape = shape_of(t, type);
	bool alive = false;
	uint64_t end = size < region->size - at ? size : region->size - at;
	for (uint64_t w = 0; w < shape->words && (w + 1) * width <= end; w++) {
		if (!region_points(&t->regions, region, at + w * width))
			continue;
		if (!word_bit_is_set(shape->pointer, w) && !word_bit_is_set(shape->maybe, w))
			return false;
		alive = true;
	}
	return alive;
}

/* Returns true if the pieces of a variable are complete and adjacent. */
static bool seed_code_is_whole(const struct typing *t, const struct exe_variable *variable)
{
	uint64_t end = 0;
	for (unsigned i = 0; i < variable->pieces; i++) {
		const struct exe_piece *piece = &variable->piece[i], *first = &variable->piece[0];
		if (piece->offset != end || piece->absolute != first->absolute
		    || piece->place - first->place != (int64_t)end)
			return false;
		end += piece->size;
	}
	return end == gotype_get(t->types, variable->type)->size;
}

/* Claims the target of the leaf with which a piece begins, for a variable that is only partly in
   memory: lengths are lost, but the pointer is valid. */
static void seed_piece(struct typing *t, const struct region *frame, uint64_t at,
                       const struct exe_piece *piece, gotype_id type)
{
	struct scalar_field scalar = scalar_at(t->types, type, piece->offset, NULL);
	if (scalar.offset == piece->offset)
		points_to_word(t, frame, at, scalar.type);
}

static void seed_variable(struct typing *t, const struct exe_variable *variable, uint64_t cfa)
{
	struct region frame;
	for (unsigned i = 0; variable->type && i < variable->pieces; i++) {
		const struct exe_piece *piece = &variable->piece[i];
		uint64_t address = (uint64_t)piece->place + (piece->absolute ? t->data_bias : cfa);
		if (address % t->regions.width || !regions_find(&t->regions, address, &frame)
		    || frame.kind != REGION_FRAME)
			return;
		uint64_t at = address - frame.address, room = frame.size - at;
		bool whole = seed_code_is_whole(t, variable)
		             && gotype_get(t->types, variable->type)->size <= room;
		if (!whole)
			seed_piece(t, &frame, at, piece, variable->type);
		else if (is_alive(t, &frame, at, variable->type))
			seed_add(t, address, variable->type, SOURCE_FIELD);
		if (whole)
			return;
	}
}

void seed_locals(struct typing *t)
{
	for (uint32_t i = 0; i < t->heap->frame_count; i++) {
		const struct frame_record *frame = &t->heap->frames[i].record;
		size_t count;
		struct exe_variable *variables =
			gotypes_locals(t->types, frame->entry_pc - t->bias, frame->pc - t->bias, &count);
		for (size_t k = 0; k < count; k++)
			seed_variable(t, &variables[k], frame->sp + frame->size);
		free(variables);
	}
}

/* Types closures without a typed func value. */
void seed_closures(struct typing *t)
{
	struct region region;
	for (uint32_t id = 0; id < t->regions.objects; id++) {
		if (t->object[id].type)
			continue;
		regions_get(&t->regions, id, &region);
		if (region.size >= t->regions.width && !region_points(&t->regions, &region, 0)
		    && !region.noscan)
			propagate_closure(t, region.address + region.header, 0);
	}
}

/* ---- Channels */

/* Types channels without a typed pointer, or with one from the runtime that does not know the
   element type: the header of a channel has it. */

static void seed_channel(struct typing *t, const struct gochan_layouts *layouts,
                         const struct probe *object)
{
	struct gochan_found found;
	const struct region *region = &object->region;
	if (!gochan_look(layouts, object, &found))
		return;
	gotype_id elem = gotypes_at(t->types, found.elem_type - t->bias);
	if (!elem || gotype_get(t->types, elem)->size != found.elem_size)
		return;
	gotype_id type = gotypes_channel(t->types, elem);
	if (!type || !shape_fits(t, region, region->header, type, 1))
		return;
	t->object[region->ref] = object_type(type, 1, told_by(SOURCE_CONTENTS, KNOWN_EXACT, false));
	if (found.room)
		propagate_add(t, (struct type_claim){found.buffer, elem, found.room, SOURCE_CONTENTS,
		                                     TYPE_CLAIM_COUNTED});
}

void seed_channels(struct typing *t)
{
	struct gochan_layouts layouts;
	struct probe object;
	gotype_id any = gotypes_named(t->types, "runtime.hchan");
	gochan_layouts_init(&layouts, t->regions.width);
	for (uint32_t id = 0; id < t->regions.objects; id++) {
		if (t->object[id].type && t->object[id].type != any)
			continue;
		probe_init(&object, &t->regions, id);
		seed_channel(t, &layouts, &object);
	}
}
