/* The table of the runtime's fields compared with the debug information of programs of its
   versions. */
#include "go/exe/exe.h"
#include "go/format/core/core_layout.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const names[RT_COUNT] = {
#define CORE_FIELD(name, of, field) #name,
#include "go/format/core/core_fields.def"
#undef CORE_FIELD
};

static void assert_the_same(const char *path, unsigned minor, bool arm64)
{
	struct err err = {0};
	struct core_layout table, debug;
	struct exe *exe = exe_open(path, NULL, &err);
	char version[16];
	snprintf(version, sizeof version, "go1.%u", minor);
	if (!exe)
		fail_msg("%s", err.text);
	assert_memory_equal(exe_version(exe), version, strlen(version));
	core_layout_init(&table, minor, arm64);
	core_layout_init(&debug, 0, arm64);
	assert_true(core_layout_ask(&debug, exe_image(exe)));
	for (size_t i = 0; i < RT_COUNT; i++) {
		if (minor == 19 && i == RT_MSPAN_FREEINDEXFORSCAN) /* only late releases have this field */
			continue;
		if (table.offset[i] != debug.offset[i] || table.size[i] != debug.size[i])
			fail_msg("%s: %s is %u:%u in the table, %u:%u in the program", path, names[i],
			         table.offset[i], table.size[i], debug.offset[i], debug.size[i]);
	}
	assert_true(core_layout_suffices(&debug, &err));
	exe_close(exe);
}

TEST(test_the_table_is_that_of_programs)
{
	assert_the_same("build/testdata/core/go1.19-park-plain-quiet.exe", 19, false);
	assert_the_same("testdata/go1.24.4-small.exe.xz", 24, false);
	assert_the_same("build/testdata/go1.27-corner.exe", 27, false);
}

TEST(test_the_table_is_that_of_more_programs)
{
	static const struct {
		const char *name;
		unsigned minor;
		bool arm64;
	} programs[] = {
		{"drift/go1.19-drift", 19, false},          {"go/go1.21.13-small", 21, false},
		{"go/go1.22.12-small", 22, false},          {"real/webmetrics-go1.23", 23, false},
		{"core/go1.24-park-arm64-quiet", 24, true}, {"core/go1.24-park-plain-quiet", 24, false},
		{"go/go1.24.4-small-pie", 24, false},       {"core/go1.26-park-plain-crash", 26, false},
		{"go/go1.26.10-server", 26, false},         {"core/go1.27-park-plain-quiet", 27, false},
		{"go/go1.27.3-small", 27, false},
	};
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		char path[256];
		snprintf(path, sizeof path, "build/testdata/%s.exe", programs[i].name);
		if (access(path, R_OK) != 0) /* beside its dumps */
			snprintf(path, sizeof path, "testdata/%s.exe.xz", programs[i].name);
		if (access(path, R_OK) != 0 && programs[i].minor == 23) { /* too large for testdata */
			snprintf(path, sizeof path, "../shared/corpus/%s.exe.xz", programs[i].name);
			if (access(path, R_OK) != 0)
				continue;
		}
		assert_the_same(path, programs[i].minor, programs[i].arm64);
	}
}

TEST(test_stripped_programs_have_no_places)
{
	struct err err = {0};
	struct core_layout layout;
	struct exe *exe = exe_open("testdata/core/go1.26-park-stripped-quiet.exe.xz", NULL, &err);
	assert_non_null(exe);
	core_layout_init(&layout, 0, false);
	assert_false(core_layout_ask(&layout, exe_image(exe)));
	assert_false(core_layout_suffices(&layout, &err));
	assert_non_null(strstr(err.text, "runtime.mspan.startAddr"));
	exe_close(exe);
}

/* Every version's table has all required fields. */
TEST(test_every_version_suffices)
{
	for (unsigned minor = CORE_MINOR_FIRST; minor <= CORE_MINOR_CHECKED + 1; minor++) {
		struct core_layout layout;
		struct err err = {0};
		core_layout_init(&layout, minor, false);
		if (!core_layout_suffices(&layout, &err))
			fail_msg("%s", err.text);
	}
}
