/* What control groups leave, of both versions, from folders like theirs. */
#include "base/memory_left.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 512 };

static char folder[] = "/tmp/goheapx-groups-XXXXXX";

static void put(const char *name, const char *text)
{
	char path[PATH];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void make(const char *name)
{
	char path[PATH];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static uint64_t left(void)
{
	char proc[PATH], groups[PATH];
	snprintf(proc, sizeof proc, "%s/proc", folder);
	snprintf(groups, sizeof groups, "%s/cgroup", folder);
	return memory_left_below(proc, groups);
}

static int begin(void **state)
{
	(void)state;
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	assert_non_null(mkdtemp(folder));
	make("proc");
	make("proc/self");
	make("cgroup");
	return 0;
}

static int end(void **state)
{
	char command[PATH];
	(void)state;
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command);
}

static void there_may_be_no_limit(void **state)
{
	(void)state;
	assert_true(left() == UINT64_MAX);
	put("proc/self/cgroup", "0::/\n");
	assert_true(left() == UINT64_MAX);
	put("cgroup/memory.max", "max\n");
	put("cgroup/memory.current", "1000\n");
	assert_true(left() == UINT64_MAX);
}

static void pages_of_files_can_be_taken(void **state)
{
	(void)state;
	put("proc/self/cgroup", "0::/\n");
	put("cgroup/memory.max", "100000\n");
	put("cgroup/memory.current", "70000\n");
	assert_int_equal(left(), 30000);
	put("cgroup/memory.stat",
	    "anon 40000\ninactive_file_of 1\ninactive_file 15000\nactive_file 5000\n");
	assert_int_equal(left(), 50000);
	put("cgroup/memory.current", "170000\n");
	assert_int_equal(left(), 0);
}

static void the_least_of_all_groups_above_counts(void **state)
{
	(void)state;
	put("proc/self/cgroup", "0::/pod/app\n");
	make("cgroup/pod");
	make("cgroup/pod/app");
	put("cgroup/pod/memory.max", "5000\n");
	put("cgroup/pod/memory.current", "1000\n");
	put("cgroup/pod/app/memory.max", "9000\n");
	put("cgroup/pod/app/memory.current", "500\n");
	assert_int_equal(left(), 4000);
	put("cgroup/memory.max", "1500\n");
	put("cgroup/memory.current", "1500\n");
	assert_int_equal(left(), 0);
}

/* A container that has no namespace of control groups sees the path of the host. */
static void a_path_may_be_unknown_here(void **state)
{
	(void)state;
	put("proc/self/cgroup", "0::/kubepods/pod1/abc\n");
	put("cgroup/memory.max", "800\n");
	put("cgroup/memory.current", "100\n");
	assert_int_equal(left(), 700);
}

static void the_first_version_has_other_names(void **state)
{
	(void)state;
	put("proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/box\n0::/\n");
	make("cgroup/memory");
	make("cgroup/memory/box");
	put("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
	put("cgroup/memory/memory.usage_in_bytes", "123456\n");
	put("cgroup/memory/box/memory.limit_in_bytes", "65536\n");
	put("cgroup/memory/box/memory.usage_in_bytes", "32768\n");
	put("cgroup/memory/box/memory.stat",
	    "inactive_file 1\nactive_file 1\ntotal_inactive_file 4096\n");
	assert_int_equal(left(), 36864);
}

static void damaged_lines_are_no_groups(void **state)
{
	(void)state;
	put("proc/self/cgroup", "\n:\n::\n0:\n0::\n::/../..\nnothing");
	put("cgroup/memory.max", "-\n");
	assert_true(left() == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(there_may_be_no_limit, begin, end),
		cmocka_unit_test_setup_teardown(pages_of_files_can_be_taken, begin, end),
		cmocka_unit_test_setup_teardown(the_least_of_all_groups_above_counts, begin, end),
		cmocka_unit_test_setup_teardown(a_path_may_be_unknown_here, begin, end),
		cmocka_unit_test_setup_teardown(the_first_version_has_other_names, begin, end),
		cmocka_unit_test_setup_teardown(damaged_lines_are_no_groups, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
