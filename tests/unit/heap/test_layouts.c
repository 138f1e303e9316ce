/* The meaning of fields in the layouts before Go 1.7, and files that are damaged in the middle. */
#include "heap/dump_heap.h"
#include "heap/edges.h"

#include "cmocka_all.h"

#include <string.h>

enum { A = 0x100000, TYPE = 0x5000, SCALAR_TYPE = 0x5100, ITAB = 0x6000, SCALAR_ITAB = 0x6100 };

static size_t references(const struct heap *heap, uint64_t from, uint64_t to)
{
	struct ids ids = heap_references(heap, heap_find(heap, from));
	size_t count = 0;
	for (size_t i = 0; i < ids.count; i++)
		count += ids.id[i] == heap_find(heap, to);
	return count;
}

static void check_rest(struct dump_writer *w, const char *name)
{
	const struct dump_field field = {0, A, 0};
	dump_goroutine(w, 7, 4, 1000, "chan receive");
	dump_frame(w, 0x7000, 0, "main.inner", 0x401234, 32, &field, 1);
	dump_frame(w, 0x7020, 1, "main.main", 0x402234, 32, &field, 1);
	dump_segment(w, true, 0x8000, 64, &field, 1);
	dump_end(w);
	struct heap *heap = dump_linked(w);
	assert_string_equal(heap->format->name, name);
	assert_int_equal(heap->warning_count, 0);
	assert_true(heap->complete);
	assert_int_equal(heap->frame_count, 2);
	assert_true(text_is(heap->frames[1].record.function, "main.main"));
	assert_int_equal(heap->root_count, 3);
	assert_true(text_is(heap->params.arch, "amd64"));
	heap_free(heap);
	dump_free(w);
}

/* Both have the same header; only frames differ. */
TEST(layouts_are_told_apart)
{
	static const struct {
		enum dump_layout layout;
		const char *name;
	} layouts[] = {
		{DUMP_6, "go1.6"}, {DUMP_5, "go1.5"},          {DUMP_4, "go1.4"},
		{DUMP_3, "go1.3"}, {DUMP_3BETA, "go1.3beta1"},
	};
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
		struct dump_writer w;
		dump_start_old(&w, layouts[i].layout, 8);
		if (layouts[i].layout >= DUMP_3)
			dump_typed_object(&w, A, 64, 0, 0, NULL, 0);
		else
			dump_object(&w, A, 64, NULL, 0);
		check_rest(&w, layouts[i].name);
	}
}

/* Go 1.4: 1 pointer, 2 and 3 interfaces, at the offset of their first word. */
TEST(interfaces_of_14_point_with_their_second_word)
{
	const struct dump_field fields[] = {
		{0, A + 64, 1}, {8, A + 128, 2}, {16, A + 192, 0}, {24, A + 128, 3}, {32, A + 64, 0},
	};
	const struct dump_field list[] = {fields[0], fields[1], fields[3]};
	SCOPED_DUMP w;
	dump_start_old(&w, DUMP_4, 8);
	dump_uvarint(&w, 1);
	dump_uvarint(&w, A);
	dump_uvarint(&w, 64);
	uint64_t words[8] = {A + 64, A + 128, A + 192, A + 128, A + 64};
	buf_add_bytes(&w.out, words, sizeof words);
	for (size_t i = 0; i < 3; i++) {
		dump_uvarint(&w, list[i].kind);
		dump_uvarint(&w, list[i].offset);
	}
	dump_uvarint(&w, 0);
	for (uint64_t i = 1; i < 4; i++)
		dump_object(&w, A + 64 * i, 64, NULL, 0);
	dump_end(&w);
	SCOPED_HEAP heap = dump_linked(&w);
	assert_int_equal(references(heap, A, A + 64), 2);  /* pointer, second interface */
	assert_int_equal(references(heap, A, A + 192), 1); /* first interface */
	assert_int_equal(references(heap, A, A + 128), 0); /* their first words are no pointers */
}

/* Go 1.3: one T, arrays, channels, memory scanned word by word; interfaces whose data is the
   value. */
