/* An earlier dump that cannot be analyzed: the newer one keeps its own answers. */
#include "cmocka_all.h"

#include "analysis/series.h"
#include "analysis/stages.h"
#include "base/task.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char gc_log[] = "a 2 test.exe 1000\nt 1 Test.Thing\no 1000 1 10\nr 1000 0 1\n";

/* Returns the analysis of a new log, after STAGE_READ. */
static struct analysis *log_of_a_thing(char *path)
{
	struct err err = {0};
	int file = mkstemp(path);
	assert_true(file >= 0);
	assert_int_equal(write(file, gc_log, sizeof gc_log - 1), sizeof gc_log - 1);
	close(file);
	struct analysis *analysis = analysis_new(path, NULL);
	assert_true(analysis_run(analysis, STAGE_READ, &err));
	return analysis;
}

/* An earlier log whose stages fail as if memory was short. */
static struct analysis *pair(char *older_path, char *newer_path)
{
	struct err err = {0};
	struct analysis *older = log_of_a_thing(older_path), *newer = log_of_a_thing(newer_path);
	assert_true(series_add(newer, older, &err));
	assert_non_null(analysis_series(newer));
	err_set(&older->dump->err, "Not enough memory for owners");
	atomic_store(&older->dump->failed, true);
	return newer;
}

TEST(the_explorer_goes_on_without_it)
{
	char older_path[] = "/tmp/goheapx-older-XXXXXX", newer_path[] = "/tmp/goheapx-newer-XXXXXX";
	struct analysis *newer = pair(older_path, newer_path);
	struct wake wake;
	struct err err = {0};
	assert_true(wake_open(&wake, &err));
	analysis_start(newer, &wake);
	task_wait(newer->dump->task, TASK_FOREVER);
	assert_true(analysis_has(newer, STAGE_ALL));
	assert_false(analysis_failed(newer, &err));
	assert_null(analysis_series(newer));
	assert_non_null(strstr(series_failure(newer), older_path));
	assert_non_null(strstr(series_failure(newer), "Not enough memory for owners"));
	analysis_free(newer);
	wake_close(&wake);
	unlink(older_path);
	unlink(newer_path);
}

TEST(who_prints_gets_an_error_that_names_it)
{
	char older_path[] = "/tmp/goheapx-older-XXXXXX", newer_path[] = "/tmp/goheapx-newer-XXXXXX";
	struct analysis *newer = pair(older_path, newer_path);
	struct err err = {0};
	assert_false(analysis_run(newer, STAGE_ALL, &err));
	assert_non_null(strstr(err.text, older_path));
	assert_non_null(strstr(err.text, "Not enough memory for owners"));
	analysis_free(newer);
	unlink(older_path);
	unlink(newer_path);
}
