/* Edges, referrers, roots. */
#include "base/progress.h"
#include "heap/dump_heap.h"
#include "heap/edges.h"
#include "heap/pointer_walk.h"
#include "heap/random_heap.h"

#include "cmocka_all.h"

#include <string.h>

static size_t count_of(struct ids ids, uint32_t id)
{
	size_t count = 0;
	for (size_t i = 0; i < ids.count; i++)
		count += ids.id[i] == id;
	return count;
}

TEST(edges_and_referrers_are_those_written)
{
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct random_heap random;
		random_heap_make(&random, seed);
		if (seed % 3 == 0)
			assert_false(heap_reverse(random.heap, &(struct progress){.cancel = true}));
		if (seed % 2) /* else the first question builds them */
			assert_true(heap_reverse(random.heap, NULL));
		assert_int_equal(heap_object_count(random.heap), RANDOM_OBJECTS);
		uint64_t total = 0;
		for (uint32_t a = 0; a < RANDOM_OBJECTS; a++) {
			assert_int_equal(heap_address(random.heap, a), random_heap_address(a));
			for (uint32_t b = 0; b < RANDOM_OBJECTS; b++) {
				assert_int_equal(count_of(heap_references(random.heap, a), b), random.edge[a][b]);
				assert_int_equal(count_of(heap_referrers(random.heap, b), a), random.edge[a][b]);
				total += random.edge[a][b];
			}
		}
		assert_int_equal(random.heap->edge_count, total);
		random_heap_free(&random);
	}
}

static bool has_root(const struct heap *heap, enum root_kind kind, uint64_t address)
{
	for (uint32_t i = heap->root_kind_first[kind]; i < heap->root_kind_first[kind + 1]; i++) {
		assert_int_equal(heap->roots[i].kind, kind);
		if (heap->roots[i].target == heap_find(heap, address))
			return true;
	}
	return false;
}

/* Object 0 has a finalizer and references 1; 2 waits in the queue; 3 is the closure of both. */
TEST(finalizers_hold_what_the_runtime_holds)
{
	enum { A = 0x100000 };
	const struct dump_field to_one = {8, A + 64, 0};
	SCOPED_DUMP w;
	dump_start(&w, 8, false, "go1.19.8");
	dump_object(&w, A, 64, &to_one, 1);
	for (uint64_t i = 1; i < 4; i++)
		dump_object(&w, A + 64 * i, 64, NULL, 0);
	dump_finalizer(&w, false, A, A + 192);
	dump_finalizer(&w, true, A + 128, A + 192);
	dump_end(&w);
	SCOPED_HEAP heap = dump_linked(&w);
	assert_int_equal(heap->root_count, 4);
	assert_false(has_root(heap, ROOT_FINALIZER, A));
	assert_true(has_root(heap, ROOT_FINALIZER, A + 64));
	assert_true(has_root(heap, ROOT_FINALIZER, A + 192));
	assert_true(has_root(heap, ROOT_QUEUED_FINALIZER, A + 128));
	assert_true(has_root(heap, ROOT_QUEUED_FINALIZER, A + 192));
	assert_int_equal(heap->queued_finalizer_count, 1);
}

static uint32_t finalizer_references(const struct heap *heap, uint64_t address)
{
	uint32_t count = 0;
	for (uint32_t i = heap->root_kind_first[ROOT_FINALIZER];
	     i < heap->root_kind_first[ROOT_FINALIZER + 1]; i++)
		count += heap->roots[i].part == FINALIZER_REFERENCE
		         && heap->roots[i].target == heap_find(heap, address);
	return count;
}

/* Objects 0 and 1 point to 2 and 3. 0 has two finalizers, which only a damaged file says; 1 has one
 * between them. The functions 4, 5 and 6 are all held. */
