/* Types from the executable's code: globals, local variables, closures. */
#include "types/propagate.h"
#include "types/scalar_fields.h"
#include "types/shape.h"

#include <stdlib.h>

static void seed_code_add(struct typing *t, uint64_t address, gotype_id type)
{
	propagate_add(t, (struct type_claim){address, type, 1, SOURCE_FIELD, 0});
}

void seed_globals(struct typing *t)
{
	size_t count;
	const struct exe_global *globals = gotypes_globals(t->types, &count);
	for (size_t i = 0; i < count; i++)
		seed_code_add(t, globals[i].address + t->data_bias, globals[i].type);
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
	struct buf name = {0};
	struct scalar_field scalar = scalar_at(t->types, type, piece->offset, &name);
	buf_free(&name);
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
			seed_code_add(t, address, variable->type);
		if (whole)
			return;
	}
}

static void seed_frame(struct typing *t, const struct frame_record *frame)
{
	size_t count;
	struct exe_variable *variables =
		gotypes_locals(t->types, frame->entry_pc - t->bias, frame->pc - t->bias, &count);
	for (size_t i = 0; i < count; i++)
		seed_variable(t, &variables[i], frame->sp + frame->size);
	free(variables);
}

void seed_locals(struct typing *t)
{
	for (uint32_t i = 0; i < t->heap->frame_count; i++)
		seed_frame(t, &t->heap->frames[i].record);
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
