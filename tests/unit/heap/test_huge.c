/* Objects larger than any page table: Go writes their length, but not their bytes. */
#include "cmocka_all.h"

#include "heap/objects.h"

static const uint64_t small = 0x10000, huge = 0x100000, size = (uint64_t)1 << 45;

static struct objects *make(void)
{
	struct objects *objects = objects_new();
	const struct object_record records[] = {
		{.slot = huge, .size = size, .offset = 100, .end = 200},
		{.slot = huge + size, .size = 64, .offset = 200, .end = 300},
		{.slot = small, .size = 16, .offset = 300, .end = 320},
	};
	for (size_t i = 0; i < sizeof records / sizeof *records; i++)
		assert_true(objects_add(objects, &records[i]));
	assert_int_equal(objects_build(objects), 0);
	return objects;
}

static const struct {
	uint64_t address;
	uint32_t id;
	bool has_page;
} places[] = {
	{small, 0, true},
	{small + 15, 0, true},
	{small + 16, OBJECT_FREE, true},
	{0x1000, OBJECT_NONE, false},
	{huge - 1, OBJECT_NONE, false},
	{huge, 1, true},
	{huge + size / 2, 1, true},
	{huge + size - 1, 1, true},
	{huge + size, 2, true},
	{huge + size + 64, OBJECT_FREE, true},
	{huge + 2 * size, OBJECT_NONE, false},
	{UINT64_MAX, OBJECT_NONE, false},
};
enum { PLACES = sizeof places / sizeof *places };

TEST(any_address_within_it_is_found)
{
	struct objects *objects = make();
	for (size_t i = 0; i < PLACES; i++) {
		uint32_t right = places[i].id == OBJECT_FREE ? OBJECT_NONE : places[i].id;
		assert_int_equal(objects_find(objects, places[i].address), right);
		assert_int_equal(objects_has_page(objects, places[i].address), places[i].has_page);
	}
	objects_free(objects);
}

TEST(many_addresses_are_found_at_once)
{
	struct objects *objects = make();
	uint64_t addresses[PLACES];
	uint32_t ids[PLACES];
	for (size_t i = 0; i < PLACES; i++)
		addresses[i] = places[i].address;
	objects_find_many(objects, addresses, ids, PLACES);
	for (size_t i = 0; i < PLACES; i++)
		assert_int_equal(ids[i], places[i].id);
	objects_free(objects);
}

TEST(it_costs_little)
{
	struct objects *objects = make();
	assert_in_range(objects_memory(objects), 1, 16 << 20);
	objects_free(objects);
}
