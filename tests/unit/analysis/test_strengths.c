/* References with places and strengths: a format of its own lists them, one letter a strength. */
#include "cmocka_all.h"

#include "analysis/reach.h"
#include "base/plugin.h"
#include "format/format.h"
#include "format/runtime.h"
#include "heap/dump_heap.h"
#include "heap/edges.h"
#include "heap/object_ids.h"
#include "heap/pointer_walk.h"
#include "heap/reference.h"
#include "heap/root.h"

#include <string.h>

static const char content[] = "strengths";

enum { A = 10, B = 20, C = 30, D = 40, E = 50, F = 60, LOST = 70, ELEMENTS = 100 };

static const struct {
	uint64_t from, to;
	uint32_t place;
	uint8_t strength;
} told[] = {
	{A, F, 0, STRENGTH_WEAK},
	{A, B, 1, STRENGTH_STRONG},
	{A, LOST, 2, STRENGTH_STRONG},
	{A, C, 3, STRENGTH_SOFT},
	{A, B, 4, STRENGTH_STRONG},
	{B, D, 5, STRENGTH_EPHEMERON},
	{C, D, 6, STRENGTH_STRONG},
	{D, E, 7, STRENGTH_WEAK},
	{E, F, ELEMENTS + 9, STRENGTH_STRONG},
	{F, E, PLACE_NONE, STRENGTH_WEAK},
};
enum { TOLD = sizeof told / sizeof *told };

static bool strengths_probe(const struct format *format, const uint8_t *data, size_t size)
{
	(void)format;
	return size >= sizeof content - 1 && memcmp(data, content, sizeof content - 1) == 0;
}

static struct reader *strengths_read(const struct format *format, const struct input *input,
                                     const struct sink *sink, struct progress *progress,
                                     struct err *err)
{
	(void)format, (void)progress, (void)err;
	const struct domain_record domain = {0};
	/* One takes no bytes, one takes more than 32 bits can count. */
	static const uint64_t sizes[] = {8, 0, 16, UINT64_C(5) << 32, 32, 64};
	sink->domain(sink->self, &domain);
	for (uint32_t i = 0; i < 6; i++)
		sink->log(sink->self, &(struct log_object_record){
								  .id = (6 - i) * 10ULL, .size = sizes[5 - i], .handle = 6 - i});
	sink->log_root(sink->self, &(struct log_root_record){.id = A, .kind = LOG_HANDLE});
	sink->end(sink->self, input->size);
	return (struct reader *)(uintptr_t)content;
}

static void strengths_references(const struct reader *reader, uint64_t offset, uint32_t handle,
                                 struct listed_references *references)
{
	(void)reader, (void)offset;
	for (size_t i = 0; i < TOLD; i++)
		if (told[i].from == handle * 10)
			listed_references_add(
				references, (struct listed_reference){told[i].to, told[i].place, told[i].strength});
}

static bool strengths_place(const struct reader *reader, uint32_t place, struct buf *name,
                            uint64_t *index)
{
	(void)reader;
	if (place >= ELEMENTS) {
		*index = place - ELEMENTS;
		return false;
	}
	buf_addf(name, "place %u", (unsigned)place);
	return true;
}

static void strengths_close(struct reader *reader)
{
	(void)reader;
}

static const struct listed_root_kind strengths_kinds[LOG_KINDS + 1] = {
	[LOG_HANDLE] = {"held", "a handle of the test"},
};

static const struct runtime strengths_runtime;

static const struct format format_strengths = {
	.rank = 1,
	.name = "strengths",
	.noun = "test",
	.runtime = &strengths_runtime,
	.root_kinds = strengths_kinds,
	.probe = strengths_probe,
	.read = strengths_read,
	.references = strengths_references,
	.place = strengths_place,
	.close = strengths_close,
};
PLUGIN(formats, format_strengths);

/* Twice as long as there are references, as files of listed objects are. */
static uint8_t padded[4 * TOLD];
static const struct input input = {.data = padded, .size = sizeof padded, .fd = -1};

static struct heap *strengths_heap(void)
{
	memcpy(padded, content, sizeof content);
	struct heap *heap = heap_read(&input, NULL, NULL);
	assert_non_null(heap);
	assert_true(heap_link(heap, NULL, NULL));
	assert_true(heap_reverse(heap, NULL));
	return heap;
}

