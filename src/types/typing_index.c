/* Keeps the types of objects in an index: few combinations of type, count and source are frequent,
   so that objects have a code of 16 bits (dictionary coding). */
#include "base/mem.h"
#include "types/propagate.h"

#include <stdlib.h>
#include <string.h>

static uint64_t typing_code_key(const struct object_type *object)
{
	uint64_t key;
	memcpy(&key, object, sizeof key);
	return key;
}
_Static_assert(sizeof(struct object_type) == sizeof(uint64_t), "it is a key");

/* Codes all objects, and one zero after them. False: there are too many combinations. */
static bool typing_encode(const struct typing *t, uint16_t *code, struct buf *coded)
{
	struct map codes = {0};
	size_t count = t->code_size / sizeof *code, i;
	uint64_t known = 0;
	for (i = 0; i < count && known <= UINT16_MAX; i++) {
		known = codes.count;
		if (i && typing_code_key(&t->object[i]) == typing_code_key(&t->object[i - 1]))
			known = code[i - 1];
		else if (map_add(&codes, typing_code_key(&t->object[i]), &known))
			buf_add_bytes(coded, &t->object[i], sizeof t->object[i]);
		code[i] = (uint16_t)known;
	}
	map_free(&codes);
	return known <= UINT16_MAX;
}

static bool typing_index_coded(struct typing *t, const struct index_io *io)
{
	return INDEX_ARRAY(io, "coded", t->coded, t->codes)
	       && index_io_column(io, "code", &t->code, t->code_size);
}

static bool typing_index_objects(struct typing *t, const struct index_io *io)
{
	struct buf coded = {0};
	if (io->file || t->code)
		return typing_index_coded(t, io)
		       || index_io_column(io, "object", &t->object, t->object_size);
	uint16_t *code = mem_alloc(t->code_size);
	bool few = typing_encode(t, code, &coded);
	if (few)
		few = index_io_buf(io, "coded", &coded) && index_io_own(io, "code", code, t->code_size);
	else
		free(code);
	buf_free(&coded);
	return few || index_io_column(io, "object", &t->object, t->object_size);
}

bool typing_index(struct typing *t, const struct index_io *io)
{
	const struct index_io below = index_io_below(io, "typing");
	const struct index_io part_of = index_io_below(&below, "part_of");
	return typing_index_objects(t, &below)
	       && INDEX_VALUES(&below, "part_count", INDEX_VALUE(t->part_count))
	       && INDEX_COLUMN(&below, "parts", t->parts, t->part_count)
	       && sparse_index(&t->part_of, heap_object_count(t->heap), &part_of)
	       && goruntime_index(&t->runtime, io);
}

struct typing *typing_load(const struct heap *heap, struct gotypes *types,
                           struct typing_options options, const struct index_io *io)
{
	struct typing *t = typing_begin(heap, types, options);
	regions_init_others(&t->regions, heap);
	if (typing_index(t, io))
		return t;
	typing_free(t);
	return NULL;
}
