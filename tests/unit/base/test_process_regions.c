/* Which lines of /proc/PID/maps are memory of the process alone, as the kernel writes them. */
#include "cmocka_all.h"

#include "base/process/regions.h"

#include <string.h>

/* Checks the kind of one line. */
static void check_line(const char *line, enum region_kind kind)
{
	struct regions regions = {0};
	regions_add_line(&regions, line);
	assert_int_equal(regions.count, 1);
	if (regions.region->kind != kind)
		fail_msg("%s is of kind %d", line, regions.region->kind);
	regions_free(&regions);
}

TEST(memory_without_a_file_may_have_a_name)
{
	check_line("c000000000-c000400000 rw-p 00000000 00:00 0 \n", REGION_ANONYMOUS);
	check_line("c000000000-c000400000 rw-p 00000000 00:00 0         [anon: Go: heap]\n",
	           REGION_ANONYMOUS);
	check_line("55d0c1c00000-55d0c1c21000 rw-p 00000000 00:00 0     [heap]\n", REGION_ANONYMOUS);
	check_line("7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0     [stack]\n", REGION_ANONYMOUS);
}

TEST(a_private_file_is_one_also_where_it_is_in_memory)
{
	check_line("00400000-00401000 rw-p 00001000 fe:00 12345       /srv/app\n", REGION_FILE);
	check_line("7f0000000000-7f0020000000 rw-p 00000000 00:01 7   /memfd:x (deleted)\n",
	           REGION_FILE);
	check_line("7f0000000000-7f0020000000 rw-p 00000000 00:0f 7   /anon_hugepage (deleted)\n",
	           REGION_FILE);
}

TEST(memory_of_others_and_of_the_kernel_is_left_alone)
{
	check_line("7f0000000000-7f0020000000 rw-s 00000000 00:01 7   /dev/zero (deleted)\n",
	           REGION_OTHER);
	check_line("7f0000000000-7f0020000000 rw-s 00000000 00:01 7   [anon_shmem:x]\n", REGION_OTHER);
	check_line("c000400000-c004000000 ---p 00000000 00:00 0       [anon: Go: heap reservation]\n",
	           REGION_OTHER);
	check_line("7ffc00030000-7ffc00032000 r-xp 00000000 00:00 0   [vdso]\n", REGION_OTHER);
}

TEST(a_path_may_have_blanks_and_a_line_may_be_anything)
{
	struct regions regions = {0};
	regions_add_line(&regions, "00400000-00401000 r-xp 00001000 fe:00 12345       /srv/my app\n");
	regions_add_line(&regions, "");
	regions_add_line(&regions, "00401000-00400000 r-xp 00001000 fe:00 1 /backwards\n");
	regions_add_line(&regions, "00400000-zz r-xp\n");
	assert_int_equal(regions.count, 1);
	assert_string_equal(regions.region->path, "/srv/my app");
	assert_int_equal(regions.region->inode, 12345);
	assert_int_equal(regions.region->file_offset, 0x1000);
	assert_true(regions.region->executable && !regions.region->writable);
	regions_free(&regions);
}
