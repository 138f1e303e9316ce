/* The hash map. tests/damage shows that no file can choose colliding keys. */
#include "base/hash.h"
#include "base/map.h"

#include "cmocka_all.h"

enum { KEYS = 20000 };

static uint64_t some_key(uint64_t i)
{
	return i * i * 0x10001 + (i << 40);
}

TEST(what_is_put_is_there)
{
	struct map map = {0};
	uint64_t value;
	assert_false(map_get(&map, 0, &value));
	for (uint64_t i = 0; i < KEYS; i++)
		map_put(&map, some_key(i), i);
	assert_int_equal(map.count, KEYS);
	for (uint64_t i = 0; i < KEYS; i++) {
		assert_true(map_get(&map, some_key(i), &value));
		assert_int_equal(value, i);
		assert_false(map_get(&map, some_key(i) + 1, &value));
	}
	map_free(&map);
	assert_false(map_get(&map, some_key(1), &value));
}

TEST(a_key_has_one_value)
{
	struct map map = {0};
	uint64_t value;
	for (uint64_t i = 0; i < 100; i++)
		map_put(&map, i % 10, i);
	assert_int_equal(map.count, 10);
	assert_true(map_get(&map, 3, &value));
	assert_int_equal(value, 93);
	map_free(&map);
}

TEST(zero_is_a_key)
{
	struct map map = {0};
	uint64_t value = 1;
	map_put(&map, 0, 7);
	assert_int_equal(map.count, 1);
	assert_false(map_get(&map, 1, &value));
	assert_true(map_get(&map, 0, &value));
	assert_int_equal(value, 7);
	map_put(&map, 1, 0);
	map_put(&map, 0, 8);
	assert_int_equal(map.count, 2);
	assert_true(map_get(&map, 1, &value));
	assert_int_equal(value, 0);
	assert_true(map_get(&map, 0, &value));
	assert_int_equal(value, 8);
	map_free(&map);
	assert_false(map_get(&map, 0, &value));
}

TEST(the_multiplier_stays)
{
	uint64_t multiplier = hash_multiplier();
	assert_int_equal(multiplier % 2, 1); /* an even one would lose keys */
	assert_int_equal(hash_multiplier(), multiplier);
}
