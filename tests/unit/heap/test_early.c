/* The early format of Go 1.3, according to its description: all of its records, found roots, frames
   by their parents. No real files of it exist. */
#include "heap/dump_heap.h"
#include "heap/edges.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

enum { A = 0x100000, TYPE = 0x5000, SCALAR = 0x5100, BOXED = 0x5200, FP = 0x7000 };

static void put(struct dump_writer *w, const uint64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		dump_uvarint(w, values[i]);
}

#define PUT(...) \
	put(w, (uint64_t[]){__VA_ARGS__}, sizeof(uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

static void words(struct dump_writer *w, const uint64_t *values, size_t count)
{
	dump_uvarint(w, 8 * count);
	buf_add_bytes(&w->out, values, 8 * count); /* the test skips on machines with another byte order
	                                            */
}

/* Writes these objects: 0 an array of {pointer, scalar} x 2; 1 a channel of pointers; 2 a pair of
   interfaces, one with a scalar that looks like an address; 3, 4, 5 targets without type. */
static void write_sample(struct dump_writer *w)
{
	*w = (struct dump_writer){.pointer_size = 8};
	buf_add(&w->out, "go1.3 heap dump\n");
	PUT(10, 0, 8, 16, A, A + 0x10000);
	PUT(12, 0x6000, 1);
	PUT(7, TYPE, 16);
	dump_text(w, "main.T");
	PUT(1, 1, 0, 0);
	PUT(7, SCALAR, 8);
	dump_text(w, "main.Small");
	PUT(0, 0);
	PUT(7, BOXED, 32);
	dump_text(w, "main.Pair");
	PUT(1, 2, 3, 0, 4, 16);
	PUT(1, A, TYPE, 1);
	words(w, (uint64_t[]){A + 192, A + 256, A + 256, A + 256}, 4);
	PUT(1, A + 64, TYPE, 2);
	words(w, (uint64_t[]){A, A, A + 320, 0}, 4);
	PUT(1, A + 128, BOXED, 0);
	words(w, (uint64_t[]){0x6000, A + 192, SCALAR, A + 256}, 4);
	for (uint64_t i = 3; i < 6; i++) {
		PUT(1, A + 64 * i, 0, 0);
		words(w, (uint64_t[]){1, 2}, 2);
	}
	PUT(9, FP + 64, 0, 0x401000, 0x401010);
	dump_text(w, "main.main");
	PUT(9, FP, FP + 64, 0x402000, 0x402020);
	dump_text(w, "main.inner");
	PUT(8, 0x9000, FP, 7, 0x403000, 4, 0, 0, 55);
	dump_text(w, "chan receive");
	PUT(4, FP + 72, A, FP + 64);
	PUT(5, 0x8000, A + 64);
	PUT(6);
	dump_text(w, "runtime thing");
	PUT(A + 128);
	PUT(11, A + 128, 0, 0x404000, 0, 0);
	PUT(3);
}

static bool refers(const struct heap *heap, uint64_t from, uint64_t to)
{
	struct ids ids = heap_references(heap, heap_find(heap, from));
	for (size_t i = 0; i < ids.count; i++)
		if (ids.id[i] == heap_find(heap, to))
			return true;
	return false;
}

TEST(everything_is_read)
{
	SCOPED_DUMP w;
	write_sample(&w);
	SCOPED_HEAP heap = dump_linked(&w);
	assert_string_equal(heap->format->name, "go1.3-early");
	assert_int_equal(heap->warning_count, 0);
	assert_true(heap->complete);
	assert_int_equal(heap_object_count(heap), 6);
	assert_true(refers(heap, A, A + 192) && refers(heap, A, A + 256)); /* both elements, only the
	                                                                      pointers */
	assert_int_equal(heap_references(heap, heap_find(heap, A)).count, 2);
	assert_true(refers(heap, A + 64, A + 320)); /* after the channel's header */
	assert_int_equal(heap_references(heap, heap_find(heap, A + 64)).count, 1);
	assert_true(refers(heap, A + 128, A + 192));  /* the itab's data word is a pointer */
	assert_false(refers(heap, A + 128, A + 256)); /* the type's data word is a scalar */
}

TEST(roots_show_their_frames)
{
	SCOPED_DUMP w;
	write_sample(&w);
	SCOPED_HEAP heap = dump_linked(&w);
	assert_int_equal(heap->thread_count, 1);
	assert_int_equal(heap->threads[0].frames, 2);
	assert_true(text_is(heap->frames[0].record.function, "main.inner"));
	assert_true(text_is(heap->frames[1].record.function, "main.main"));
	assert_int_equal(heap->frames[1].roots, 1);
	const struct root *local = &heap->roots[heap->frames[1].first_root];
	assert_int_equal(local->target, heap_find(heap, A));
	assert_int_equal(local->address, FP + 72);
	assert_int_equal(heap->root_kind_first[ROOT_BSS] - heap->root_kind_first[ROOT_DATA], 1);
	assert_int_equal(heap->root_kind_first[ROOT_KINDS] - heap->root_kind_first[ROOT_OTHER], 1);
}

/* Frames that are each other's parents, and a goroutine that begins at another frame. */
TEST(frames_of_nobody_keep_their_roots)
{
	struct dump_writer writer = {.pointer_size = 8}, *w = &writer;
	buf_add(&w->out, "go1.3 heap dump\n");
	PUT(10, 0, 8, 16, A, A + 0x10000);
	PUT(1, A, 0, 0);
	words(w, (uint64_t[]){1, 2}, 2);
	PUT(9, FP, FP + 64, 0x402000, 0x402020);
	dump_text(w, "main.one");
	PUT(9, FP + 64, FP, 0x401000, 0x401010);
	dump_text(w, "main.other");
	PUT(8, 0x9000, FP + 128, 7, 0x403000, 4, 0, 0, 55);
	dump_text(w, "select");
	PUT(4, FP + 72, A, FP + 64);
	PUT(3);
	struct heap *heap = dump_linked(w);
	assert_int_equal(heap->frame_count, 2);
	assert_int_equal(heap->frames[0].thread, UINT32_MAX);
	assert_int_equal(heap->threads[0].frames, 0);
	assert_int_equal(heap->warning_count, 1);
	assert_int_equal(heap->root_count, 1);
	assert_int_equal(heap->roots[0].holder, 1);
	heap_free(heap);
	dump_free(w);
}

TEST(cut_files_are_read_as_far_as_they_go)
{
	SCOPED_DUMP w;
	write_sample(&w);
	struct input whole = dump_input(&w);
	for (size_t size = 17; size < whole.size; size++) {
		struct err err = {0};
		uint8_t *copy = malloc(size);
		memcpy(copy, whole.data, size);
		struct input input = {.path = "t", .data = copy, .size = size, .fd = -1};
		struct heap *heap = heap_read(&input, NULL, &err);
		if (heap) {
			assert_true(heap_link(heap, NULL, &err));
			assert_false(heap->complete);
			assert_true(heap->warning_count >= 1);
		} else {
			assert_true(err.set);
		}
		heap_free(heap);
		free(copy);
	}
}
