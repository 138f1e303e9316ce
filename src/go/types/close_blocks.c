/* Tiny blocks: the allocator packs values of less than 16 bytes without pointers into blocks of 16
   (runtime/malloc.go: maxTinySize). Such a block has the type "tiny block", and its parts are the
   values that pointers refer to. */
#include "go/types/propagate.h"

#include "base/mem.h"

#include <stdlib.h>

enum { BLOCK = 16, MOST = 80 };

struct block {
	struct block_value {
		uint64_t offset, end;
		struct typed_part part;
	} values[MOST];
	size_t count;
};

static void close_blocks_add_value(const struct typing *t, struct block *block,
                                   struct typed_part part)
{
	uint64_t size = gotype_get(t->types, part.type)->size * part.count;
	if (block->count < MOST)
		block->values[block->count++] = (struct block_value){part.offset, part.offset + size, part};
}

static int close_blocks_by_offset(const void *a, const void *b)
{
	const struct block_value *x = a, *y = b;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->end > y->end ? -1 : x->end < y->end;
}

/* Drops guessed values if there are known ones. */
static void drop_guesses(struct block *block)
{
	size_t kept = 0;
	bool known = false;
	for (size_t i = 0; i < block->count; i++)
		known |= told_known(block->values[i].part.source) > KNOWN_GUESS;
	for (size_t i = 0; i < block->count; i++)
		if (!known || told_known(block->values[i].part.source) > KNOWN_GUESS)
			block->values[kept++] = block->values[i];
	block->count = kept;
}

/* Sorts the values, drops those inside others, such as fields, and merges overlapping strings. */
static void sort_values(struct block *block)
{
	size_t kept = 0;
	qsort(block->values, block->count, sizeof *block->values, close_blocks_by_offset);
	for (size_t i = 0; i < block->count; i++) {
		const struct block_value *value = &block->values[i];
		struct block_value *last = kept ? &block->values[kept - 1] : NULL;
		if (last && value->end <= last->end)
			continue;
		if (last && value->offset < last->end
		    && value->part.source & last->part.source & TOLD_TEXT) {
			last->part.count = (uint32_t)(value->end - last->offset);
			last->end = value->end;
			continue;
		}
		block->values[kept++] = *value;
	}
	block->count = kept;
}

static void read_values(const struct typing *t, uint32_t id, struct block *block)
{
	block->count = 0;
	if (t->object[id].type)
		close_blocks_add_value(t, block,
		                       (struct typed_part){.type = t->object[id].type,
		                                           .count = t->object[id].count,
		                                           .source = t->object[id].told});
	for (uint32_t p = t->first_part[id]; p; p = t->parts[p - 1].next)
		close_blocks_add_value(t, block, t->parts[p - 1]);
	drop_guesses(block);
	sort_values(block);
}

/* Returns true if several values share the block. A single value at its start may own the whole
   block; several texts may be parts of one string. */
static bool is_shared(const struct block *block)
{
	bool text = true;
	for (size_t i = 0; i < block->count; i++)
		text = text && block->values[i].part.source & TOLD_TEXT;
	return !text && (block->count > 1 || block->values[0].offset > 0);
}

static gotype_id value_type(struct typing *t, const struct block_value *value)
{
	if (value->part.source & TOLD_TEXT)
		return gotypes_row(t->types, "string data", t->byte, value->part.count);
	if (value->part.count > 1)
		return gotypes_row(t->types, NULL, value->part.type, value->part.count);
	return value->part.type;
}

/* Sets the type of the block; its parts are the values in ascending order of addresses. */
static void set_block(struct typing *t, uint32_t id, const struct block *block)
{
	uint32_t next = 0;
	enum type_known known = KNOWN_NONE;
	for (size_t i = block->count; i-- > 0;) {
		const struct block_value *value = &block->values[i];
		enum type_known own = told_known(value->part.source);
		known = own > known ? own : known;
		MEM_PUSH(t->parts, t->part_count, t->part_capacity,
		         (struct typed_part){.offset = value->offset,
		                             .type = value_type(t, value),
		                             .count = 1,
		                             .next = next,
		                             .source = value->part.source});
		next = (uint32_t)t->part_count;
	}
	t->first_part[id] = next;
	t->object[id] = object_type(gotypes_row(t->types, "tiny block", t->byte, BLOCK), 1,
	                            told_by(SOURCE_BLOCK, known, false));
}

/* A value of less than 16 bytes may share its block with values to which no pointer is left: lowers
   its certainty to inferred. */
static void doubt(struct typing *t, uint32_t id)
{
	uint8_t told = t->object[id].told;
	bool small = t->object[id].type
	             && gotype_get(t->types, t->object[id].type)->size * t->object[id].count < BLOCK;
	if (small && told_known(told) == KNOWN_EXACT)
		t->object[id].told = told_by(told_source(told), KNOWN_INFERRED, told & TOLD_TEXT);
}

static void close_run(struct typing *t, size_t index, const struct objects_run_view *run)
{
	struct block block;
	for (uint32_t id = run->first; id < run->first + run->count; id++) {
		bool known = t->object[id].type || t->first_part[id];
		if (!known || !regions_run_noscan(&t->regions, index, run, id))
			continue;
		if (t->first_part[id])
			read_values(t, id, &block);
		if (t->first_part[id] && is_shared(&block))
			set_block(t, id, &block);
		else
			doubt(t, id);
	}
}

void close_blocks(struct typing *t)
{
	struct objects_run_view run;
	for (size_t i = 0; i < objects_run_count(heap_objects(t->heap)); i++) {
		objects_run(heap_objects(t->heap), i, &run);
		if (run.size == BLOCK)
			close_run(t, i, &run);
	}
}
