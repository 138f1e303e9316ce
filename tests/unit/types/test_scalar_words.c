/* Leaves by word are those that are looked up one by one. */
#include "go/types/scalar_words.h"

#include "cmocka_all.h"
#include "exe/types_of.h"

TEST(leaves_are_those_of_each_offset)
{
	struct types_of of;
	types_of_open(&of, "testdata/go1.24.4-small.exe.xz", false);
	/* What these reference is read as it is looked at. */
	types_of_global(of.types, "main.gCache");
	types_of_global(of.types, "runtime.allp");
	struct scalar_words words = {.types = of.types};
	unsigned leaves = 0;
	for (gotype_id type = 0; type <= gotypes_count(of.types); type++) {
		uint64_t size = gotype_get(of.types, type)->size;
		for (uint64_t offset = 0; offset <= size && offset < 4096; offset += 2 + offset % 3) {
			struct scalar_field want = scalar_at(of.types, type, offset, NULL);
			for (int again = 0; again < 2; again++) {
				struct scalar_field got = scalar_words_at(&words, type, offset);
				assert_int_equal(got.type, want.type);
				assert_int_equal(got.offset, want.offset);
			}
			leaves += want.type != 0;
		}
	}
	assert_true(leaves > 1000);
	scalar_words_fini(&words);
	types_of_close(&of);
}
