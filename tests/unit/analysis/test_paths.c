/* The search for more paths is bounded, and says so when it has ended before it was through. */
#include "cmocka_all.h"

#include "heap/dump_heap.h"

#include "analysis/paths.h"
#include "heap/object_ids.h"

#include <stdlib.h>

enum { SLOT = 16, NEAR = 10, WITHIN = 500000, BEYOND = 540000 };
#define HEAP UINT64_C(0xc000000000)

static uint64_t address_of(uint64_t object)
{
	return HEAP + object * SLOT;
}

/* A chain to object 0; one root leads to its middle, the other one to its start. */
static void check_chain(uint64_t length, size_t count, bool exhausted)
{
	SCOPED_DUMP w = {0};
	dump_start(&w, 8, false, "go1.19.8");
	for (uint64_t i = 0; i < length; i++) {
		struct dump_field next = {0, i ? address_of(i - 1) : 0, 0};
		dump_object(&w, address_of(i), SLOT, &next, 1);
	}
	struct dump_field roots[] = {{0, address_of(NEAR), 0}, {8, address_of(length - 1), 0}};
	dump_segment(&w, true, 0x6000, 16, roots, 2);
	dump_end(&w);
	SCOPED_HEAP heap = dump_reversed(&w);
	struct reach *reach = reach_new(heap, NULL, NULL, NULL);
	struct paths *paths = paths_open(heap, reach, heap_find(heap, address_of(0)));
	for (size_t k = 0; k < count; k++)
		assert_int_equal(paths_get(paths, k, NULL)->count, k ? length : NEAR + 1);
	assert_null(paths_get(paths, count, NULL));
	assert_int_equal(paths_exhausted(paths), exhausted);
	paths_close(paths);
	reach_free(reach);
}

TEST(all_paths_are_found_of_what_can_be_gone_through)
{
	check_chain(2 * NEAR, 2, true);
	check_chain(WITHIN, 2, true);
}

TEST(a_search_that_was_cut_says_so)
{
	check_chain(BEYOND, 1, false);
}
