/* Freed columns, whose memory later columns reuse. */
#include "cmocka_all.h"

#include "base/mem.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { MANY = 8 << 20, FEW = 3 << 20 };

static void fill(void *column, size_t size)
{
	memset(column, 0xa5, size);
}

static void is_zeroed(const unsigned char *column, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (column[i])
			fail_msg("byte %zu is %d", i, column[i]);
}

/* Two columns reuse the memory of one; another is larger than the rest. */
TEST(columns_are_zeroed_whatever_was_there)
{
	unsigned char *old = mem_column(MANY);
	fill(old, MANY);
	mem_column_recycle(old, MANY);
	unsigned char *a = mem_column(FEW), *b = mem_column(FEW), *c = mem_column(MANY);
	is_zeroed(a, FEW);
	is_zeroed(b, FEW);
	is_zeroed(c, MANY);
	fill(a, FEW);
	fill(c, MANY);
	is_zeroed(b, FEW); /* it has memory of its own */
	mem_column_recycle(a, FEW);
	mem_column_recycle(c, MANY);
	mem_column_free(b, FEW);
	mem_recycled_free();
}

static long faults(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

/* Its pages exist before it is read; MADV_POPULATE_WRITE requires Linux 5.14. */
TEST(a_whole_column_is_there_at_once)
{
	unsigned char *column = mem_column_whole(MANY);
	long before = faults();
	is_zeroed(column, MANY);
	fill(column, MANY);
	long taken = faults() - before;
	mem_column_free(column, MANY);
#ifdef MADV_POPULATE_WRITE
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool known = madvise(page, 4096, MADV_POPULATE_WRITE) == 0;
	munmap(page, 4096);
	assert_true(!known || taken < 4);
#else
	(void)taken;
#endif
}

TEST(what_was_not_written_is_given_back)
{
	unsigned char *old = mem_column_most((size_t)1 << 40);
	fill(old, FEW);
	mem_column_recycle_part(old, FEW, (size_t)1 << 40);
	unsigned char *next = mem_column(FEW);
	is_zeroed(next, FEW);
	mem_column_free(next, FEW);
	mem_recycled_free();
}

TEST(what_is_left_of_a_cut_one_stays)
{
	unsigned char *column = mem_column(MANY);
	fill(column, MANY);
	column = mem_column_cut(column, 100, MANY);
	unsigned char *other = mem_column(FEW);
	fill(other, FEW);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(column[i], 0xa5);
	column = mem_column_cut(column, 10, 100);
	assert_int_equal(column[9], 0xa5);
	mem_column_free(column, 10);
	mem_column_free(other, FEW);
	mem_recycled_free();
}

/* From malloc or mapped, a column is zeroed and as long as was asked for; ASan sees the former. */
TEST(columns_of_any_size_are_whole)
{
	for (size_t size = 0; size < 100000; size = size * 3 / 2 + 1) {
		unsigned char *column = mem_column_whole(size), *few = mem_column_few(size);
		is_zeroed(column, size);
		is_zeroed(few, size);
		fill(column, size);
		mem_column_trim(column, size / 2, size);
		for (size_t i = 0; i < size / 2; i++)
			assert_int_equal(column[i], 0xa5);
		few = mem_column_cut(few, size / 2, size);
		is_zeroed(few, size / 2);
		mem_column_free(column, size);
		mem_column_recycle(few, size / 2);
		/* Its rest is a small part of a mapping. */
		few = mem_column_cut(mem_column_few(size), size - size / 4, size);
		is_zeroed(few, size - size / 4);
		mem_column_free(few, size - size / 4);
	}
}

/* As many columns as the cache holds, and more, each written completely. */
TEST(many_are_few_in_the_end)
{
	void *column[40];
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < 40; i++) {
			column[i] = mem_column(FEW + i * 4096);
			is_zeroed(column[i], FEW + i * 4096);
			fill(column[i], FEW + i * 4096);
		}
		for (size_t i = 0; i < 40; i++)
			mem_column_recycle(column[i], FEW + i * 4096);
	}
	mem_recycled_free();
}
