#include "heap/random_heap.h"

#include "heap/dump_heap.h"

#include "xorshift.h"

#include <stdlib.h>

enum { FIELDS = RANDOM_SIZE / 8, PER_PAGE = 20 };

uint64_t random_heap_address(uint32_t object)
{
	return 0xc000000000u + object / PER_PAGE * 8192 + object % PER_PAGE * RANDOM_SIZE;
}

/* Makes a pointer to a random object, possibly to its middle; now and then to a free slot, to no
   slot, or nil. */
static struct dump_field make_field(uint64_t *state, uint64_t offset, uint32_t *target)
{
	uint64_t kind = xorshift_below(state, 20);
	*target = OBJECT_NONE;
	if (kind >= 12)
		return (struct dump_field){offset, 0, 0};
	if (kind == 0)
		return (struct dump_field){offset, random_heap_address(PER_PAGE - 1) + 2 * RANDOM_SIZE, 0};
	if (kind == 1)
		return (struct dump_field){offset, 0x400000 + xorshift_below(state, 4096), 0};
	*target = (uint32_t)xorshift_below(state, RANDOM_OBJECTS);
	return (struct dump_field){
		offset, random_heap_address(*target) + xorshift_below(state, RANDOM_SIZE), 0};
}

static void write_object(struct random_heap *random, uint64_t *state, uint32_t object)
{
	struct dump_field fields[FIELDS];
	size_t count = 0;
	for (uint64_t word = 0; word < FIELDS; word++) {
		uint32_t target;
		if (xorshift_below(state, 3))
			continue;
		fields[count++] = make_field(state, 8 * word, &target);
		if (target != OBJECT_NONE)
			random->edge[object][target]++;
	}
	dump_object(&random->writer, random_heap_address(object), RANDOM_SIZE, fields, count);
}

static void point_at_some(uint64_t *state, struct dump_field *fields, size_t count, bool *marks)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t target = (uint32_t)xorshift_below(state, RANDOM_OBJECTS);
		fields[i] = (struct dump_field){8 * i, random_heap_address(target), 0};
		marks[target] = true;
	}
}

void random_heap_make(struct random_heap *random, uint64_t seed)
{
	uint64_t s = seed * 0x9e3779b97f4a7c15 + 1;
	struct dump_field globals[3], locals[3];
	*random = (struct random_heap){0};
	dump_start(&random->writer, 8, false, "go1.19.8");
	for (uint32_t page = 0; page < RANDOM_OBJECTS / PER_PAGE; page++)
		for (uint32_t i = 0; i < PER_PAGE; i++) /* the last span first */
			write_object(random, &s, RANDOM_OBJECTS - PER_PAGE * (page + 1) + i);
	point_at_some(&s, globals, 1 + seed % 3, random->strong);
	point_at_some(&s, locals, seed % 4, random->passing);
	dump_goroutine(&random->writer, 1, 2, 0, "");
	dump_frame(&random->writer, 0x7000, 0, "main.main", 0x401000, 64, locals, seed % 4);
	dump_segment(&random->writer, true, 0x5000, 64, globals, 1 + seed % 3);
	dump_end(&random->writer);
	random->heap = dump_linked(&random->writer);
}

void random_heap_free(struct random_heap *random)
{
	heap_free(random->heap);
	dump_free(&random->writer);
}
