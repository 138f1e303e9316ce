/* A task in its thread: its end wakes a loop, it can be cancelled, and its memory is handed
   over. */
#include "base/task.h"

#include "cmocka_all.h"

#include <poll.h>

enum { SOON_MS = 10000 };

static bool is_awake(const struct wake *wake, int milliseconds)
{
	struct pollfd wait = {.fd = wake_fd(wake), .events = POLLIN};
	return poll(&wait, 1, milliseconds) == 1;
}

static void count_to_ten(void *self, struct progress *progress)
{
	int *count = self;
	progress_begin(progress, "counting", 10);
	while (*count < 10)
		progress_step(progress, (uint64_t)++ * count);
}

static void work_until_cancelled(void *self, struct progress *progress)
{
	uint64_t *steps = self;
	while (progress_step(progress, *steps))
		++*steps;
}

TEST(its_end_wakes_who_sleeps)
{
	struct wake wake;
	int count = 0;
	assert_true(wake_open(&wake, &(struct err){0}));
	assert_false(is_awake(&wake, 0));
	struct task *task = task_start(count_to_ten, &count, &wake);
	assert_true(is_awake(&wake, SOON_MS));
	assert_true(task_wait(task, 0));
	assert_int_equal(count, 10);
	assert_int_equal(atomic_load(&task_progress(task)->done), 10);
	task_end(task);
	wake_drain(&wake);
	assert_false(is_awake(&wake, 0));
	wake_close(&wake);
}

TEST(one_that_is_cancelled_ends)
{
	struct wake wake;
	uint64_t steps = 0;
	assert_true(wake_open(&wake, &(struct err){0}));
	struct task *task = task_start(work_until_cancelled, &steps, &wake);
	assert_false(task_wait(task, 1));
	task_cancel(task);
	assert_true(task_wait(task, TASK_FOREVER));
	assert_true(is_awake(&wake, SOON_MS));
	task_end(task);
	wake_close(&wake);
}

/* The caller that ends a task does not have to be woken. */
TEST(one_that_is_ended_wakes_nobody)
{
	struct wake wake;
	uint64_t steps = 0;
	assert_true(wake_open(&wake, &(struct err){0}));
	task_end(task_start(work_until_cancelled, &steps, &wake));
	assert_false(is_awake(&wake, 0));
	task_end(NULL);
	wake_close(&wake);
}

TEST(a_full_pipe_stays_awake)
{
	struct wake wake;
	assert_true(wake_open(&wake, &(struct err){0}));
	for (int i = 0; i < 200000; i++)
		wake_up(&wake);
	assert_true(is_awake(&wake, 0));
	wake_drain(&wake);
	assert_false(is_awake(&wake, 0));
	wake_up(NULL);
	wake_close(&wake);
}
