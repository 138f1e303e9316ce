/* Which objects are only the array of a slice or string: of many it is told without going through
   what holds them for each, and must be the same. */
#include "cmocka_all.h"

#include "table/path_steps.h"

static int path_steps_setup(void **state)
{
	struct analysis *analysis = analysis_new("testdata/go1.24.4-small.dump.xz");
	struct err err = {0};
	analysis_use_executable(analysis, "testdata/go1.24.4-small.exe.xz");
	if (!analysis_run(analysis, STAGE_ALL, &err))
		fail_msg("%s", err.text);
	*state = analysis;
	return 0;
}

static int path_steps_teardown(void **state)
{
	analysis_free(*state);
	return 0;
}

static void many_are_told_as_one_by_one(void **state)
{
	const struct analysis *analysis = *state;
	const struct heap *heap = analysis_heap(analysis);
	struct path_arrays arrays = {.analysis = analysis};
	size_t is = 0, of_large = 0;
	for (uint32_t id = 0; id < heap_object_count(heap); id++) {
		struct ids referrers = heap_referrers(heap, id);
		bool told = path_arrays_has(&arrays, id);
		assert_int_equal(told, path_is_array(analysis, id));
		is += told;
		of_large += told && heap_references(heap, *referrers.id).count > 64;
	}
	path_arrays_fini(&arrays);
	assert_true(is > 100 && of_large > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(many_are_told_as_one_by_one, path_steps_setup,
	                                    path_steps_teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