TEST(a_second_finalizer_adds_no_references)
{
	enum { A = 0x100000 };
	SCOPED_DUMP w;
	dump_start(&w, 8, false, "go1.19.8");
	for (uint64_t i = 0; i < 7; i++) {
		const struct dump_field field = {8, A + 64 * (i + 2), 0};
		dump_object(&w, A + 64 * i, 64, &field, i < 2);
	}
	dump_finalizer(&w, false, A, A + 256);
	dump_finalizer(&w, false, A + 64, A + 320);
	dump_finalizer(&w, false, A, A + 384);
	dump_end(&w);
	SCOPED_HEAP heap = dump_linked(&w);
	assert_int_equal(finalizer_references(heap, A + 128), 1);
	assert_int_equal(finalizer_references(heap, A + 192), 1);
	for (uint64_t i = 4; i < 7; i++)
		assert_true(has_root(heap, ROOT_FINALIZER, A + 64 * i));
	assert_int_equal(heap->root_count, 5);
}

/* Go >= 1.22: the program's address is 8 into the slot, and offsets count from there. */
TEST(allocation_headers_move_addresses)
{
	enum { A = 0x100000 };
	const struct dump_field field = {16, A + 1024 + 8, 0};
	SCOPED_DUMP w;
	struct object_record record;
	struct pointer_walk walk;
	struct pointer pointer;
	dump_start(&w, 8, false, "go1.24.4");
	dump_object(&w, A, 1024, &field, 1);
	dump_object(&w, A + 1024, 1024, &field, 1);
	dump_end(&w);
	SCOPED_HEAP heap = dump_linked(&w);
	assert_int_equal(heap_address(heap, 1), A + 1024 + 8);
	assert_int_equal(heap_size(heap, 1), 1024);
	assert_int_equal(heap_find(heap, A + 1024 + 8), 1);
	assert_true(heap_object(heap, 0, &record));
	pointer_walk_object(&walk, heap, &record);
	assert_true(pointer_walk_next(&walk, &pointer));
	assert_int_equal(pointer.offset, 8);
	assert_int_equal(pointer.target, 1);
	assert_false(pointer_walk_next(&walk, &pointer));
}

/* Pointers of a frame lead to objects even before the references are resolved. */
TEST(pointers_lead_to_objects_before_they_are_linked)
{
	const struct dump_field field = {0, 0x100010, 0};
	struct pointer_walk walk;
	struct pointer pointer;
	SCOPED_DUMP w;
	dump_start(&w, 8, false, "");
	dump_object(&w, 0x100000, 64, NULL, 0);
	dump_goroutine(&w, 1, 4, 0, "select");
	dump_frame(&w, 0x7000, 0, "main.f", 0x401000, 8, &field, 1);
	dump_end(&w);
	SCOPED_HEAP heap = dump_heap(&w);
	pointer_walk_frame(&walk, heap, &heap->frames[0].record);
	assert_true(pointer_walk_next(&walk, &pointer));
	assert_int_equal(pointer.target, 0);
}

TEST(frames_without_thread_are_kept_and_warned_of)
{
	const struct dump_field field = {0, 0x100000, 0};
	SCOPED_DUMP w;
	dump_start(&w, 8, false, "");
	dump_object(&w, 0x100000, 64, NULL, 0);
	dump_frame(&w, 0x7000, 0, "lost", 0x401000, 8, &field, 1);
	dump_end(&w);
	SCOPED_HEAP heap = dump_linked(&w);
	assert_int_equal(heap->warning_count, 1);
	assert_non_null(strstr(heap->warnings[0].text, "no goroutine"));
	assert_int_equal(heap->frames[0].thread, UINT32_MAX);
	assert_true(has_root(heap, ROOT_FRAME, 0x100000));
}

/* A list of a million fields at the same offset costs only its bytes, and the edges stay within
   bounds. */
TEST(repeated_fields_are_bounded)
{
	enum { FIELDS = 100000 };
	static struct dump_field fields[FIELDS];
	SCOPED_DUMP w;
	fields[0].value = 0x100000;
	for (size_t i = 0; i < FIELDS; i++)
		fields[i].value = 0x100000;
	dump_start(&w, 8, false, "");
	dump_object(&w, 0x100000, 8, fields, FIELDS);
	dump_end(&w);
	SCOPED_HEAP heap = dump_linked(&w);
	assert_int_equal(heap_references(heap, 0).count, FIELDS);
	assert_true(heap_reverse(heap, NULL));
}
