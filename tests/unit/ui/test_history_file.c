/* The file of typed lines: lines written in one run are read in the next. */
#include "ui/history_file.h"

#include "cmocka_all.h"

#include "base/buf.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/goheapx-past-XXXXXX";

static int make_home(void **state)
{
	(void)state;
	return mkdtemp(folder) && setenv("XDG_STATE_HOME", folder, 1) == 0 ? 0 : -1;
}

static int erase(const char *path, const struct stat *status, int kind, struct FTW *at)
{
	(void)status, (void)kind, (void)at;
	return remove(path);
}

static int remove_home(void **state)
{
	(void)state;
	return nftw(folder, erase, 8, FTW_DEPTH | FTW_PHYS);
}

static void add_line(void *self, char kind, const char *text)
{
	buf_addf(self, "%c%s\n", kind, text);
}

static void check_told(const char *expected)
{
	SCOPED_BUF told = {0};
	history_file_load(add_line, &told);
	assert_string_equal(buf_text(&told), expected);
}

TEST(lines_are_told_in_their_order)
{
	check_told("");
	history_file_add(':', "objects");
	history_file_add('/', "x"); /* lines of one letter, too */
	history_file_add('&', "size > 4k");
	history_file_add(':', "7");
	check_told(":objects\n/x\n&size > 4k\n:7\n");
}

TEST(lines_without_a_text_are_none)
{
	history_file_add(':', "");
	history_file_add('/', "y");
	check_told(":objects\n/x\n&size > 4k\n:7\n/y\n");
}

/* Only the end of a long file is read, from the start of a line on. */
TEST(the_last_lines_of_many_are_told)
{
	SCOPED_BUF told = {0};
	for (int i = 0; i < 20000; i++)
		history_file_add(':', "goto 0xc000012340");
	history_file_add('/', "z");
	history_file_load(add_line, &told);
	assert_in_range(told.len, 60 << 10, 64 << 10);
	assert_string_equal(told.data + told.len - 22, ":goto 0xc000012340\n/z\n");
	assert_memory_equal(told.data, ":goto 0xc000012340\n", 19);
}

TESTS_WITH(make_home, remove_home);
