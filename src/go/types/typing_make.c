/* Typing all objects of a heap: seeds first, the surest of them before others; then what their
   pointers lead to, as far as it goes; then conclusions and guesses. */
#include "go/types/propagate.h"

#include "base/mem.h"
#include "base/progress.h"

#include <stdlib.h>

/* Applies the sources in order of certainty: earlier claims are followed first. */
static bool propagate_seeds(struct typing *t, bool what_if_headers, struct progress *progress)
{
	static void (*const seeds[])(struct typing *) = {
		seed_headers,   seed_records, seed_globals,  seed_locals,  seed_closures,
		seed_channels,  seed_pairs,   close_holders, close_blocks, close_parts,
		close_profiles, close_parts,  close_blocks,
	};
	progress_begin(progress, "following types", 0);
	for (size_t i = what_if_headers; i < sizeof seeds / sizeof *seeds; i++) {
		seeds[i](t);
		if (!propagate_all(t, progress))
			return false;
	}
	if (!guess_types(t, progress))
		return false;
	close_parts(t);
	close_blocks(t);
	return propagate_all(t, progress);
}

/* Returns the bytes of the heap object at an address, for type descriptors outside the
   executable. */
static const uint8_t *bytes_of(const void *self, uint64_t address, uint64_t *offset, uint64_t *room)
{
	const struct heap *heap = self;
	uint32_t id = heap_find(heap, address);
	struct object_record record;
	if (id == OBJECT_NONE || !heap_object(heap, id, &record))
		return NULL;
	uint64_t at = address - record.slot;
	if (at < record.header || at >= record.stored)
		return NULL;
	*offset = at - record.header;
	*room = record.stored - at;
	return record.data + at;
}

struct typing *typing_begin(const struct heap *heap, struct gotypes *types,
                            struct typing_options options)
{
	struct typing *t = mem_alloc(sizeof *t);
	t->heap = heap;
	t->types = types;
	t->bias = options.bias;
	t->data_bias = options.data_bias;
	t->object_size = (heap_object_count(heap) + 1UL) * sizeof *t->object;
	t->code_size = (heap_object_count(heap) + 1UL) * sizeof *t->code;
	t->first_part_size = (heap_object_count(heap) + 1UL) * sizeof *t->first_part;
	t->trust = KNOWN_EXACT;
	gotypes_use_memory(types, (struct gotypes_memory){heap, bytes_of, t->bias});
	goruntime_init(&t->runtime, heap, types, t->bias, t->data_bias);
	t->byte = gotypes_named(types, "uint8");
	for (unsigned told = 0; told <= UINT8_MAX; told++)
		t->told[told] = told_typed((uint8_t)told);
	return t;
}

/* Converts parts to sparse columns: few objects have parts. */
static void typing_settle_parts(struct typing *t)
{
	sparse_take(&t->part_of, t->first_part, heap_object_count(t->heap), t->first_part_size);
	t->first_part = NULL;
	t->parts = mem_column_of(t->parts, t->part_count * sizeof *t->parts);
	t->part_capacity = 0;
}

struct typing *typing_new(const struct heap *heap, struct gotypes *types,
                          struct typing_options options, struct progress *progress)
{
	struct typing *t = typing_begin(heap, types, options);
	t->object = mem_column_whole(t->object_size);
	t->first_part = mem_column_few(t->first_part_size); /* few objects have parts */
	if (!regions_init(&t->regions, heap, progress)
	    || !propagate_seeds(t, options.what_if_headers, progress)) {
		typing_free(t);
		return NULL;
	}
	goruntime_settle(&t->runtime);
	work_clear(&t->queue);
	seen_free(&t->seen);
	typing_settle_parts(t);
	return t;
}

void typing_settle(struct typing *t)
{
	typing_encode(t);
	regions_fini(&t->regions);
	regions_init_others(&t->regions, t->heap);
}

void typing_free(struct typing *t)
{
	if (!t)
		return;
	mem_column_free(t->object, t->object_size);
	mem_column_free(t->code, t->code_size);
	free(t->coded);
	mem_column_free(t->first_part, t->first_part_size);
	sparse_fini(&t->part_of);
	regions_fini(&t->regions);
	propagate_free_shapes(t);
	goruntime_fini(&t->runtime);
	seen_free(&t->seen);
	if (t->part_capacity)
		free(t->parts);
	else
		mem_column_free(t->parts, t->part_count * sizeof *t->parts);
	work_clear(&t->queue);
	free(t);
}
