/* Linking in two halves, as for large heaps, compared with linking as a whole; and by the outline
   that reading leaves, compared with decoding the objects again. */
#include "cmocka_all.h"

#include "format/dump_writer.h"
#include "heap/columns.h"
#include "heap/edges.h"
#include "heap/outline.h"
#include "heap/region.h"

#include <stdlib.h>
#include <string.h>

enum { SEEDS = 400, PAGES = 16, PAGE = 8192, MOST = 160, FIELDS = 512 };

/* Objects of one page have one size, and form a run; those of a bare page have no pointers. */
struct pages {
	unsigned seed;
	uint64_t count, objects[PAGES], size[PAGES];
	bool bare[PAGES];
};

static uint64_t link_random(struct pages *pages, uint64_t below)
{
	return (uint64_t)rand_r(&pages->seed) % below;
}

static struct pages link_pages(unsigned seed)
{
	static const uint64_t sizes[] = {8, 16, 64, 512, 4096};
	struct pages pages = {.seed = seed};
	pages.count = 1 + link_random(&pages, PAGES);
	for (uint64_t i = 0; i < pages.count; i++) {
		pages.size[i] = sizes[link_random(&pages, 5)];
		pages.objects[i] = 1 + link_random(&pages, link_random(&pages, 3) ? 16 : MOST);
		if (pages.objects[i] > PAGE / pages.size[i])
			pages.objects[i] = PAGE / pages.size[i];
		pages.bare[i] = link_random(&pages, 3) == 0;
	}
	return pages;
}

/* Returns a pointer to any object, past the last one of a page, or to no page. */
static uint64_t link_pointer(struct pages *pages)
{
	uint64_t page = link_random(pages, pages->count + 1);
	uint64_t objects = page < pages->count ? pages->objects[page] + 1 : 1;
	uint64_t size = page < pages->count ? pages->size[page] : 8;
	return 0x100000 + page * PAGE + link_random(pages, objects) * size;
}

static void link_write(struct dump_writer *w, struct pages *pages)
{
	dump_start(w, 8, false, "go1.19.8");
	for (uint64_t page = 0; page < pages->count; page++)
		for (uint64_t i = 0; i < pages->objects[page]; i++) {
			struct dump_field fields[FIELDS];
			uint64_t words = pages->bare[page] ? 0 : pages->size[page] / 8;
			uint64_t count = link_random(pages, words + 1);
			for (uint64_t k = 0; k < count; k++)
				fields[k] = (struct dump_field){8 * k, link_pointer(pages), 0};
			dump_object(w, 0x100000 + page * PAGE + i * pages->size[page], pages->size[page],
			            fields, count);
		}
	dump_end(w);
}

static struct heap *link_from(const struct input *input, uint32_t parts_from)
{
	struct err err = {0};
	uint32_t before = heap_link_parts_from;
	struct heap *heap = heap_read(input, NULL, &err);
	assert_non_null(heap);
	heap_link_parts_from = parts_from;
	bool done = heap_link(heap, NULL, &err);
	heap_link_parts_from = before;
	assert_true(done);
	return heap;
}

static void assert_same_links(const struct heap *one, const struct heap *two)
{
	assert_int_equal(two->edge_count, one->edge_count);
	assert_int_equal(two->dangling_count, one->dangling_count);
	for (uint32_t id = 0; id < heap_object_count(one); id++) {
		struct ids of_one = heap_references(one, id), of_two = heap_references(two, id);
		assert_int_equal(of_two.count, of_one.count);
		if (of_one.count)
			assert_memory_equal(of_two.id, of_one.id, of_one.count * sizeof *of_one.id);
	}
}

TEST(two_halves_find_what_one_finds)
{
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		struct pages pages = link_pages(seed);
		SCOPED_DUMP w;
		link_write(&w, &pages);
		struct input input = dump_input(&w);
		struct heap *one = link_from(&input, UINT32_MAX), *two = link_from(&input, 0);
		assert_same_links(one, two);
		heap_free(one);
		heap_free(two);
	}
}

static void assert_same_region(const struct regions *one, const struct regions *two, uint32_t id)
{
	struct region of_one, of_two;
	regions_get(one, id, &of_one);
	regions_get(two, id, &of_two);
	assert_int_equal(of_two.address, of_one.address);
	assert_int_equal(of_two.size, of_one.size);
	assert_ptr_equal(of_two.data, of_one.data);
	assert_int_equal(of_two.header, of_one.header);
	assert_int_equal(of_two.noscan, of_one.noscan);
	for (uint64_t at = 0; at + one->width <= of_one.size; at += one->width)
		assert_int_equal(region_points(two, &of_two, at), region_points(one, &of_one, at));
}

static void assert_same_regions(const struct heap *one, const struct heap *two)
{
	struct regions of_one, of_two;
	assert_true(regions_init(&of_one, one, NULL) && regions_init(&of_two, two, NULL));
	for (uint32_t id = 0; id < heap_object_count(one) + of_one.segments + of_one.frames; id++)
		assert_same_region(&of_one, &of_two, id);
	assert_memory_equal(of_two.run_noscan, of_one.run_noscan, objects_run_count(one->objects));
	regions_fini(&of_one);
	regions_fini(&of_two);
}

/* Reads each `step`-th object. */
static void assert_same_records(const struct heap *one, const struct heap *two, uint32_t step)
{
	struct object_reader of_one = {.heap = one}, of_two = {.heap = two};
	struct object_record a, b;
	for (uint32_t id = 0; id < heap_object_count(one); id += step) {
		uint64_t in_a = 0, in_b = 0;
		assert_true(object_reader_read(&of_one, id, &a) && object_reader_read(&of_two, id, &b));
		assert_int_equal(b.slot, a.slot);
		assert_int_equal(b.size, a.size);
		assert_int_equal(b.stored, a.stored);
		assert_int_equal(b.header, a.header);
		assert_ptr_equal(b.data, a.data);
		while (fields_next(&a.fields, &in_a)) {
			assert_true(fields_next(&b.fields, &in_b));
			assert_int_equal(in_b, in_a);
		}
		assert_false(fields_next(&b.fields, &in_b));
	}
}

/* Of lists, one in `odd` has its fields in another order. */
static void outline_write(struct dump_writer *w, struct pages *pages, unsigned odd)
{
	link_write(w, pages);
	if (pages->seed % odd)
		return;
	struct dump_field fields[] = {{8, link_pointer(pages), 0}, {0, link_pointer(pages), 0}};
	w->out.len--; /* the end record */
	dump_object(w, 0x100000 + PAGES * PAGE, 16, fields, 2);
	dump_end(w);
}

TEST(outline_tells_what_records_tell)
{
	unsigned used = 0;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		struct pages pages = link_pages(seed);
		SCOPED_DUMP w;
		struct err err = {0};
		outline_write(&w, &pages, 8);
		struct input input = dump_input(&w);
		struct heap *one = heap_read(&input, NULL, &err), *two = heap_read(&input, NULL, &err);
		used += one->columns->outline != NULL;
		outline_free(two->columns->outline);
		two->columns->outline = NULL;
		assert_true(heap_link(one, NULL, &err) && heap_link(two, NULL, &err));
		assert_same_links(one, two);
		assert_same_regions(one, two);
		for (uint32_t step = 1; step < 100; step *= 3)
			assert_same_records(one, two, step);
		heap_free(one);
		heap_free(two);
	}
	assert_true(used > SEEDS / 2 && used < SEEDS);
}
