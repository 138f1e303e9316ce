/* Runs against the column that they were made from. */
#include "cmocka_all.h"

#include "base/mem.h"
#include "base/runs.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1000 };

/* Fills a column with runs whose lengths are up to `longest`. */
static void fill(uint32_t *column, size_t count, unsigned longest)
{
	for (size_t i = 0; i < count;) {
		uint32_t value = rand() % 3 ? (uint32_t)rand() : UINT32_MAX;
		for (size_t n = 1 + (size_t)rand() % longest; n > 0 && i < count; n--)
			column[i++] = value;
	}
}

static void check(size_t count, unsigned longest)
{
	size_t size = count * sizeof(uint32_t);
	uint32_t *column = mem_column(size), right[MOST];
	struct runs runs;
	fill(column, count, longest);
	memcpy(right, column, size);
	runs_take(&runs, column, count, size);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(runs_at(&runs, i), right[i]);
	uint32_t *whole = runs_column(&runs);
	assert_memory_equal(whole, right, size);
	mem_column_free(whole, size);
	runs_fini(&runs);
}

TEST(runs_are_the_column)
{
	const size_t count[] = {0, 1, 2, 63, 64, 65, 127, 128, 129, MOST};
	for (size_t i = 0; i < sizeof count / sizeof *count; i++)
		for (unsigned longest = 1; longest < 2 * MOST; longest *= 3)
			check(count[i], longest);
}
