/* The main function of all unit tests of a layer: runs those of the file that its argument names,
   as in `build/tests/unit/base/tests test_text`, or of every file. */
#include "cmocka_all.h"

#include <stdbool.h>
#include <string.h>

PLUGINS(unit_tests);
/* Perhaps no file has any. */
extern const void *const __start_all_unit_groups[] __attribute__((weak));
extern const void *const __stop_all_unit_groups[] __attribute__((weak));

enum { TESTS_MOST = 1024, FILE_TESTS_MOST = 64 };
static const void *unit_listed[TESTS_MOST];

static unsigned unit_test_line(const void *test)
{
	return ((const struct unit_test *)test)->line;
}

/* Returns true if a path is that of NAME.c. */
static bool unit_is_file(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	size_t len = strlen(name);
	return strncmp(base, name, len) == 0 && strcmp(base + len, ".c") == 0;
}

/* Runs the tests of a file. Returns how many failed; 0 also if there is none. */
static int unit_run(const char *file, size_t *ran)
{
	struct CMUnitTest tests[FILE_TESTS_MOST];
	const struct unit_group *group = NULL;
	size_t count = 0;
	for (const void *const *at = __start_all_unit_groups; at < __stop_all_unit_groups; at++)
		if (strcmp(((const struct unit_group *)*at)->file, file) == 0)
			group = *at;
	for (size_t i = 0; unit_listed[i]; i++) {
		const struct unit_test *test = unit_listed[i];
		if (strcmp(test->file, file) == 0 && count < FILE_TESTS_MOST)
			tests[count++] = test->test;
	}
	*ran += count;
	return _cmocka_run_group_tests("tests", tests, count, group ? group->setup : NULL,
	                               group ? group->teardown : NULL);
}

int main(int argc, char **argv)
{
	int failed = 0;
	size_t ran = 0;
	plugins_list(PLUGINS_OF(unit_tests), unit_test_line, unit_listed, TESTS_MOST);
	for (size_t i = 0; unit_listed[i]; i++) {
		const char *file = ((const struct unit_test *)unit_listed[i])->file;
		size_t first = 0;
		while (strcmp(((const struct unit_test *)unit_listed[first])->file, file) != 0)
			first++;
		if (first == i && (argc < 2 || unit_is_file(file, argv[1])))
			failed += unit_run(file, &ran);
	}
	return ran ? failed : 1;
}
