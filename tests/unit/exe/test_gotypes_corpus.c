/* The tests of test_gotypes.c for executables of other versions and machines. */
#include "exe/types_of.h"

#include "cmocka_all.h"

#include <string.h>

static const struct program {
	const char *name;
	unsigned word, globals;
} programs[] = {
	{"go1.19.8-small", 8, 35},       {"go1.21.13-small", 8, 35},     {"go1.22.12-small", 8, 35},
	{"go1.24.4-small-386", 4, 35},   {"go1.24.4-small-mips", 4, 35}, {"go1.24.4-small-pie", 8, 35},
	{"go1.24.4-small-s390x", 8, 35}, {"go1.27.3-small", 8, 35},
};

TEST(test_types_of_all_versions_and_machines)
{
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		char path[4096];
		struct types_of of;
		assert_true(corpus_path(path, sizeof path, programs[i].name, ".exe"));
		types_of_open(&of, path, false);
		assert_structs(of.types, programs[i].word);
		assert_true(corpus_path(path, sizeof path, programs[i].name, ".truth.json"));
		assert_in_range(assert_globals(of.types, path), programs[i].globals, 100);
		types_of_close(&of);
	}
}

/* Both byte orders and word sizes, both forms of names and of offsets. */
TEST(test_the_table_agrees_with_dwarf)
{
	static const char *const names[] = {
		"go1.15.15-server",     "go1.19.8-server",    "go1.19.8-small",      "go1.21.13-small",
		"go1.22.12-small",      "go1.24.4-small-386", "go1.24.4-small-mips", "go1.24.4-small-pie",
		"go1.24.4-small-s390x", "go1.26.10-server",   "go1.27.3-small",
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[4096];
		struct types_of full, stripped;
		if (!corpus_path(path, sizeof path, names[i], ".exe")) {
			assert_true(i < 2 && strstr(names[i], "server")); /* too large for testdata */
			continue;
		}
		types_of_open(&full, path, false);
		types_of_open(&stripped, path, true);
		unsigned compared = assert_same_types(full.types, stripped.types);
		print_message("%s: %u types\n", names[i], compared);
		assert_in_range(compared, 500, 5000);
		types_of_close(&full);
		types_of_close(&stripped);
	}
}

TEST(test_a_stripped_file_has_the_structs)
{
	char path[4096];
	struct types_of of;
	assert_true(corpus_path(path, sizeof path, "go1.24.4-small-stripped", ".exe"));
	types_of_open(&of, path, true);
	assert_structs(of.types, 8);
	types_of_close(&of);
}
