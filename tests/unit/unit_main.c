/* The main function of all unit tests: runs the tests that the file beside it has registered. */
#include "cmocka_all.h"

PLUGINS(unit_tests);

static unsigned unit_test_line(const void *test)
{
	return ((const struct unit_test *)test)->line;
}

int main(void)
{
	enum { MOST = 64 };
	const void *listed[MOST];
	struct CMUnitTest tests[MOST];
	size_t count = 0;
	plugins_list(PLUGINS_OF(unit_tests), unit_test_line, listed, MOST);
	for (; listed[count]; count++)
		tests[count] = ((const struct unit_test *)listed[count])->test;
	return _cmocka_run_group_tests("tests", tests, count, &unit_group ? unit_group.setup : NULL,
	                               &unit_group ? unit_group.teardown : NULL);
}
