/* Types, variables and closures of a real executable, from DWARF and from the runtime's table. */
#include "exe/types_of.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

static const char path[] = "testdata/go1.24.4-small.exe.xz";
static struct types_of full, stripped;

static int open_both(void **state)
{
	(void)state;
	types_of_open(&full, path, false);
	types_of_open(&stripped, path, true);
	return 0;
}

static int close_both(void **state)
{
	(void)state;
	types_of_close(&full);
	types_of_close(&stripped);
	return 0;
}

static const struct gotype *named(struct gotypes *types, const char *name)
{
	const struct gotype *type = gotype_get(types, gotypes_named(types, name));
	assert_string_equal(type->name, name);
	return type;
}

TEST(test_globals_have_the_types_that_the_program_says)
{
	assert_int_equal(assert_globals(full.types, "testdata/go1.24.4-small.truth.json.xz"), 41);
}

TEST(test_structs_have_their_fields)
{
	assert_structs(full.types, 8);
	assert_structs(stripped.types, 8);
}

TEST(test_both_sources_tell_the_same)
{
	assert_in_range(assert_same_types(full.types, stripped.types), 700, 2000);
}

TEST(test_maps_and_channels_know_what_is_behind_them)
{
	struct gotypes *types = full.types;
	gotype_id id = gotypes_named(types, "map[string]*main.Session");
	const struct gotype *map = gotype_get(types, id), *chan = named(types, "chan *main.ListNode");
	assert_string_equal(gotype_get(types, map->key)->name, "string");
	assert_string_equal(gotype_get(types, map->elem)->name, "*main.Session");
	assert_string_equal(gotype_get(types, map->header)->name, "map<string,*main.Session>");
	assert_int_equal(gotype_map_slots(types, id), 0);
	assert_string_equal(gotype_get(types, chan->header)->name, "hchan<*main.ListNode>");
	assert_string_equal(gotype_get(types, chan->elem)->name, "*main.ListNode");
	id = gotypes_named(stripped.types, "map[string]*main.Session");
	uint64_t offset;
	gotype_id group = gotype_map_slots(stripped.types, id);
	assert_true(gotype_field_named(stripped.types, group, "slots", &offset));
	assert_int_equal(offset, 8);
}

TEST(test_what_is_no_descriptor_has_no_type)
{
	uint64_t start, end;
	assert_true(gotypes_range(stripped.types, &start, &end));
	uint64_t session = named(stripped.types, "main.Session")->rtype;
	assert_true(session > start && session < end);
	assert_int_equal(gotypes_at(stripped.types, 0), 0);
	assert_int_equal(gotypes_at(stripped.types, session + 8), 0);
	assert_int_equal(gotypes_at(stripped.types, session + 1), 0);
	assert_int_equal(gotypes_at(stripped.types, end), 0);
	assert_int_equal(gotypes_at(full.types, UINT64_MAX), 0);
	assert_int_equal(gotypes_named(full.types, "main.Nothing"), 0);
	assert_int_equal(gotypes_named(stripped.types, ""), 0);
	assert_true(gotype_get(full.types, gotypes_named(full.types, "main.Shape"))->has_methods);
	assert_false(gotype_get(full.types, gotypes_named(full.types, "interface {}"))->has_methods);
}

static uint64_t entry_of(const char *name)
{
	for (size_t i = 0; i < full.pclntab.count; i++)
		if (strcmp(pclntab_name(&full.pclntab, i), name) == 0)
			return full.pclntab.functions[i].entry;
	fail_msg("no function %s", name);
	return 0;
}

TEST(test_locals_are_those_in_memory)
{
	size_t count;
	uint64_t entry = entry_of("main.gHoldsLocal");
	struct exe_variable *locals = gotypes_locals(full.types, entry, 0x4c9968, &count);
	assert_int_equal(count, 3);
	assert_string_equal(locals[0].name, "node");
	assert_string_equal(gotype_get(full.types, locals[0].type)->name, "*main.TreeNode");
	assert_int_equal(locals[0].pieces, 1);
	assert_int_equal(locals[0].piece[0].place, -56);
	assert_int_equal(locals[0].piece[0].size, 8);
	assert_string_equal(locals[1].name, "big"); /* only its pointer is still needed */
	assert_int_equal(locals[1].piece[0].place, -24);
	assert_int_equal(locals[1].piece[0].size, 8);
	assert_false(locals[1].parameter || locals[1].piece[0].absolute || locals[1].inlined);
	assert_string_equal(locals[2].name, "p");
	assert_string_equal(locals[2].inlined, "main.use");
	assert_true(locals[2].parameter);
	free(locals);
	assert_null(gotypes_locals(full.types, entry, entry, &count));
	assert_null(gotypes_locals(full.types, entry + 1, entry + 1, &count));
	assert_null(gotypes_locals(stripped.types, entry, 0x4c9968, &count));
	assert_int_equal(count, 0);
}

static void assert_closure(const char *function, const char *name, const char *type,
                           uint64_t offset)
{
	bool exact;
	uint64_t at;
	gotype_id id = gotypes_closure(full.types, entry_of(function), &exact);
	assert_true(id && exact);
	assert_int_equal(gotypes_closure(full.types, entry_of(function), &exact), id);
	assert_true(exact);
	gotype_id field = gotype_field_named(full.types, id, name, &at);
	assert_string_equal(gotype_get(full.types, field)->name, type);
	assert_int_equal(at, offset);
}

TEST(test_closures_have_what_they_capture)
{
	bool exact;
	assert_closure("main.main.func1", "done", "chan bool", 8);
	assert_closure("main.(*Circle).Area-fm", "c", "*main.Circle", 8);
	assert_closure("main.buildStatics.func1", "&count", "*int", 8);
	assert_closure("main.buildStatics.func1", "captured", "*main.ListNode", 16);
	assert_int_equal(gotypes_closure(full.types, entry_of("main.gRecv"), &exact), 0);
	assert_int_equal(gotypes_closure(full.types, 1, &exact), 0);
}

TEST(test_display_names)
{
	static const char *const names[][2] = {
		{"[][]uint8", "[][]byte"},
		{"*runtime.untracedG\u00b74", "*runtime.untracedG"},
		{"[]go.shape.int", "[]~int"},
		{"[]go.shape.*uint8", "[]*..."},
		{"map[interface {}]interface {}", "map[any]any"},
		{"main.Pair[string,*main.ListNode]", "main.Pair[string,*main.ListNode]"},
	};
	assert_displayed(full.types, names, sizeof names / sizeof *names);
}

TESTS_WITH(open_both, close_both);
