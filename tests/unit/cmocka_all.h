/* cmocka with the headers that it requires, and tests that register themselves, see unit_main.c. */
#pragma once

#include "base/plugin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct unit_test {
	const char *file;
	unsigned line; /* tests run in the order of their file */
	struct CMUnitTest test;
};

/* Defines a test, which finds what its setup has left in *state:

     TEST(an_empty_buf_is_an_empty_text)
     {
         ...
     } */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, setup, teardown)                           \
	static void name(void **state);                                \
	static const struct unit_test name##_test = {                  \
		__FILE__, __LINE__, {#name, name, setup, teardown, NULL}}; \
	PLUGIN(unit_tests, name##_test);                               \
	static void name(void **state __attribute__((unused)))

/* Defines what is called before the first and after the last test of a file. */
#define TESTS_WITH(setup, teardown)                                                  \
	static const struct unit_group unit_group_of_file = {__FILE__, setup, teardown}; \
	PLUGIN(unit_groups, unit_group_of_file)
struct unit_group {
	const char *file;
	CMFixtureFunction setup, teardown;
};