static void is_reference(const struct heap *heap, uint64_t from, size_t number, uint64_t to,
                         uint32_t place, enum strength strength)
{
	struct reference reference = reference_at(heap, heap_find(heap, from), number);
	assert_int_equal(heap_address(heap, reference.target), to);
	assert_int_equal(reference.place, place);
	assert_int_equal(reference.strength, strength);
}

TEST(references_have_places_and_strengths)
{
	SCOPED_HEAP heap = strengths_heap();
	struct reference reference;
	SCOPED_BUF name = {0};
	uint64_t index;
	uint32_t a = heap_find(heap, A);
	assert_int_equal(reference_count(heap, a), 4);
	is_reference(heap, A, 0, B, 1, STRENGTH_STRONG);
	is_reference(heap, A, 1, C, 3, STRENGTH_SOFT);
	is_reference(heap, A, 2, B, 4, STRENGTH_STRONG);
	is_reference(heap, A, 3, F, 0, STRENGTH_WEAK);
	is_reference(heap, B, 0, D, 5, STRENGTH_EPHEMERON);
	is_reference(heap, F, 0, E, PLACE_NONE, STRENGTH_WEAK);
	assert_int_equal(heap->dangling_count, 1);
	assert_int_equal(heap->edge_count, 5);
	assert_int_equal(reference_offset(heap, a, heap_find(heap, B), 1), PLACE_NUMBER | 2);
	assert_int_equal(reference_offset(heap, a, heap_find(heap, F), 0), PLACE_NUMBER | 3);
	assert_int_equal(reference_offset(heap, a, heap_find(heap, B), 2), UINT64_MAX);
	assert_true(reference_numbered(heap, a, PLACE_NUMBER | 3, &reference));
	assert_false(reference_numbered(heap, a, PLACE_NUMBER | 4, &reference));
	assert_false(reference_numbered(heap, a, 3, &reference));
	assert_false(reference_numbered(heap, a, UINT64_MAX, &reference));
	assert_true(reference_add_place(heap, 3, &name, &index));
	assert_string_equal(buf_text(&name), "place 3");
	assert_false(reference_add_place(heap, ELEMENTS + 9, &name, &index));
	assert_int_equal(index, 9);
}

TEST(pointers_tell_their_numbers)
{
	SCOPED_HEAP heap = strengths_heap();
	struct object_record record;
	struct pointer_walk walk;
	struct pointer pointer;
	assert_true(heap_object(heap, heap_find(heap, A), &record));
	pointer_walk_object(&walk, heap, &record);
	for (uint64_t i = 0; i < 3; i++) {
		assert_true(pointer_walk_next(&walk, &pointer));
		assert_int_equal(pointer.offset, PLACE_NUMBER | i);
	}
	assert_false(pointer_walk_next(&walk, &pointer));
}

TEST(only_strong_and_soft_references_retain)
{
	SCOPED_HEAP heap = strengths_heap();
	struct reach *reach = reach_new(heap, NULL, NULL, NULL);
	static const uint64_t alive[] = {A, B, C, D};
	for (size_t i = 0; i < 4; i++)
		assert_true(reach_has(reach, heap_find(heap, alive[i])));
	assert_int_equal(reach->objects, 4);
	assert_int_equal(reach->bytes, 8 + 0 + 16 + (UINT64_C(5) << 32));
	/* D by its key C, not by its table B */
	assert_int_equal(reach->parent[heap_find(heap, D)], heap_find(heap, C));
	assert_int_equal(reach->weak_objects, 2);
	assert_int_equal(reach->weak_bytes, 32 + 64);
	assert_true(reach_is_by_reference(reach, heap_find(heap, E)));
	assert_int_equal(reach_before(reach, heap_find(heap, F)), heap_find(heap, A));
	assert_int_equal(heap_referrers(heap, heap_find(heap, E)).count, 0);
	reach_free(reach);
}

TEST(roots_have_the_words_of_the_format)
{
	SCOPED_HEAP heap = strengths_heap();
	assert_string_equal(heap_root_kind(heap, ROOT_HANDLE), "held");
	assert_null(heap_root_kind(heap, ROOT_STATIC));
	assert_string_equal(heap_root_kind(heap, ROOT_DATA), "data");
}
