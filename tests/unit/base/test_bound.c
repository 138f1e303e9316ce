/* Sorting by a number, and searching what is sorted. */
#include "base/bound.h"

#include "cmocka_all.h"

struct row {
	uint64_t wide;
	uint32_t narrow;
};

TEST(sorts_by_a_wide_and_a_narrow_field)
{
	struct row rows[] = {{3, 20}, {UINT64_MAX, 10}, {0, UINT32_MAX}, {7, 0}};
	bound_sort(rows, 4, BOUND_BY(struct row, wide));
	assert_int_equal(rows[0].wide, 0);
	assert_int_equal(rows[1].wide, 3);
	assert_int_equal(rows[2].wide, 7);
	assert_int_equal(rows[3].narrow, 10);
	bound_sort(rows, 4, BOUND_BY(struct row, narrow));
	assert_int_equal(rows[0].wide, 7);
	assert_int_equal(rows[3].wide, 0);
	assert_int_equal(lower_bound(rows, 4, BOUND_BY(struct row, narrow), 11), 2);
}

TEST(sorts_numbers_and_nothing)
{
	uint32_t numbers[] = {5, 1, 4};
	bound_sort(numbers, 3, BOUND_ITSELF(uint32_t));
	assert_int_equal(numbers[0], 1);
	assert_int_equal(numbers[2], 5);
	bound_sort(NULL, 0, BOUND_ITSELF(uint32_t));
}
