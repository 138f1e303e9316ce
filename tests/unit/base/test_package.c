#include "base/package.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/goheapx-packages-XXXXXX";

static void put(const char *name, const char *before, const char *path, const char *behind)
{
	char file[256];
	snprintf(file, sizeof file, "%s/%s", folder, name);
	FILE *out = fopen(file, "w");
	assert_non_null(out);
	fprintf(out, "%s%s%s", before, path, behind);
	fclose(out);
}

static void gone(const char *name)
{
	char file[256];
	snprintf(file, sizeof file, "%s/%s", folder, name);
	assert_int_equal(unlink(file), 0);
}

/* The program of this test stands for one that was packaged. */
TEST(a_package_is_that_which_lists_the_file)
{
	char own[4096] = {0};
	struct buf name = {0};
	assert_true(readlink("/proc/self/exe", own, sizeof own - 1) > 0);
	assert_non_null(mkdtemp(folder));
	assert_false(package_of(folder, own, &name));
	put("near.list", "/.\n", own, "-dev\n");
	put("under.list", "/else", own, "\n");
	put("notes.md5sums", "", own, "\n");
	assert_false(package_of(folder, own, &name));
	assert_false(package_of(folder, "/nothing/there", &name));
	assert_false(package_of("/nothing/there", own, &name));
	put("the-owner:amd64.list", "/.\n/usr\n", own, "\n/usr/share\n");
	assert_true(package_of(folder, own, &name));
	assert_string_equal(buf_text(&name), "the-owner");
	gone("the-owner:amd64.list");
	put("owner2.list", "", own, "");
	buf_clear(&name);
	assert_true(package_of(folder, own, &name));
	assert_string_equal(buf_text(&name), "owner2");
	buf_free(&name);
	gone("owner2.list");
	gone("near.list");
	gone("under.list");
	gone("notes.md5sums");
	assert_int_equal(rmdir(folder), 0);
}
