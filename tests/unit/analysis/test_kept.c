/* What is made once for an analysis: by one thread, for all that ask. */
#include "cmocka_all.h"

#include "analysis/kept.h"
#include "base/mem.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int making, release, makings, loads, saves;

/* Takes until somebody releases it, or it is cancelled. */
static void *slow_make(const struct analysis *analysis, enum retain retain,
                       struct progress *progress)
{
	(void)analysis;
	makings++;
	making = 1;
	while (!release)
		if (!progress_step(progress, 0))
			return NULL;
	int *made = mem_alloc(sizeof *made);
	*made = (int)retain;
	return made;
}

static void slow_save(const void *made, enum retain retain, struct index_writer *writer)
{
	(void)writer;
	assert_int_equal(*(const int *)made, retain);
	saves++;
}

static void *slow_load(const struct analysis *analysis, enum retain retain, struct index_file *file)
{
	(void)analysis, (void)retain, (void)file;
	loads++;
	return NULL;
}

static const struct kept_kind slow = {STAGE_NONE, true, slow_make, free, slow_save, slow_load};
static const struct kept_kind single = {STAGE_NONE, false, slow_make, free, slow_save, slow_load};

static struct kept *begin(bool released)
{
	making = makings = loads = saves = 0;
	release = released;
	return kept_new();
}

static void *make_slow(void *kept)
{
	struct progress progress = {.cancel = false};
	return (void *)(uintptr_t)kept_get(kept, NULL, &slow, RETAIN_WEAK, NULL, &progress);
}

static void who_waits_can_give_up_and_the_other_goes_on(void **state)
{
	(void)state;
	struct kept *kept = begin(false);
	struct progress given_up = {.cancel = true};
	pthread_t thread;
	void *made;
	assert_int_equal(pthread_create(&thread, NULL, make_slow, kept), 0);
	while (!making)
		sched_yield();
	assert_null(kept_get(kept, NULL, &slow, RETAIN_WEAK, NULL, &given_up));
	assert_null(kept_made(kept, &slow, RETAIN_WEAK));
	release = 1;
	pthread_join(thread, &made);
	assert_non_null(made);
	assert_ptr_equal(kept_made(kept, &slow, RETAIN_WEAK), made);
	assert_int_equal(makings, 1);
	kept_free(kept);
}

static void all_that_ask_get_the_same(void **state)
{
	(void)state;
	enum { THREADS = 4 };
	struct kept *kept = begin(false);
	pthread_t thread[THREADS];
	void *made[THREADS];
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, make_slow, kept), 0);
	while (!making)
		sched_yield();
	release = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], &made[i]);
	for (int i = 0; i < THREADS; i++)
		assert_ptr_equal(made[i], made[0]);
	assert_int_equal(makings, 1);
	assert_int_equal(loads, 0); /* there is no index */
	kept_free(kept);
}

static void what_was_cancelled_is_made_again(void **state)
{
	(void)state;
	struct kept *kept = begin(false);
	struct progress given_up = {.cancel = true};
	assert_null(kept_get(kept, NULL, &slow, RETAIN_ALIVE, NULL, &given_up));
	assert_null(kept_made(kept, &slow, RETAIN_ALIVE));
	release = 1;
	assert_non_null(kept_get(kept, NULL, &slow, RETAIN_ALIVE, NULL, NULL));
	assert_int_equal(makings, 2);
	kept_free(kept);
}

static void there_is_one_for_each_way_of_counting_where_that_matters(void **state)
{
	(void)state;
	struct kept *kept = begin(true);
	const int *alive = kept_get(kept, NULL, &slow, RETAIN_ALIVE, NULL, NULL);
	const int *weak = kept_get(kept, NULL, &slow, RETAIN_WEAK, NULL, NULL);
	assert_int_equal(*alive, RETAIN_ALIVE);
	assert_int_equal(*weak, RETAIN_WEAK);
	const int *first = kept_get(kept, NULL, &single, RETAIN_WEAK, NULL, NULL);
	assert_ptr_equal(kept_get(kept, NULL, &single, RETAIN_ALIVE, NULL, NULL), first);
	assert_int_equal(*first, RETAIN_ALIVE);
	assert_int_equal(makings, 3);
	kept_save(kept, NULL);
	assert_int_equal(saves, 3);
	assert_true(kept_cpu(kept) == 0);
	kept_free(kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_waits_can_give_up_and_the_other_goes_on),
		cmocka_unit_test(all_that_ask_get_the_same),
		cmocka_unit_test(what_was_cancelled_is_made_again),
		cmocka_unit_test(there_is_one_for_each_way_of_counting_where_that_matters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
