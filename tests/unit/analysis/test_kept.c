/* Cached results of an analysis: one thread computes, all callers share the result. */
#include "cmocka_all.h"

#include "analysis/kept.h"
#include "base/mem.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int making, release, makings;

/* Runs until it is released or cancelled. */
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

static bool slow_index(void *made, const struct index_io *io)
{
	(void)made, (void)io;
	return false;
}

static const struct kept_kind slow = {
	.by_retain = true,
	.make = slow_make,
	.free = free,
	.name = "slow",
	.size = sizeof(int),
	.index = slow_index,
};
static const struct kept_kind single = {
	.make = slow_make,
	.free = free,
	.name = "slow",
	.size = sizeof(int),
	.index = slow_index,
};

static struct analysis *begin(bool released)
{
	making = makings = 0;
	release = released;
	return analysis_new("nothing", NULL);
}

static void *make_slow(void *analysis)
{
	struct progress progress = {.cancel = false};
	return (void *)(uintptr_t)analysis_kept(analysis, &slow, RETAIN_WEAK, &progress);
}

TEST(who_waits_can_give_up_and_the_other_goes_on)
{
	struct analysis *a = begin(false);
	struct progress given_up = {.cancel = true};
	pthread_t thread;
	void *made;
	assert_int_equal(pthread_create(&thread, NULL, make_slow, a), 0);
	while (!making)
		sched_yield();
	assert_null(analysis_kept(a, &slow, RETAIN_WEAK, &given_up));
	assert_null(analysis_kept_made(a, &slow, RETAIN_WEAK));
	release = 1;
	pthread_join(thread, &made);
	assert_non_null(made);
	assert_ptr_equal(analysis_kept_made(a, &slow, RETAIN_WEAK), made);
	assert_int_equal(makings, 1);
	analysis_free(a);
}

TEST(all_that_ask_get_the_same)
{
	enum { THREADS = 4 };
	struct analysis *a = begin(false);
	pthread_t thread[THREADS];
	void *made[THREADS];
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, make_slow, a), 0);
	while (!making)
		sched_yield();
	release = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], &made[i]);
	for (int i = 0; i < THREADS; i++)
		assert_ptr_equal(made[i], made[0]);
	assert_int_equal(makings, 1);
	analysis_free(a);
}

TEST(what_was_cancelled_is_made_again)
{
	struct analysis *a = begin(false);
	struct progress given_up = {.cancel = true};
	assert_null(analysis_kept(a, &slow, RETAIN_ALIVE, &given_up));
	assert_null(analysis_kept_made(a, &slow, RETAIN_ALIVE));
	release = 1;
	assert_non_null(analysis_kept(a, &slow, RETAIN_ALIVE, NULL));
	assert_int_equal(makings, 2);
	analysis_free(a);
}

TEST(there_is_one_for_each_way_of_counting_where_that_matters)
{
	struct analysis *a = begin(true);
	const int *alive = analysis_kept(a, &slow, RETAIN_ALIVE, NULL);
	const int *weak = analysis_kept(a, &slow, RETAIN_WEAK, NULL);
	assert_int_equal(*alive, RETAIN_ALIVE);
	assert_int_equal(*weak, RETAIN_WEAK);
	const int *first = analysis_kept(a, &single, RETAIN_WEAK, NULL);
	assert_ptr_equal(analysis_kept(a, &single, RETAIN_ALIVE, NULL), first);
	assert_int_equal(*first, RETAIN_ALIVE);
	assert_int_equal(makings, 3);
	analysis_free(a);
}

TEST(there_may_be_any_number_of_them)
{
	enum { KINDS = 100 };
	struct analysis *a = begin(true);
	struct kept_kind *kind = mem_alloc(KINDS * sizeof *kind);
	const void *made[KINDS];
	for (int i = 0; i < KINDS; i++) {
		kind[i] = single;
		made[i] = analysis_kept(a, &kind[i], RETAIN_ALIVE, NULL);
	}
	assert_int_equal(makings, KINDS);
	for (int i = 0; i < KINDS; i++)
		assert_ptr_equal(analysis_kept(a, &kind[i], RETAIN_ALIVE, NULL), made[i]);
	assert_int_equal(makings, KINDS);
	analysis_free(a);
	free(kind);
}

/* Stores how the dump is asked. */
static void *asked_make(const struct analysis *analysis, enum retain retain,
                        struct progress *progress)
{
	(void)retain, (void)progress;
	int *made = mem_alloc(sizeof *made);
	makings++;
	*made = (int)analysis_retain(analysis) + 100 * analysis_parts(analysis);
	return made;
}

TEST(how_the_first_caller_asks_does_not_matter)
{
	static const struct kept_kind single_asked = {
		.make = asked_make, .free = free, .name = "slow", .size = sizeof(int), .index = slow_index};
	static const struct kept_kind whole = {.without_parts = true,
	                                       .make = asked_make,
	                                       .free = free,
	                                       .name = "slow",
	                                       .size = sizeof(int),
	                                       .index = slow_index};
	static const struct kept_kind by_retain = {.by_retain = true,
	                                           .make = asked_make,
	                                           .free = free,
	                                           .name = "slow",
	                                           .size = sizeof(int),
	                                           .index = slow_index};
	struct analysis *a = begin(true);
	const struct analysis *parts =
		analysis_with_parts(analysis_with_retain(a, RETAIN_STRONGEST), true);
	const int *made = analysis_kept(parts, &single_asked, RETAIN_STRONGEST, NULL);
	assert_int_equal(*made, RETAIN_ALIVE);
	assert_ptr_equal(analysis_kept(a, &single_asked, RETAIN_ALIVE, NULL), made);
	assert_int_equal(makings, 1);
	made = analysis_kept(a, &by_retain, RETAIN_WEAK, NULL);
	assert_int_equal(*made, RETAIN_WEAK);
	made = analysis_kept(parts, &by_retain, RETAIN_ALIVE, NULL);
	assert_int_equal(*made, RETAIN_ALIVE);
	/* what describes things as a whole is not there where parts are asked for */
	assert_null(analysis_kept(parts, &whole, RETAIN_ALIVE, NULL));
	made = analysis_kept(a, &whole, RETAIN_ALIVE, NULL);
	assert_non_null(made);
	assert_null(analysis_kept(parts, &whole, RETAIN_ALIVE, NULL));
	assert_null(analysis_kept_made(parts, &whole, RETAIN_ALIVE));
	assert_ptr_equal(analysis_kept_made(a, &whole, RETAIN_ALIVE), made);
	analysis_free(a);
}