TEST(objects_of_13_follow_their_types)
{
	const struct dump_field type[] = {{0, 0, 1}, {16, 0, 4}};
	const struct dump_field words[] = {
		{0, A + 512, 0},  {8, A + 576, 0},      {16, ITAB, 0},    {24, A + 640, 0},
		{32, A + 512, 0}, {48, SCALAR_ITAB, 0}, {56, A + 640, 0}, {64, A + 512, 0},
	};
	const struct dump_field efaces[] = {
		{0, SCALAR_TYPE, 0}, {8, A + 512, 0}, {16, TYPE, 0}, {24, A + 576, 0}};
	const struct dump_field pair[] = {{0, 0, 5}, {16, 0, 5}};
	SCOPED_DUMP w;
	dump_start_old(&w, DUMP_3, 8);
	dump_type(&w, TYPE, 32, "main.T", true, type, 2);
	dump_type(&w, SCALAR_TYPE, 8, "main.Small", false, NULL, 0);
	dump_type(&w, 0x5200, 32, "main.Pair", true, pair, 2);
	dump_itab(&w, ITAB, 1);
	dump_itab(&w, SCALAR_ITAB, 0);
	dump_typed_object(&w, A, 80, TYPE, 0, words, 8);
	dump_typed_object(&w, A + 80, 80, TYPE, 1, words, 8);
	dump_typed_object(&w, A + 160, 80, TYPE, 2, words, 8);
	dump_typed_object(&w, A + 240, 80, 0, 127, words, 8);
	dump_typed_object(&w, A + 320, 32, 0x5200, 0, efaces, 4);
	for (uint64_t i = 8; i < 11; i++)
		dump_typed_object(&w, A + 64 * i, 64, 0, 0, NULL, 0);
	dump_end(&w);
	SCOPED_HEAP heap = dump_linked(&w);
	assert_int_equal(references(heap, A, A + 512), 1);      /* its first element only */
	assert_int_equal(references(heap, A, A + 576), 0);      /* a scalar field */
	assert_int_equal(references(heap, A, A + 640), 1);      /* an interface */
	assert_int_equal(references(heap, A + 80, A + 512), 2); /* two whole elements fit in 80 bytes */
	assert_int_equal(references(heap, A + 80, A + 640), 1); /* the second one's interface is a
	                                                           scalar */
	assert_int_equal(references(heap, A + 160, A + 512), 0); /* elements from 16 on: 16 and 48 */
	assert_int_equal(references(heap, A + 160, A + 640), 0);
	assert_int_equal(references(heap, A + 240, A + 512), 3); /* every word */
	assert_int_equal(references(heap, A + 240, A + 640), 2);
	assert_int_equal(references(heap, A + 320, A + 512), 0); /* a scalar according to the type */
	assert_int_equal(references(heap, A + 320, A + 576), 1);
}

/* A bug of Go 1.5: a length that is the sum of two pointers, then program memory of another
   length. */
TEST(impossible_type_names_of_15_are_skipped)
{
	SCOPED_DUMP w;
	dump_start_old(&w, DUMP_5, 8);
	size_t offset = w.out.len;
	dump_uvarint(&w, 3);
	dump_uvarint(&w, TYPE);
	dump_uvarint(&w, 8);
	dump_uvarint(&w, 15000001);
	for (int i = 0; i < 3000; i++)
		buf_add(&w.out, "\1\10 text of a program");
	dump_uvarint(&w, 1);
	dump_itab(&w, ITAB, TYPE);
	for (uint64_t i = 0; i < 10; i++)
		dump_object(&w, A + 64 * i, 64, NULL, 0);
	dump_end(&w);
	SCOPED_HEAP heap = dump_linked(&w);
	assert_int_equal(heap->warning_count, 1);
	assert_int_equal(heap->warnings[0].offset, offset);
	assert_int_equal(heap->itab_count, 1);
	assert_int_equal(heap_object_count(heap), 10);
	assert_true(heap->complete);
}

/* A short write: an object's contents end too early, and everything after it is shifted. Complete
   records after the hole are found again. */
TEST(a_hole_costs_little_more_than_itself)
{
	enum { OBJECTS = 400, RECORD = 1 + 3 + 1 + 64 + 3 };
	for (size_t hole = 1; hole < 400; hole += 13) {
		if (hole % RECORD == 0)
			continue; /* complete missing records leave no trace */
		SCOPED_DUMP w;
		size_t start = 0;
		dump_start(&w, 8, false, "go1.19.8");
		for (uint64_t i = 0; i < OBJECTS; i++) {
			const struct dump_field field = {8 * (i % 4), A + 64 * ((i * 7) % OBJECTS), 0};
			if (i == 100)
				start = w.out.len;
			dump_object(&w, A + 64 * i, 64, &field, 1);
		}
		const struct dump_field global = {0, A, 0};
		dump_segment(&w, true, 0x8000, 64, &global, 1);
		dump_end(&w);
		memmove(w.out.data + start + 20, w.out.data + start + 20 + hole,
		        w.out.len - start - 20 - hole);
		w.out.len -= hole;
		SCOPED_HEAP heap = dump_linked(&w);
		assert_true(heap->complete);
		assert_true(heap->warning_count >= 1);
		assert_true(heap_object_count(heap) >= OBJECTS - 12 - hole / 60);
		assert_int_equal(heap->segment_count, 1);
	}
}
