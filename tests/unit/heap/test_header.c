/* Which slots of 32 KiB begin with an allocation header: the size class has slots of that size with
   one; an object of exactly that size has a span of its own, and none. */

#include "cmocka_all.h"

#include "heap/dump_heap.h"

enum { SLOT = 32768, SMALLER = 28672 };
#define HEAP  UINT64_C(0xc000000000)
#define THERE (HEAP + 0x10000)
#define TYPE  UINT64_C(0x4a8000)

/* Rows of `step` words. The bits of `pointers` are the words listed as pointers, from word `first`
   on; all other words have `value`, and word 0 has TYPE. */
struct row {
	unsigned first, step, pointers;
	uint64_t value;
	unsigned filled; /* rows that are not nil */
};

static uint64_t address_with(struct row row, unsigned width, uint64_t size, uint64_t word)
{
	static struct dump_field fields[SLOT / 4];
	struct dump_writer w;
	size_t count = 0;
	for (unsigned at = 0; at < size / width; at++) {
		unsigned n = at < row.first ? 0 : (at - row.first) / row.step,
				 part = (at - row.first) % row.step;
		bool pointer = at >= row.first && row.pointers >> part & 1, filled = n < row.filled;
		uint64_t value = at == 0                     ? word
		                 : !filled || at < row.first ? 0
		                 : pointer                   ? THERE
		                                             : row.value;
		fields[count++] = (struct dump_field){at * width, value, pointer ? 0 : DUMP_WORD};
	}
	dump_start(&w, width, false, "go1.27.3");
	dump_object(&w, HEAP, size, fields, count);
	dump_end(&w);
	struct heap *heap = dump_heap(&w);
	uint64_t address = heap_address(heap, 0);
	heap_free(heap);
	dump_free(&w);
	return address - HEAP;
}

TEST(test_rows_with_a_header)
{
	static const struct row pointers = {1, 1, 1, 0, 4095}, strings = {1, 2, 1, 7, 2047},
							slices = {1, 3, 1, 7, 1365}, interfaces = {1, 2, 2, TYPE, 2047},
							empty = {1, 2, 1, 0, 0}, wide = {1, 4, 2, 4, 1023};
	assert_int_equal(address_with(pointers, 8, SLOT, TYPE), 8);
	assert_int_equal(address_with(strings, 8, SLOT, TYPE), 8);
	assert_int_equal(address_with(slices, 8, SLOT, TYPE), 8);
	assert_int_equal(address_with(interfaces, 8, SLOT, TYPE), 8);
	assert_int_equal(address_with(empty, 8, SLOT, TYPE), 8);
	assert_int_equal(address_with(wide, 8, SLOT, TYPE), 8);
	assert_int_equal(address_with((struct row){2, 1, 1, 0, 9000}, 4, SLOT, TYPE), 8);
}

TEST(test_rows_without_a_header)
{
	static const struct row pointers = {0, 1, 1, 0, 4096}, strings = {0, 2, 1, 7, 2048},
							interfaces = {0, 2, 2, TYPE, 2048}, numbers = {0, 4, 4, 17, 1024},
							records = {0, 8, 0x22, TYPE, 512};
	assert_int_equal(address_with(pointers, 8, SLOT, THERE), 0);
	assert_int_equal(address_with(strings, 8, SLOT, THERE), 0);
	assert_int_equal(address_with(interfaces, 8, SLOT, TYPE), 0);
	assert_int_equal(address_with(numbers, 8, SLOT, 17), 0);
	assert_int_equal(address_with(records, 8, SLOT, TYPE), 0);
	assert_int_equal(address_with((struct row){0, 1, 1, 0, 9000}, 4, SLOT, THERE), 0);
	assert_int_equal(address_with((struct row){0, 2, 2, 0, 9000}, 4, SLOT, TYPE), 0);
}

/* Smaller slots have one for any contents, larger objects never. */
TEST(test_other_sizes)
{
	static const struct row pointers = {1, 1, 1, 0, 9000};
	assert_int_equal(address_with(pointers, 8, SMALLER, 0), 8);
	assert_int_equal(address_with(pointers, 8, 512, TYPE), 0);
}
