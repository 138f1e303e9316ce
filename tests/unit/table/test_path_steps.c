/* Objects that are only the array of a slice or string: the cache for many objects, which does not
   scan their referrer for each, gives the same result. What is said of other roots, and of growth
   at two places of a path. */
#include "cmocka_all.h"

#include "analysis/other_roots.h"
#include "table/growth/growth.h"
#include "table/paths/path_steps.h"

static int path_steps_setup(void **state)
{
	struct analysis *analysis =
		analysis_new("testdata/go1.24.4-small.dump.xz",
	                 &(struct analysis_options){.exe = "testdata/go1.24.4-small.exe.xz"});
	struct err err = {0};
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

TEST_WITH(many_are_told_as_one_by_one, path_steps_setup, path_steps_teardown)
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

TEST_WITH(timers_that_were_not_followed_are_told_of, path_steps_setup, path_steps_teardown)
{
	SCOPED_BUF text = {0};
	struct other_roots others = {.count[ROOT_CLASS_GLOBAL] = 4, .timers_unknown = true};
	other_roots_add(*state, &others, &text);
	assert_string_equal(buf_text(&text), "also reached through 4 variables; timers may lead there");
	buf_clear(&text);
	others.count[ROOT_CLASS_GLOBAL] = 0;
	other_roots_add(*state, &others, &text);
	assert_string_equal(buf_text(&text), "no other root leads to it; timers may lead there");
	buf_clear(&text);
	others = (struct other_roots){.count[ROOT_CLASS_FINALIZER] = 2};
	other_roots_add(*state, &others, &text); /* this program has no cleanups */
	assert_string_equal(buf_text(&text), "also reached through 2 finalizers");
}

/* They are of one class. */
TEST(cleanups_are_not_called_finalizers_alone)
{
	struct analysis *analysis =
		analysis_new("testdata/core/go1.26-park-stripped-quiet.core.xz", NULL);
	struct other_roots others = {.count[ROOT_CLASS_FINALIZER] = 1};
	struct err err = {0};
	SCOPED_BUF text = {0};
	assert_true(analysis_run(analysis, STAGE_LINKED, &err));
	other_roots_add(analysis, &others, &text);
	assert_string_equal(buf_text(&text), "also reached through 1 finalizer or cleanup");
	analysis_free(analysis);
}

TEST_WITH(both_halves_of_a_list_count, path_steps_setup, path_steps_teardown)
{
	struct places places;
	struct err err = {0};
	assert_true(places_open(&places, *state, NULL, &err));
	const struct growth growth = {.dumps = 1, .places = &places};
	const struct growth_row half = {.place = 0, .twin = UINT32_MAX};
	const struct growth_row other = {.place = 1, .twin = UINT32_MAX};
	const struct growth_row list = {.place = 0, .twin = 1};
	struct growth_then a = growth_then(&growth, &half, 0), b = growth_then(&growth, &other, 0);
	struct growth_then both = growth_then(&growth, &list, 0);
	assert_true(b.count && b.retained && b.bytes && b.own_bytes);
	assert_int_equal(both.count, a.count + b.count);
	assert_int_equal(both.retained, a.retained + b.retained);
	assert_int_equal(both.bytes, a.bytes + b.bytes);
	assert_int_equal(both.own_bytes, a.own_bytes + b.own_bytes);
	places_close(&places);
}
