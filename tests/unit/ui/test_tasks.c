/* The tasks of the explorer: it waits for short ones; long ones are collected or dropped. */
#include "ui/tasks.h"

#include "cmocka_all.h"

struct owner {
	atomic_bool may_end;
	bool worked;
	int told;
};

static void tasks_test_work(void *self, struct progress *progress)
{
	struct owner *owner = self;
	while (!atomic_load(&owner->may_end) && progress_step(progress, 0))
		;
	owner->worked = true;
}

static void tasks_test_ended(void *self)
{
	struct owner *owner = self;
	owner->told++;
}

static const struct task_kind kind = {tasks_test_work, tasks_test_ended};

static int open_tasks(void **state)
{
	static struct wake wake;
	static struct tasks tasks;
	assert_true(wake_open(&wake, &(struct err){0}));
	tasks = (struct tasks){.wake = &wake};
	*state = &tasks;
	return 0;
}

static int close_tasks(void **state)
{
	const struct tasks *tasks = *state;
	assert_null(tasks->running);
	wake_close((struct wake *)tasks->wake);
	return 0;
}

TEST(without_a_loop_all_is_done_at_once)
{
	struct tasks tasks = {0};
	struct owner owner = {.may_end = true};
	tasks_begin(&tasks, &kind, &owner);
	assert_true(owner.worked);
	assert_int_equal(owner.told, 1);
	assert_null(tasks.running);
}

TEST_WITH(what_is_short_has_been_told, open_tasks, close_tasks)
{
	struct tasks *tasks = *state;
	struct owner owner = {.may_end = true};
	tasks_begin(tasks, &kind, &owner);
	tasks_finish(tasks); /* on a busy machine the task may still run */
	assert_int_equal(owner.told, 1);
	assert_false(tasks_collect(tasks));
}

TEST_WITH(what_is_long_is_collected_later, open_tasks, close_tasks)
{
	struct tasks *tasks = *state;
	struct owner one = {0}, other = {0};
	tasks_begin(tasks, &kind, &one);
	tasks_start(tasks, &kind, &other);
	assert_false(tasks_collect(tasks));
	assert_non_null(tasks_progress(tasks, &one));
	assert_ptr_equal(tasks_progress(tasks, NULL), tasks_progress(tasks, &other));
	atomic_store(&one.may_end, true);
	while (!tasks_collect(tasks))
		;
	assert_int_equal(one.told, 1);
	assert_int_equal(other.told, 0);
	assert_null(tasks_progress(tasks, &one));
	tasks_cancel(tasks);
	tasks_finish(tasks);
	assert_int_equal(other.told, 1);
}

TEST_WITH(who_drops_one_is_told_nothing, open_tasks, close_tasks)
{
	struct tasks *tasks = *state;
	struct owner one = {0}, other = {0};
	tasks_start(tasks, &kind, &one);
	tasks_start(tasks, &kind, &other);
	tasks_start(tasks, &kind, &one);
	tasks_drop(tasks, &one);
	assert_true(one.worked);
	assert_int_equal(one.told, 0);
	assert_null(tasks_progress(tasks, &one));
	tasks_drop(tasks, &other);
	assert_int_equal(other.told, 0);
}
