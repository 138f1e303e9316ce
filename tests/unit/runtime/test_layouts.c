/* Layouts constructed without debug information are equal to those in the debug information: in
   each generation, for every map and channel. */
#include "runtime/opened.h"

#include "go/runtime/gomap.h"

#include <stdio.h>
#include <string.h>

struct both {
	const struct gotypes *full, *made;
};

static void assert_same_structs(const struct both *b, gotype_id x, gotype_id y, unsigned depth);

/* Compares fields recursively. Numbers have other names; targets of pointers have the same
   layout. */
static void assert_same_fields(const struct both *b, const struct gofield *x,
                               const struct gofield *y, unsigned depth)
{
	const struct gotype *a = gotype_get(b->full, x->type), *c = gotype_get(b->made, y->type);
	assert_string_equal(x->name, y->name);
	assert_int_equal(x->offset, y->offset);
	assert_int_equal(a->size, c->size);
	if (c->kind == GO_STRUCT)
		assert_same_structs(b, x->type, y->type, depth + 1);
	for (unsigned i = 0; i < 2 && a->kind == GO_POINTER && c->kind == GO_POINTER; i++) {
		gotype_id elem = a->elem, made = c->elem;
		a = gotype_get(b->full, elem);
		c = gotype_get(b->made, made);
		if (c->kind == GO_STRUCT)
			assert_same_structs(b, elem, made, depth + 1);
	}
}

static void assert_same_structs(const struct both *b, gotype_id x, gotype_id y, unsigned depth)
{
	const struct gotype *a = gotype_get(b->full, x), *c = gotype_get(b->made, y);
	bool own = strchr(c->name, '<') != NULL; /* not a bucket or a waiter */
	assert_int_equal(a->size, c->size);
	if (!own || depth > 3)
		return;
	assert_string_equal(a->name, c->name);
	assert_int_equal(a->kind, GO_STRUCT);
	assert_int_equal(a->fields, c->fields);
	for (uint32_t i = 0; i < a->fields; i++)
		assert_same_fields(b, gotype_field(b->full, a->first_field + i),
		                   gotype_field(b->made, c->first_field + i), depth);
}

static bool is_container(const struct gotype *type)
{
	/* DWARF and descriptors name packages differently */
	return (type->kind == GO_MAP || type->kind == GO_CHAN) && type->rtype
	       && !strstr(type->name, "struct {") && !strstr(type->name, "interface {")
	       && !strstr(type->name, "func(") && !strstr(type->name, "\xc2");
}

static unsigned assert_program(const char *path)
{
	struct types_of full, stripped;
	unsigned compared = 0;
	types_of_open(&full, path, false);
	types_of_open(&stripped, path, true);
	gotypes_use_runtime(full.types, &goruntime_types);
	gotypes_use_runtime(stripped.types, &goruntime_types);
	gotypes_complete(full.types);
	struct both both = {full.types, stripped.types};
	for (gotype_id id = 1; id <= gotypes_count(full.types); id++) {
		const struct gotype *type = gotype_get(full.types, id);
		if (!is_container(type) || !type->header)
			continue;
		gotype_id other = gotypes_at(stripped.types, type->rtype);
		assert_string_equal(gotype_get(stripped.types, other)->name, type->name);
		assert_same_structs(&both, type->header, gotype_get(stripped.types, other)->header, 0);
		if (type->kind == GO_MAP)
			assert_int_equal(
				gotype_get(full.types, gomap_slots_type(full.types, id))->size,
				gotype_get(stripped.types, gomap_slots_type(stripped.types, other))->size);
		compared++;
	}
	types_of_close(&full);
	types_of_close(&stripped);
	return compared;
}

TEST(test_what_is_made_is_what_dwarf_says)
{
	assert_in_range(assert_program("build/testdata/go1.19-corner.exe"), 10, 1000);
	assert_in_range(assert_program("testdata/go1.24.4-small.exe.xz"), 10, 1000);
	assert_in_range(assert_program("build/testdata/go1.27-corner.exe"), 10, 1000);
}

TEST(test_other_versions_and_machines)
{
	static const char *const names[] = {
		"go1.15.15-server",    "go1.21.13-small",      "go1.22.12-small", "go1.24.4-small-386",
		"go1.24.4-small-mips", "go1.24.4-small-s390x", "go1.26.10-server"};
	char path[4096];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!corpus_path(path, sizeof path, names[i], ".exe")) {
			assert_string_equal(names[i], "go1.15.15-server"); /* too large for testdata */
			continue;
		}
		assert_in_range(assert_program(path), 10, 1000);
	}
}

TEST(test_display_names)
{
	static const char *const names[][2] = {
		{"map<string,*main.Session>", "map[string]*main.Session (header)"},
		{"*map<string,*main.Session>", "*map[string]*main.Session (header)"},
		{"table<[2]int,string>", "map[[2]int]string (table)"},
		{"noalg.map.group[string]*main.Session", "map[string]*main.Session (group)"},
		{"hchan<*main.ListNode>", "chan *main.ListNode"},
	};
	struct types_of of;
	types_of_open(&of, "testdata/go1.24.4-small.exe.xz", false);
	gotypes_use_runtime(of.types, &goruntime_types);
	assert_displayed(of.types, names, sizeof names / sizeof *names);
	types_of_close(&of);
}
