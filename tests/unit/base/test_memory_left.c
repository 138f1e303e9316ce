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

TEST_WITH(there_may_be_no_limit, begin, end)
{
	assert_true(left() == UINT64_MAX);
	put("proc/self/cgroup", "0::/\n");
	assert_true(left() == UINT64_MAX);
	put("cgroup/memory.max", "max\n");
	put("cgroup/memory.current", "1000\n");
	assert_true(left() == UINT64_MAX);
}

TEST_WITH(pages_of_files_can_be_taken, begin, end)
{
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

TEST_WITH(the_least_of_all_groups_above_counts, begin, end)
{
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
TEST_WITH(a_path_may_be_unknown_here, begin, end)
{
	put("proc/self/cgroup", "0::/kubepods/pod1/abc\n");
	put("cgroup/memory.max", "800\n");
	put("cgroup/memory.current", "100\n");
	assert_int_equal(left(), 700);
}

TEST_WITH(the_first_version_has_other_names, begin, end)
{
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

/* The smallest limit counts, not the group that has the least left, and no group of another
   controller. */
TEST_WITH(the_smallest_limit_is_that_of_a_process, begin, end)
{
	char proc[PATH], groups[PATH];
	snprintf(proc, sizeof proc, "%s/proc", folder);
	snprintf(groups, sizeof groups, "%s/cgroup", folder);
	make("proc/7");
	put("proc/7/cgroup", "5:cpu:/other\n4:memory,hugetlb:/pod/app\n");
	struct memory_groups none = memory_groups_below(proc, "7", groups);
	assert_true(none.limit == UINT64_MAX && none.left == UINT64_MAX);
	make("cgroup/memory");
	make("cgroup/memory/other");
	put("cgroup/memory/other/memory.limit_in_bytes", "4096\n");
	put("cgroup/memory/other/memory.usage_in_bytes", "4096\n");
	make("cgroup/memory/pod");
	put("cgroup/memory/pod/memory.limit_in_bytes", "200000\n");
	put("cgroup/memory/pod/memory.usage_in_bytes", "190000\n");
	make("cgroup/memory/pod/app");
	put("cgroup/memory/pod/app/memory.limit_in_bytes", "100000\n");
	put("cgroup/memory/pod/app/memory.usage_in_bytes", "60000\n");
	struct memory_groups both = memory_groups_below(proc, "7", groups);
	assert_int_equal(both.limit, 100000);
	assert_int_equal(both.used, 60000);
	assert_int_equal(both.left, 10000);
}

/* The group of another container is seen from that container. */
TEST_WITH(a_group_beside_is_read_where_its_process_sees_it, begin, end)
{
	char proc[PATH], path[PATH];
	snprintf(proc, sizeof proc, "%s/proc", folder);
	make("proc/7");
	make("proc/7/root");
	make("proc/7/root/groups");
	put("proc/7/cgroup", "0::/../other\n");
	put("proc/7/root/groups/memory.max", "3000\n");
	put("proc/7/root/groups/memory.current", "1000\n");
	snprintf(path, sizeof path, "/groups");
	struct memory_groups groups = memory_groups_below(proc, "7", path);
	assert_int_equal(groups.limit, 3000);
	assert_int_equal(groups.used, 1000);
}

TEST_WITH(damaged_lines_are_no_groups, begin, end)
{
	put("proc/self/cgroup", "\n:\n::\n0:\n0::\n::/../..\nnothing");
	put("cgroup/memory.max", "-\n");
	assert_true(left() == UINT64_MAX);
}
