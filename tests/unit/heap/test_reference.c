/* The offsets of an object's pointers to another one: with an index for objects with many pointers,
   by a scan for others. */
#include "cmocka_all.h"

#include "heap/dump_heap.h"

#include "heap/object_ids.h"
#include "heap/reference.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 4000, TARGETS = 100, SLOT = 32, SMALL = 300 };
#define HOLDER UINT64_C(0xc000000000)
#define TARGET UINT64_C(0xc001000000)

struct fixture {
	struct dump_writer writer;
	struct heap *heap;
	uint32_t holder;
	size_t contents; /* of the holder, offset in the file */
};

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005 + 1442695040888963407;
	return *state >> 33;
}

/* Makes a pointer into the middle of an object, possibly a target of hundreds of pointers; nil, to
   a free slot, or to no slot. */
static uint64_t make_word(uint64_t *random)
{
	uint64_t kind = next_random(random) % 8, slot = next_random(random) % TARGETS;
	if (kind == 0)
		return 0;
	if (kind == 1)
		return 0x1000 + slot;
	if (kind == 2)
		return TARGET + (2 * slot + 1) * SLOT; /* free */
	if (kind == 3)
		return TARGET + 2 * SLOT * (slot % 3);
	return TARGET + 2 * SLOT * slot + next_random(random) % SLOT;
}

/* `step`: distance between pointers. */
static void make_heap(struct fixture *f, size_t words, uint64_t step)
{
	uint64_t random = 11, size = 8ULL * WORDS;
	struct dump_field *fields = calloc(words, sizeof *fields);
	*f = (struct fixture){0};
	for (size_t i = 0; i < words; i++)
		fields[i] = (struct dump_field){step * i, make_word(&random), 0};
	dump_start(&f->writer, 8, false, "go1.19.8");
	dump_object(&f->writer, HOLDER, size, fields, words);
	for (uint64_t i = 0; i < TARGETS; i++)
		dump_object(&f->writer, TARGET + 2 * SLOT * i, SLOT, NULL, 0);
	dump_end(&f->writer);
	free(fields);
	f->heap = dump_linked(&f->writer);
	f->holder = heap_find(f->heap, HOLDER);
	struct object_record record;
	assert_true(heap_object(f->heap, f->holder, &record));
	f->contents = (size_t)(record.data - f->writer.input.data);
}

static void free_heap(struct fixture *f)
{
	heap_free(f->heap);
	dump_free(&f->writer);
}

static void check_heap(size_t words, uint64_t step)
{
	struct fixture f;
	make_heap(&f, words, step);
	for (uint32_t to = 0; to < heap_object_count(f.heap); to++)
		for (size_t nth = 0; nth < 300; nth = nth < 4 ? nth + 1 : nth * 3)
			assert_int_equal(reference_offset(f.heap, f.holder, to, nth),
			                 reference_offset_scan(f.heap, f.holder, to, nth));
	free_heap(&f);
}

TEST(many_pointers_are_found_as_few_are)
{
	check_heap(WORDS, 8);
	check_heap(SMALL, 8);
	check_heap(WORDS, 4); /* overlapping pointers, which no program has */
	check_heap(WORDS, 3);
}

/* After several requests the contents are not scanned again: their loss goes unnoticed. */
TEST(many_pointers_are_gone_through_once)
{
	struct fixture f;
	make_heap(&f, WORDS, 8);
	uint64_t before[TARGETS];
	for (uint32_t i = 0; i < TARGETS; i++)
		before[i] = reference_offset(f.heap, f.holder, f.holder + 1 + i, 0);
	uint8_t *contents = (uint8_t *)f.writer.out.data + f.contents;
	memset(contents, 0, 8ULL * WORDS);
	for (uint32_t i = 0; i < TARGETS; i++) {
		assert_int_equal(reference_offset_scan(f.heap, f.holder, f.holder + 1 + i, 0), UINT64_MAX);
		assert_int_equal(reference_offset(f.heap, f.holder, f.holder + 1 + i, 0), before[i]);
	}
	free_heap(&f);
}
