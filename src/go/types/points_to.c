/* Finds the values that a value of a type points to. */
#include "go/types/propagate.h"

#include "go/runtime/gochan.h"
#include "go/runtime/goiface.h"

enum { DEPTH = 64 };

/* Reads a word of a region that counts as a pointer. Returns false if it is none, or nil. */
static bool points_to_read_pointer(const struct typing *t, const struct region *region,
                                   uint64_t offset, uint64_t *value)
{
	if (offset + t->regions.width > region->size || !regions_aligned(&t->regions, offset))
		return false;
	if (!region_points(&t->regions, region, offset))
		return false;
	*value = region_word(&t->regions, region, offset);
	return *value != 0;
}

static bool read_word(const struct typing *t, const struct region *region, uint64_t offset,
                      uint64_t *value)
{
	if (offset + t->regions.width > region->size)
		return false;
	*value = region_word(&t->regions, region, offset);
	return true;
}

/* Adds a claim: the target is known no more certainly than the value that points to it. */
static void points_to_add_by(struct typing *t, uint64_t address, gotype_id type, uint64_t count,
                             enum type_source source, unsigned marks)
{
	claim_later(t, address,
	            (struct claim){count, type, told_by(source, t->trust, marks & TYPE_CLAIM_TEXT),
	                           (uint8_t)marks});
}

static void points_to_add(struct typing *t, uint64_t address, gotype_id type, uint64_t count,
                          unsigned marks)
{
	points_to_add_by(t, address, type, count, SOURCE_FIELD, marks);
}

/* Adds the array of a slice whose length is lost, as in a partly optimized-away variable: as many
   elements as the object has room for, or one. */
static void points_to_rest(struct typing *t, uint64_t data, gotype_id elem)
{
	struct region region;
	uint64_t size = gotype_get(t->types, elem)->size;
	if (!size || !regions_find(&t->regions, data, &region))
		return;
	uint64_t offset = data - region.address, count = (region.size - offset) / size;
	bool all = region.kind == REGION_OBJECT && shape_fits(t, &region, offset, elem, count);
	points_to_add(t, data, elem, all ? count : 1, 0);
}

static void points_to_slice(struct typing *t, const struct region *region, uint64_t offset,
                            gotype_id elem)
{
	uint64_t data, len, cap;
	unsigned width = t->regions.width;
	if (!points_to_read_pointer(t, region, offset, &data))
		return;
	if (!read_word(t, region, offset + width, &len)
	    || !read_word(t, region, offset + 2 * width, &cap) || len > cap || cap == 0)
		points_to_rest(t, data, elem);
	else
		points_to_add(t, data, elem, cap, TYPE_CLAIM_COUNTED);
}

static void points_to_string(struct typing *t, const struct region *region, uint64_t offset)
{
	uint64_t data, len;
	if (points_to_read_pointer(t, region, offset, &data)
	    && read_word(t, region, offset + t->regions.width, &len))
		points_to_add(t, data, t->byte, len, TYPE_CLAIM_TEXT);
}

static void points_to_chan(struct typing *t, uint64_t address, gotype_id id)
{
	/* copied: reading other types may move it */
	const struct gotype type = *gotype_get(t->types, id);
	struct region header;
	struct pointee buffer;
	points_to_add(t, address, type.header, 1, 0);
	if (!regions_find(&t->regions, address, &header))
		return;
	struct goruntime_place place = {&t->runtime, &t->regions, &header, address - header.address,
	                                type.header};
	if (gochan_buffer(&place, type.elem, &buffer))
		points_to_add(t, buffer.address, buffer.type, buffer.count, TYPE_CLAIM_COUNTED);
}

/* Adds targets of a runtime struct that its fields do not describe. */
static void points_to_special(struct typing *t, const struct region *region, uint64_t offset,
                              gotype_id type)
{
	const struct goruntime_struct *special = shape_of(t, type)->special;
	struct goruntime_place place = {&t->runtime, &t->regions, region, offset, type};
	struct pointee to[POINTEES];
	size_t count = special ? special->points_to(&place, to) : 0;
	for (size_t i = 0; i < count; i++)
		points_to_add(t, to[i].address, to[i].type, to[i].count,
		              to[i].count > 1 ? TYPE_CLAIM_COUNTED : 0);
}

