/* Compressed offsets of elements: as stored, in one sequence or in two parts. */
#include "cmocka_all.h"

#include "base/starts.h"

enum { COUNT = 1000, SEEDS = 200 };

static uint32_t random_below(uint64_t *state, uint32_t end)
{
	*state = *state * 6364136223846793005 + 1442695040888963407;
	return (uint32_t)(*state >> 33) % end;
}

/* Most values are near each other, some far. */
static void make_values(uint32_t *values, uint64_t seed)
{
	uint64_t state = seed;
	values[0] = 0;
	for (uint32_t i = 1; i < COUNT; i++)
		values[i] = values[i - 1] + random_below(&state, i % 97 ? 5 : 1000);
}

static void assert_values(const struct starts *starts, const uint32_t *values)
{
	for (uint32_t i = 0; i < COUNT; i++)
		assert_int_equal(starts_at(starts, i), values[i]);
}

TEST(in_one_row)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct starts_maker maker;
		uint32_t values[COUNT];
		make_values(values, seed);
		starts_begin(&maker, COUNT);
		for (uint32_t i = 0; i < COUNT; i++)
			starts_put(&maker, values[i]);
		struct starts starts = starts_end(&maker);
		assert_values(&starts, values);
		assert_true(starts.far.ranks.count > 0);
		starts_fini(&starts);
	}
}

/* The second part is stored before the first, counts from 0, and more may follow it. */
TEST(in_two_parts)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct starts_maker maker, part;
		uint32_t values[COUNT], from = STARTS_APART * (uint32_t)(seed % (COUNT / STARTS_APART));
		uint32_t end = from + (uint32_t)(seed * 31) % (COUNT - from);
		make_values(values, seed);
		uint32_t before = values[from] - (values[from] ? 1 : 0);
		starts_begin(&maker, COUNT);
		starts_begin_part(&part, &maker, from);
		for (uint32_t i = from; i < end; i++)
			starts_put(&part, values[i] - before);
		for (uint32_t i = 0; i < from; i++)
			starts_put(&maker, values[i]);
		starts_take_part(&maker, &part, before);
		starts_end_part(&part);
		for (uint32_t i = end; i < COUNT; i++)
			starts_put(&maker, values[i]);
		struct starts starts = starts_end(&maker);
		assert_values(&starts, values);
		starts_fini(&starts);
	}
}
