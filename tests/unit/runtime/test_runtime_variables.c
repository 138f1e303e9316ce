/* Variables of the runtime that are found by their content are where the symbols of the executable
   have them. */
#include "runtime/opened.h"

#include "go/runtime/runtime_variables.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAMES = 12 };

static const struct runtime_variable *named(const struct runtime_variables *variables,
                                            const char *name)
{
	for (size_t i = 0; i < variables->count; i++)
		if (variables->item[i].name && strcmp(variables->item[i].name, name) == 0)
			return &variables->item[i];
	return NULL;
}

static void assert_variables(const char *dump, const char *const names[MOST_NAMES])
{
	SCOPED_OPENED o;
	char path[256];
	opened_dump(&o, dump);
	assert_true(corpus_path(path, sizeof path, dump, ".exe"));
	types_of_open(&o.of, path, false);
	struct runtime_variables *variables = runtime_variables_new(o.heap);
	uint64_t address;
	for (size_t i = 0; i < variables->count; i++) {
		const struct runtime_variable *one = &variables->item[i];
		assert_true(i == 0 || one->address >= one[-1].address + one[-1].size);
		if (!one->name)
			continue;
		assert_true(image_symbol_named(o.of.image, one->name, &address));
		assert_int_equal(one->address, address);
	}
	for (size_t i = 0; i < MOST_NAMES && names[i]; i++)
		if (!named(variables, names[i]))
			fail_msg("%s: %s was not found", dump, names[i]);
	runtime_variables_free(variables);
	types_of_close(&o.of);
}

TEST(test_names_are_those_of_the_symbols)
{
	static const struct {
		const char *dump, *names[MOST_NAMES];
	} dumps[] = {
		{"go1.19-corner",
	     {"runtime.allgs", "runtime.allgptr", "runtime.allp", "runtime.allm", "runtime.m0",
	      "runtime.sched", "runtime.fing", "runtime.forcegc", "runtime.sweep"}},
		{"go1.24.4-small",
	     {"runtime.allgs", "runtime.allgptr", "runtime.allp", "runtime.allm", "runtime.m0",
	      "runtime.sched", "runtime.fing", "runtime.forcegc", "runtime.sweep", "runtime.semtable"}},
		{"go1.27-corner",
	     {"runtime.allgs", "runtime.allgptr", "runtime.allp", "runtime.allm", "runtime.m0",
	      "runtime.sched", "runtime.fing", "runtime.forcegc", "runtime.sweep"}},
	};
	for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++)
		assert_variables(dumps[i].dump, dumps[i].names);
}
