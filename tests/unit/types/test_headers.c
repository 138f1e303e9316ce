/* Since Go 1.22 the allocator writes types into objects. These are compared with types inferred
   without them. Only one executable is shipped; for the others see GOHEAPX_CORPUS in
   tests/unit/exe/test_gotypes_corpus.c. */
#include "exe/types_of.h"
#include "go/types/names.h"
#include "go/types/typing.h"
#include "heap/heap.h"

#include "cmocka_all.h"

#include <string.h>

struct opened {
	struct input input;
	struct heap *heap;
	struct names *names;
	struct gotypes *types;
	struct typing *with, *what_if;
};

static void open_both(struct opened *o, const char *dump, const char *exe)
{
	struct err err = {0};
	if (!input_open(&o->input, dump, NULL, NULL, &err)
	    || !(o->heap = heap_read(&o->input, NULL, &err)) || !heap_link(o->heap, NULL, &err))
		fail_msg("%s", err.text);
	o->names = names_open(o->heap, exe);
	if (!o->names->exe)
		fail_msg("%s", buf_text(&o->names->refused));
	struct typing_options options = {o->names->fit.bias, o->names->fit.data_bias, false};
	const struct pclntab *functions = exe_pclntab(o->names->exe);
	o->types = gotypes_new(exe_image(o->names->exe), functions->module.address);
	gotypes_use_functions(o->types, functions);
	o->with = typing_new(o->heap, o->types, options, NULL);
	options.what_if_headers = true;
	o->what_if = typing_new(o->heap, o->types, options, NULL);
}

static void close_both(struct opened *o)
{
	typing_free(o->with);
	typing_free(o->what_if);
	gotypes_free(o->types);
	names_close(o->names);
	heap_free(o->heap);
	input_close(&o->input);
}

static bool is_bucket(const struct opened *o, gotype_id id)
{
	const char *name = gotype_get(o->types, id)->name;
	return strncmp(name, "bucket<", 7) == 0 || strstr(name, "map.bucket[") != NULL;
}

/* Compares the displayed names. The runtime and DWARF name a map's buckets differently, with and
   without whole packages; types of equal size count as the same. Some bytes are allocated after
   runtime.m. */
static bool is_same(const struct opened *o, gotype_id a, gotype_id b)
{
	SCOPED_BUF x = {0}, y = {0};
	if (is_bucket(o, a) && is_bucket(o, b))
		return gotype_get(o->types, a)->size == gotype_get(o->types, b)->size;
	gotype_display(o->types, a, &x);
	gotype_display(o->types, b, &y);
	bool padded = strcmp(buf_text(&x), "runtime.mPadded") == 0;
	return strcmp(padded ? "runtime.m" : buf_text(&x), buf_text(&y)) == 0;
}

static void compare(const char *dump, const char *exe, unsigned least)
{
	struct opened o = {0};
	unsigned objects = 0, typed = 0, same = 0;
	open_both(&o, dump, exe);
	for (uint32_t id = 0; id < heap_object_count(o.heap); id++) {
		struct typed told = typing_object(o.with, id), found = typing_object(o.what_if, id);
		assert_int_not_equal(found.source, SOURCE_HEADER);
		if (told.source != SOURCE_HEADER && told.source != SOURCE_ELEMENTS)
			continue;
		objects++;
		typed += found.type != 0;
		same += found.type && is_same(&o, told.type, found.type);
		if (found.type && !is_same(&o, told.type, found.type))
			print_message("0x%llx is %s, not %s\n", (unsigned long long)heap_address(o.heap, id),
			              gotype_get(o.types, told.type)->name,
			              gotype_get(o.types, found.type)->name);
	}
	print_message("%s: %u objects with a header, %u typed without it, %u the same\n", dump, objects,
	              typed, same);
	assert_in_range(objects, least, 1000000);
	assert_true((uint64_t)same * 1000 >= (uint64_t)typed * 997);
	/* the others have no referrer: a third of these objects is garbage in the small program */
	assert_true((uint64_t)typed * 3 >= (uint64_t)objects * 2);
	close_both(&o);
}

TEST(test_of_the_small_program)
{
	compare("testdata/go1.24.4-small.dump.xz", "testdata/go1.24.4-small.exe.xz", 50);
}

TEST(test_of_other_versions)
{
	static const struct {
		const char *name;
		unsigned least;
	} programs[] = {
		{"go1.22.12-small", 50}, {"go1.24.4-small-386", 50}, {"go1.24.4-small-s390x", 50},
		{"go1.27.3-small", 50},  {"go1.26.10-server", 40},   {"../real/webmetrics-go1.23", 20},
	};
	char dump[4096], exe[4096];
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		if (!corpus_path(dump, sizeof dump, programs[i].name, ".dump")
		    || !corpus_path(exe, sizeof exe, programs[i].name, ".exe")) {
			/* too large for testdata */
			assert_non_null(strstr(programs[i].name, "real"));
			continue;
		}
		compare(dump, exe, programs[i].least);
	}
}
