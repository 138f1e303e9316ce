/* Types that the executable's code gives: of globals, of local variables, of closures. */
#include "types/spread.h"

#include <stdlib.h>

static void add(struct typing *t, uint64_t address, gotype_id type)
{
	spread_add(t, (struct claim){address, type, 1, SOURCE_FIELD, false});
}

void seed_globals(struct typing *t)
{
	size_t count;
	const struct exe_global *globals = gotypes_globals(t->types, &count);
	for (size_t i = 0; i < count; i++)
		add(t, globals[i].address + t->data_bias, globals[i].type);
}

/* A variable counts where the frame lists one of its words: others are dead, their memory may hold anything. */
static bool is_alive(struct typing *t, uint64_t address, gotype_id type)
{
	struct region region;
	unsigned width = t->regions.width;
	uint64_t size = gotype_get(t->types, type)->size;
	const struct shape *shape = shape_of(t, type);
	bool alive = false;
	if (!regions_find(&t->regions, address, &region) || region.kind != REGION_FRAME)
		return false;
	uint64_t at = address - region.address;
	for (uint64_t w = 0; w < shape->words && at + w * width + width <= region.size && w * width < size; w++) {
		if (!region_points(&t->regions, &region, at + w * width))
			continue;
		if (!(shape->pointer[w / 64] >> w % 64 & 1) && !(shape->maybe[w / 64] >> w % 64 & 1))
			return false;
		alive = true;
	}
	return alive;
}

static void seed_variable(struct typing *t, const struct exe_variable *variable, uint64_t cfa)
{
	const struct exe_piece *piece = &variable->piece[0];
	uint64_t address = piece->absolute ? (uint64_t)piece->place + t->data_bias : cfa + (uint64_t)piece->place;
	if (!variable->type || piece->offset)
		return;
	/* of a variable that is in memory only in part, its pointer: what it points to is typed by hand */
	if (address % t->regions.width == 0 && is_alive(t, address, variable->type))
		add(t, address, variable->type);
}

static void seed_frame(struct typing *t, const struct frame_record *frame)
{
	size_t count;
	struct exe_variable *variables = gotypes_locals(t->types, frame->entry_pc - t->bias,
	                                                frame->pc - t->bias, &count);
	for (size_t i = 0; i < count; i++)
		seed_variable(t, &variables[i], frame->sp + frame->size);
	free(variables);
}

void seed_locals(struct typing *t)
{
	for (uint32_t i = 0; i < t->heap->frame_count; i++)
		seed_frame(t, &t->heap->frames[i].record);
}

/* A func value points to the entry of its function, then to what it has captured. */
void spread_closure(struct typing *t, uint64_t address, gotype_id func)
{
	struct region region;
	bool exact;
	if (!regions_find(&t->regions, address, &region) || region.kind != REGION_OBJECT ||
	    address != region.address + region.header || region.size < t->regions.width)
		return;
	if ((t->source[region.ref] & ~SOURCE_TEXT) >= SOURCE_CLOSURE)
		return;
	uint64_t entry = region_word(&t->regions, &region, region.header);
	gotype_id closure = gotypes_closure(t->types, entry - t->bias, &exact);
	if (closure && gotype_get(t->types, closure)->size <= region.size - region.header &&
	    shape_fits(t, &region, region.header, closure, 1)) {
		spread_add(t, (struct claim){address, closure, 1, SOURCE_CLOSURE, false});
	} else if (func && !t->type[region.ref]) {
		t->type[region.ref] = func;
		t->count[region.ref] = 1;
		t->source[region.ref] = SOURCE_CLOSURE;
	}
}

/* Closures that no typed func value has led to. */
void seed_closures(struct typing *t)
{
	struct region region;
	for (uint32_t id = 0; id < t->regions.objects; id++) {
		if (t->type[id])
			continue;
		regions_get(&t->regions, id, &region);
		if (region.size >= t->regions.width && !region_points(&t->regions, &region, 0) &&
		    !region.noscan)
			spread_closure(t, region.address + region.header, 0);
	}
}
