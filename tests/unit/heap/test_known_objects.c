/* Objects from an index: their records are skipped, and the index is not used for a dump whose
   other records have changed. */
#include "heap/dump_heap.h"
#include "heap/heap_index.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <unistd.h>

enum { SMALL = 300, LARGE = 40, SLOT = 32 };
#define HEAP UINT64_C(0xc000000000)

static const struct index_key key = {1, 2};
static const struct index_secret secret = {{3}};
static char path[] = "/tmp/goheapx-known-XXXXXX";

static void make_dump(struct dump_writer *w, unsigned finalizers, bool first)
{
	dump_start(w, 8, false, "go1.19.8");
	if (first)
		dump_goroutine(w, 1, 4, 0, "chan receive");
	for (unsigned i = 0; i < LARGE; i++)
		dump_object(w, HEAP + (1 << 20) + i * SLOT * 4, SLOT * 4, NULL, 0);
	for (unsigned i = 0; i < finalizers; i++)
		dump_finalizer(w, false, HEAP + i * SLOT, HEAP);
	for (unsigned i = 0; i < SMALL; i++)
		dump_object(w, HEAP + i * SLOT, SLOT, NULL, 0);
	dump_end(w);
}

static struct index_file *index_of(struct heap *heap)
{
	struct err err = {0};
	struct index_writer *writer = calloc(1, sizeof *writer);
	heap_read_index(heap, &(struct index_io){.writer = writer});
	assert_true(index_write(writer, path, key, &secret, &err));
	index_writer_fini(writer);
	free(writer);
	struct index_file *index = index_open(path, key, &secret, &err);
	assert_non_null(index);
	return index;
}

static void assert_the_same(const struct heap *heap, const struct heap *than)
{
	struct object_place a, b;
	assert_int_equal(heap_object_count(heap), heap_object_count(than));
	assert_int_equal(objects_bytes(heap->objects), objects_bytes(than->objects));
	for (uint32_t i = 0; i < heap_object_count(heap); i++) {
		objects_place(heap->objects, i, &a);
		objects_place(than->objects, i, &b);
		assert_true(a.slot == b.slot && a.size == b.size && a.offset == b.offset
		            && a.skip == b.skip);
		assert_int_equal(heap_find(heap, a.slot + 1), i);
	}
	assert_int_equal(heap->index.count, than->index.count);
	assert_memory_equal(heap->index.entry, than->index.entry,
	                    heap->index.count * sizeof *heap->index.entry);
	assert_int_equal(heap->finalizer_count, than->finalizer_count);
	assert_int_equal(heap->thread_count, than->thread_count);
	assert_int_equal(heap->warning_count, 0);
}

/* Replaces the tag of a row's fifth object by an invalid one, which a full read reports. */
static void break_a_row(const struct heap *heap)
{
	struct object_record record;
	assert_true(heap_object(heap, 5, &record));
	*(uint8_t *)(uintptr_t)(heap->input->data + record.offset) = 0x7f;
}

static void test_known(bool first)
{
	SCOPED_DUMP w;
	struct err err = {0};
	make_dump(&w, 3, first);
	struct heap *plain = dump_heap(&w);
	assert_int_equal(heap_object_count(plain), SMALL + LARGE);
	struct index_file *index = index_of(plain);
	break_a_row(plain);
	struct heap *known = heap_read_indexed(&w.input, index, NULL, &err);
	assert_non_null(known);
	assert_the_same(known, plain);
	struct heap *again = heap_read(&w.input, NULL, &err);
	assert_non_null(again);
	assert_int_not_equal(again->warning_count, 0);
	heap_free(again);
	heap_free(known);
	heap_free(plain);
	index_close(index);
}

TEST(test_rows_are_passed_over)
{
	test_known(true);
	test_known(false);
}

TEST(test_other_records_are_compared)
{
	struct dump_writer was, is;
	struct err err = {0};
	make_dump(&was, 3, true);
	make_dump(&is, 2, true);
	struct input before = dump_input(&was), now = dump_input(&is);
	struct heap *old = heap_read(&before, NULL, &err), *plain = heap_read(&now, NULL, &err);
	struct index_file *index = index_of(old);
	struct heap *heap = heap_read_indexed(&now, index, NULL, &err);
	assert_non_null(heap);
	assert_int_equal(heap->finalizer_count, 2);
	assert_the_same(heap, plain);
	heap_free(heap);
	heap_free(plain);
	heap_free(old);
	index_close(index);
	dump_free(&was);
	dump_free(&is);
}

TEST(test_an_index_without_objects)
{
	SCOPED_DUMP w;
	struct err err = {0};
	make_dump(&w, 1, true);
	w.out.len--; /* the end record: an incomplete dump is not saved */
	struct heap *plain = dump_heap(&w);
	struct index_file *index = index_of(plain);
	struct heap *heap = heap_read_indexed(&w.input, index, NULL, &err);
	assert_int_equal(heap_object_count(heap), heap_object_count(plain));
	assert_int_equal(heap->warning_count, plain->warning_count);
	heap_free(heap);
	heap_free(plain);
	index_close(index);
}

static int make_file(void **state)
{
	(void)state;
	int fd = mkstemp(path);
	return fd < 0 || close(fd) != 0;
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

TESTS_WITH(make_file, remove_file);