/* Adds the value in the data word of an interface, or its target. */
static void points_to_data(struct typing *t, uint64_t data, gotype_id id)
{
	if (!goiface_is_direct(t->types, id)) {
		points_to_add_by(t, data, id, 1, SOURCE_PAIR, 0);
		return;
	}
	for (int depth = 0; id && depth < DEPTH; depth++) {
		const struct gotype *type = gotype_get(t->types, id);
		if (type->kind == GO_POINTER)
			points_to_add_by(t, data, type->elem, 1, SOURCE_PAIR, 0);
		if (type->kind == GO_MAP)
			points_to_add_by(t, data, type->header, 1, SOURCE_PAIR, 0);
		if (type->kind == GO_CHAN)
			points_to_chan(t, data, id);
		if (type->kind == GO_STRUCT && type->fields == 1)
			id = gotype_field(t->types, type->first_field)->type;
		else if (type->kind == GO_ARRAY)
			id = type->elem;
		else
			return;
	}
}

static void points_to_iface(struct typing *t, const struct region *region, uint64_t offset,
                            gotype_id type)
{
	uint64_t word, data;
	if (!read_word(t, region, offset, &word)
	    || !points_to_read_pointer(t, region, offset + t->regions.width, &data))
		return;
	gotype_id dynamic = goiface_find(&t->runtime, word, gotype_get(t->types, type)->has_methods);
	if (dynamic)
		points_to_data(t, data, dynamic);
}

static void points_to_func(struct typing *t, const struct region *region, uint64_t offset,
                           gotype_id type)
{
	uint64_t value;
	if (!points_to_read_pointer(t, region, offset, &value))
		return;
	propagate_flush(t); /* closures depend on earlier claims */
	propagate_closure(t, value, type);
}

static void points_to_array(struct typing *t, const struct region *region, uint64_t offset,
                            gotype_id type)
{
	const struct gotype *array = gotype_get(t->types, type);
	uint64_t size = gotype_get(t->types, array->elem)->size, count = array->count;
	uint64_t room = offset < region->size ? (region->size - offset - 1) / size + 1 : 0;
	points_to_values(t, region, offset, array->elem, count < room ? count : room);
}

static void points_to_step(struct typing *t, const struct region *region, uint64_t offset,
                           const struct step *step)
{
	uint64_t value;
	switch (step->kind) {
	case STEP_POINTER:
		if (points_to_read_pointer(t, region, offset, &value))
			points_to_add(t, value, step->type, 1, 0);
		return;
	case STEP_SLICE:
		points_to_slice(t, region, offset, step->type);
		return;
	case STEP_STRING:
		points_to_string(t, region, offset);
		return;
	case STEP_INTERFACE:
		points_to_iface(t, region, offset, step->type);
		return;
	case STEP_CHAN:
		if (points_to_read_pointer(t, region, offset, &value))
			points_to_chan(t, value, step->type);
		return;
	case STEP_FUNC:
		points_to_func(t, region, offset, step->type);
		return;
	case STEP_ARRAY:
		points_to_array(t, region, offset, step->type);
		return;
	case STEP_SPECIAL:
		points_to_special(t, region, offset, step->type);
		return;
	default:
		return;
	}
}

/* Follows nested arrays by recursion: each is smaller than the one around it. */
void points_to_values(struct typing *t, const struct region *region, uint64_t offset,
                      gotype_id type, uint64_t count)
{
	const struct steps steps = steps_of(t, type);
	uint64_t size = gotype_get(t->types, type)->size;
	for (; count; count--, offset += size)
		for (uint32_t i = 0; i < steps.count; i++)
			points_to_step(t, region, offset + steps.step[i].offset, &steps.step[i]);
}

void points_to_word(struct typing *t, const struct region *region, uint64_t offset, gotype_id id)
{
	const struct gotype *type = gotype_get(t->types, id);
	uint64_t data;
	if (type->size <= t->regions.width)
		points_to_values(t, region, offset, id, 1);
	else if (type->kind == GO_SLICE && points_to_read_pointer(t, region, offset, &data))
		points_to_rest(t, data, type->elem);
	else if (type->kind == GO_STRING && points_to_read_pointer(t, region, offset, &data))
		points_to_add(t, data, t->byte, 1, TYPE_CLAIM_TEXT);
	propagate_flush(t);
}
