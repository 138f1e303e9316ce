/* Pointer masks of type descriptors. From Go 1.24 on the runtime builds those of large types when
   it needs them first (getGCMaskOnDemand in runtime/type.go); before, a program for the collector
   stands in their place. Here they are built as the runtime does, from fields and elements. */
#include "core_type_mask.h"

#include "base/bits.h"
#include "base/map.h"
#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>

/* Limits for malformed files. */
enum { DEPTH = 32, MASK_WORDS = 1 << 20, STEPS = 1 << 20, WORD = 8 };

struct core_type_masks {
	pthread_mutex_t lock; /* protects all members below */
	struct map known;     /* type -> index in `mask` + 1; 0: it cannot be built */
	uint8_t **mask;
	size_t count, capacity;
};

struct core_type_masks *core_type_masks_new(void)
{
	struct core_type_masks *masks = mem_alloc(sizeof *masks);
	pthread_mutex_init(&masks->lock, NULL);
	return masks;
}

void core_type_masks_free(struct core_type_masks *masks)
{
	if (!masks)
		return;
	for (size_t i = 0; i < masks->count; i++)
		free(masks->mask[i]);
	free(masks->mask);
	map_free(&masks->known);
	pthread_mutex_destroy(&masks->lock);
	free(masks);
}

struct core_type core_type_at(const struct core_runtime *rt, uint64_t address)
{
	enum { SIZE = 0, POINTERS = 8, FLAG = 20, KIND = 23, MASK = 32 };
	enum { ON_DEMAND = 1 << 4, PROGRAM = 1 << 6, ON_DEMAND_SINCE = 24, KINDS = 31 };
	const struct core_memory *memory = &rt->memory;
	struct core_type type = {.size = memory_word(memory, address + SIZE),
	                         .covered = memory_word(memory, address + POINTERS)};
	uint64_t mask = memory_word(memory, address + MASK), flag = 0, kind = 0;
	memory_number(memory, address + FLAG, 1, &flag);
	memory_number(memory, address + KIND, 1, &kind);
	type.kind = (enum gokind)(kind & KINDS);
	if (!address || type.size > UINT32_MAX || type.covered > type.size)
		return (struct core_type){0};
	bool later = rt->layout.minor >= ON_DEMAND_SINCE && flag & ON_DEMAND;
	bool program = rt->layout.minor < ON_DEMAND_SINCE && kind & PROGRAM;
	mask = later ? memory_word(memory, mask) : program ? 0 : mask;
	type.mask = memory_at(memory, mask, (type.covered / WORD + 7) / 8);
	return type;
}

/* A mask that is being built. */
struct mask_build {
	const struct core_runtime *rt;
	uint8_t *mask;
	uint64_t words;
	unsigned left; /* types that may still be read */
};

static bool mask_add(struct mask_build *b, uint64_t address, uint64_t offset, int depth);

static bool mask_add_elements(struct mask_build *b, uint64_t address, uint64_t offset, int depth)
{
	enum { ELEM = 48, LENGTH = 64 };
	uint64_t elem = memory_word(&b->rt->memory, address + ELEM);
	uint64_t count = memory_word(&b->rt->memory, address + LENGTH);
	struct core_type type = core_type_at(b->rt, elem);
	if (!type.covered)
		return true;
	for (uint64_t i = 0; i < count; i++)
		if (!mask_add(b, elem, offset + i * type.size, depth))
			return false;
	return true;
}

static bool mask_add_fields(struct mask_build *b, uint64_t address, uint64_t offset, int depth)
{
	enum { FIELDS = 56, LENGTH = 64, TYPE = 8, OFFSET = 16, FIELD = 24 };
	const struct core_memory *memory = &b->rt->memory;
	uint64_t at = memory_word(memory, address + FIELDS);
	uint64_t count = memory_word(memory, address + LENGTH);
	for (uint64_t i = 0; i < count; i++, at += FIELD)
		if (!mask_add(b, memory_word(memory, at + TYPE), offset + memory_word(memory, at + OFFSET),
		              depth))
			return false;
	return true;
}

/* Adds the pointers of a value at an offset. Returns false if its type cannot be read. */
static bool mask_add(struct mask_build *b, uint64_t address, uint64_t offset, int depth)
{
	struct core_type type = core_type_at(b->rt, address);
	if ((!type.size && !type.kind) || !b->left)
		return false;
	b->left--;
	if (!type.covered)
		return true;
	if (depth > DEPTH || offset % WORD || offset / WORD > b->words
	    || type.covered / WORD > b->words - offset / WORD)
		return false;
	if (type.mask) {
		for (uint64_t w = 0; w < type.covered / WORD; w++)
			if (bit_is_set(type.mask, w))
				b->mask[(offset / WORD + w) / 8] |= (uint8_t)(1 << (offset / WORD + w) % 8);
		return true;
	}
	if (type.kind == GO_ARRAY)
		return mask_add_elements(b, address, offset, depth + 1);
	return type.kind == GO_STRUCT && mask_add_fields(b, address, offset, depth + 1);
}

static uint64_t masks_build(struct core_type_masks *masks, const struct core_runtime *rt,
                            uint64_t address, const struct core_type *type)
{
	struct mask_build b = {.rt = rt, .words = type->covered / WORD, .left = STEPS};
	if (b.words > MASK_WORDS)
		return 0;
	b.mask = mem_alloc(b.words / 8 + 1);
	if (!mask_add(&b, address, 0, 0)) {
		free(b.mask);
		return 0;
	}
	MEM_PUSH(masks->mask, masks->count, masks->capacity, b.mask);
	return masks->count;
}

const uint8_t *core_type_mask(const struct core_runtime *rt, uint64_t address,
                              const struct core_type *type)
{
	struct core_type_masks *masks = rt->masks;
	uint64_t number;
	if (type->mask || !masks)
		return type->mask;
	pthread_mutex_lock(&masks->lock);
	if (!map_get(&masks->known, address, &number)) {
		number = masks_build(masks, rt, address, type);
		map_put(&masks->known, address, number);
	}
	const uint8_t *mask = number ? masks->mask[number - 1] : NULL;
	pthread_mutex_unlock(&masks->lock);
	return mask;
}
