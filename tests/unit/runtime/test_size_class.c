/* Which slot of the allocator has an allocation of so many bytes. */
#include "go/runtime/size_class.h"

#include "cmocka_all.h"

/* From runtime/sizeclasses.go: slots, and the next smaller ones of Go since 1.8. */
TEST(an_allocation_has_the_smallest_slot_that_it_fits)
{
	static const struct {
		uint64_t slot, below;
	} slots[] = {
		{8, 0},      {16, 8},      {24, 16},       {32, 24},       {48, 32},
		{1024, 896}, {2048, 1792}, {32768, 28672}, {40960, 32768}, {65536, 57344},
	};
	for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
		assert_int_equal(size_class_below(slots[i].slot), slots[i].below);
		assert_false(size_class_fits(slots[i].slot, slots[i].below));
		assert_true(size_class_fits(slots[i].slot, slots[i].below + 1));
		assert_true(size_class_fits(slots[i].slot, slots[i].slot));
		assert_false(size_class_fits(slots[i].slot, slots[i].slot + 1));
	}
}
