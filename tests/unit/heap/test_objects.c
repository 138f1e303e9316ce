/* The object table compared with a plain list of the same objects. */
#include "heap/objects.h"
#include "heap/objects_table.h"

#include "cmocka_all.h"
#include "xorshift.h"

#include <stdlib.h>

static uint64_t seed = 88172645463325252;

struct plain {
	uint64_t slot, size, offset;
};

static int by_slot(const void *a, const void *b)
{
	const struct plain *x = a, *y = b;
	return x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* Makes spans like those of Go: pages of one size class with free slots, in any order, here and
   there a large object. */
static size_t make_spans(struct plain *plain, size_t spans, uint64_t base)
{
	static const uint64_t sizes[] = {8,    16,   24,   48,   64,   112,  512,
	                                 1024, 1408, 3072, 8192, 9472, 40960};
	size_t count = 0;
	for (size_t s = 0; s < spans; s++) {
		uint64_t size = sizes[xorshift_next(&seed) % (sizeof sizes / sizeof *sizes)];
		uint64_t start = base + (s * 7 % spans) * 65536, end = start + 57344;
		uint64_t density = 1 + xorshift_next(&seed) % 100;
		for (uint64_t slot = start; slot + size <= end && count < 200000; slot += size)
			if (xorshift_next(&seed) % 100 < density)
				plain[count++] = (struct plain){slot, size, 0};
	}
	return count;
}

static struct objects *build(struct plain *plain, size_t count)
{
	struct objects *objects = objects_new();
	uint64_t offset = 100;
	for (size_t i = 0; i < count; i++) {
		struct object_record r = {.offset = offset, .slot = plain[i].slot, .size = plain[i].size};
		plain[i].offset = offset;
		offset = r.end = offset + r.size + 10;
		assert_true(objects_add(objects, &r));
		if (xorshift_next(&seed) % 50 == 0)
			offset += 5; /* another record between them */
	}
	assert_int_equal(objects_build(objects), 0);
	return objects;
}

TEST(every_address_gives_its_object)
{
	static struct plain plain[200000];
	size_t count = make_spans(plain, 120, 0xc000000000);
	struct objects *objects = build(plain, count);
	qsort(plain, count, sizeof *plain, by_slot);
	assert_int_equal(objects_count(objects), count);
	for (size_t i = 0; i < count; i++) {
		struct object_place place;
		uint64_t last = plain[i].slot + plain[i].size - 1;
		uint64_t inside = plain[i].slot + xorshift_next(&seed) % plain[i].size;
		assert_int_equal(objects_find(objects, plain[i].slot), i);
		assert_int_equal(objects_find(objects, last), i);
		assert_int_equal(objects_find(objects, inside), i);
		if (i + 1 == count || plain[i + 1].slot > last + 1)
			assert_int_equal(objects_find(objects, last + 1), OBJECT_NONE);
		objects_place(objects, (uint32_t)i, &place);
		assert_int_equal(place.slot, plain[i].slot);
		assert_int_equal(place.size, plain[i].size);
		assert_true(place.offset <= plain[i].offset);
		assert_true(place.skip < 64);
	}
	assert_int_equal(objects_find(objects, 0), OBJECT_NONE);
	assert_int_equal(objects_find(objects, UINT64_MAX), OBJECT_NONE);
	objects_free(objects);
}

TEST(many_are_found_as_one_by_one)
{
	static struct plain plain[200000];
	static uint64_t addresses[10000];
	static uint32_t ids[10000];
	size_t count = make_spans(plain, 60, 0x2ad5d8f00000);
	struct objects *objects = build(plain, count);
	for (size_t i = 0; i < 10000; i++)
		addresses[i] = 0x2ad5d8f00000 + xorshift_next(&seed) % (62 * 65536);
	objects_find_many(objects, addresses, ids, 10000);
	size_t free_slots = 0;
	for (size_t i = 0; i < 10000; i++) {
		uint32_t id = objects_find(objects, addresses[i]);
		if (ids[i] < OBJECT_FREE)
			assert_int_equal(ids[i], id);
		else
			assert_int_equal(id, OBJECT_NONE);
		assert_int_equal(ids[i] == OBJECT_NONE, !objects_has_page(objects, addresses[i]));
		free_slots += ids[i] == OBJECT_FREE;
	}
	assert_true(free_slots > 0);
	objects_free(objects);
}

TEST(sizes_sum_up)
{
	static struct plain plain[200000];
	size_t count = make_spans(plain, 60, 0xc000000000);
	struct objects *objects = build(plain, count);
	size_t kinds;
	struct objects_size_row *rows = objects_sizes(objects, &kinds);
	uint64_t total = 0, bytes = 0, expected = 0;
	for (size_t i = 0; i < kinds; i++) {
		total += rows[i].count;
		bytes += rows[i].count * rows[i].size;
		assert_true(i == 0 || rows[i].size > rows[i - 1].size);
	}
	for (size_t i = 0; i < count; i++)
		expected += plain[i].size;
	free(rows);
	assert_int_equal(total, count);
	assert_int_equal(bytes, expected);
	assert_int_equal(objects_bytes(objects), expected);
	objects_free(objects);
}

TEST(odd_objects_are_refused)
{
	struct objects *objects = objects_new();
	assert_false(objects_add(objects, &(struct object_record){.slot = 0x1000, .size = 0}));
	assert_false(objects_add(objects, &(struct object_record){.slot = UINT64_MAX - 7, .size = 16}));
	assert_int_equal(objects_build(objects), 0);
	assert_int_equal(objects_count(objects), 0);
	assert_int_equal(objects_find(objects, 0x1000), OBJECT_NONE);
	objects_free(objects);
}

/* One object that overlaps a row of others, and a duplicate: the row remains. */
TEST(overlapping_objects_are_left_out)
{
	struct objects *objects = objects_new();
	uint64_t offset = 0;
	for (uint64_t i = 0; i < 10; i++, offset += 20)
		objects_add(objects, &(struct object_record){.slot = 0x10000 + 16 * i,
		                                             .size = 16,
		                                             .offset = offset,
		                                             .end = offset + 20});
	objects_add(objects,
	            &(struct object_record){.slot = 0x10008, .size = 64, .offset = 500, .end = 600});
	objects_add(objects,
	            &(struct object_record){.slot = 0x10020, .size = 16, .offset = 700, .end = 720});
	assert_int_equal(objects_build(objects), 2);
	assert_int_equal(objects_count(objects), 10);
	for (uint32_t i = 0; i < 10; i++)
		assert_int_equal(objects_find(objects, 0x10000 + 16 * i + 15), i);
	objects_free(objects);
}

TEST(pages_anywhere_cost_little)
{
	struct page_table *table = page_table_new();
	uint64_t pages[2000];
	for (uint32_t i = 0; i < 2000; i++) {
		pages[i] = (xorshift_next(&seed) >> 13) & ~(uint64_t)1;
		page_table_add(table, pages[i], (struct page_slots){.run = i, .span = 1});
		if (i % 2)
			page_table_add(table, pages[i], (struct page_slots){.run = i + 1, .span = 1});
	}
	for (uint32_t i = 0; i < 2000; i++) {
		assert_int_equal(page_table_find(table, pages[i])->run, i);
		assert_int_equal(page_table_find(table, pages[i])->span, i % 2 ? 0 : 1);
		assert_null(page_table_find(table, pages[i] + 1));
	}
	assert_true(page_table_memory(table) < 2000 * 1024);
	page_table_free(table);
}
