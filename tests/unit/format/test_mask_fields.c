/* Pointers according to masks, in memory with more words than fit into 32 bits. */
#include "format/record.h"

#include "cmocka_all.h"

TEST(test_masks_of_huge_objects_end)
{
	const uint64_t many = (uint64_t)UINT32_MAX + 3;
	static const uint8_t type[] = {1}; /* the first of two words is a pointer */
	struct fields every, bits;
	uint64_t offset;
	fields_of_mask(&every, FIELDS_EVERY, many);
	fields_of_mask(&bits, FIELDS_BITS, many);
	bits.at = type;
	bits.pointers = 1;
	bits.period = 2;
	every.word = bits.word = many - 4;
	for (uint64_t word = many - 4; word < many; word++) {
		assert_true(fields_next(&every, &offset));
		assert_int_equal(offset, word * 8);
		if (word % 2 == 0) {
			assert_true(fields_next(&bits, &offset));
			assert_int_equal(offset, word * 8);
		}
	}
	assert_false(fields_next(&every, &offset));
	assert_false(fields_next(&bits, &offset));
}
