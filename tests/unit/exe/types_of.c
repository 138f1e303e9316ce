

#include "exe/types_of.h"

#include "base/mem.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void hide(uint8_t *data, size_t size, const char *section)
{
	size_t len = strlen(section);
	for (size_t i = 0; i + len <= size; i++)
		if (memcmp(data + i, section, len) == 0)
			data[i] = '-';
}

static uint64_t number(const uint8_t *data, unsigned bytes, bool big)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)data[i] << 8 * (big ? bytes - 1 - i : i);
	return value;
}

/* Sets the type of symbol sections to SHT_NULL, so that the file seems to have none. */
static void hide_symbols(uint8_t *data)
{
	bool wide = data[4] == 2, big = data[5] == 2;
	uint64_t headers = wide ? number(data + 40, 8, big) : number(data + 32, 4, big);
	uint64_t count = number(data + (wide ? 60 : 48), 2, big);
	for (unsigned i = 0; i < count; i++) {
		uint8_t *type = data + headers + (wide ? 64 : 40) * i + 4;
		if (number(type, 4, big) == 2)
			memset(type, 0, 4);
	}
}

void types_of_open(struct types_of *of, const char *path, bool stripped)
{
	struct err err = {0};
	if (!input_open(&of->input, path, NULL, NULL, &err))
		fail_msg("%s", err.text);
	of->data = memcpy(mem_alloc(of->input.size), of->input.data, of->input.size);
	if (stripped) {
		hide(of->data, of->input.size, ".debug_");
		hide(of->data, of->input.size, ".zdebug_"); /* up to Go 1.16 */
		hide_symbols(of->data);
	}
	of->image = image_open(of->data, of->input.size, path, &err);
	if (!of->image || !pclntab_init(&of->pclntab, of->image, path, &err))
		fail_msg("%s", err.text);
	of->types = gotypes_new(of->image, of->pclntab.module.address);
	assert_int_equal(gotypes_have_dwarf(of->types), !stripped);
}

void types_of_close(struct types_of *of)
{
	gotypes_free(of->types);
	pclntab_fini(&of->pclntab);
	image_close(of->image);
	free(of->data);
	input_close(&of->input);
}

const struct exe_global *types_of_global(struct gotypes *types, const char *name)
{
	size_t count;
	const struct exe_global *globals = gotypes_globals(types, &count);
	for (size_t i = 0; i < count; i++)
		if (strcmp(globals[i].name, name) == 0)
			return &globals[i];
	fail_msg("there is no global %s", name);
	return NULL;
}

void assert_displayed(struct gotypes *types, const char *const names[][2], size_t count)
{
	SCOPED_BUF out = {0};
	for (size_t i = 0; i < count; i++) {
		buf_clear(&out);
		gotype_id id = gotypes_named(types, names[i][0]);
		assert_true(id);
		gotype_display(types, id, &out);
		assert_string_equal(buf_text(&out), names[i][1]);
	}
}

bool corpus_path(char *path, size_t size, const char *name, const char *suffix)
{
	static const char *const places[] = {
		"testdata/go/%s%s.xz",         "testdata/%s%s.xz",
		"build/testdata/go/%s%s",      "build/testdata/%s%s",
		"../shared/corpus/go/%s%s.xz",
	};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		snprintf(path, size, places[i], name, suffix);
		if (access(path, R_OK) == 0)
			return true;
	}
	return false;
}

unsigned assert_globals(struct gotypes *types, const char *path)
{
	struct err err = {0};
	struct input truth;
	char name[64], type[128];
	unsigned long long address, size, bias = 0;
	unsigned count = 0;
	assert_true(input_open(&truth, path, NULL, NULL, &err));
	char *text = memcpy(mem_alloc(truth.size + 1), truth.data, truth.size),
		 *at = strstr(text, "\"Globals\": {");
	assert_non_null(at);
	at += strlen("\"Globals\": {");
	while (sscanf(at,
	              " \"%63[^\"]\": { \"addr\": \"0x%llx\", \"size\": %llu, \"type\": \"%127[^\"]\"",
	              name, &address, &size, type)
	       == 4) {
		const struct exe_global *global = types_of_global(types, name);
		assert_string_equal(gotype_get(types, global->type)->name, type);
		assert_int_equal(gotype_get(types, global->type)->size, size);
		assert_ptr_equal(gotypes_global_at(types, global->address + size - 1), global);
		if (count++ == 0)
			bias = address - global->address; /* the program's load bias */
		assert_int_equal(address - global->address, bias);
		at = strstr(at, "\n  }");
		assert_non_null(at);
		at += strlen("\n  },");
	}
	free(text);
	input_close(&truth);
	return count;
}

struct expected {
	const char *name, *type;
	unsigned words;
};

static const struct {
	const char *name;
	struct expected fields[10];
} structs[] = {
	{"main.Session",
     {{"ID", "string", 2},
      {"Buf", "[]uint8", 3},
      {"Next", "*main.Session", 1},
      {"Tags", "map[string]string", 1}}},
	{"main.ListNode", {{"Next", "*main.ListNode", 1}, {"Val", "int", 1}}},
	{"main.Holder",
     {{"Any", "interface {}", 2},
      {"Shape", "main.Shape", 2},
      {"Fn", "func() int", 1},
      {"Ch", "chan *main.ListNode", 1},
      {"M", "map[string]*main.TreeNode", 1},
      {"S", "[]uint8", 3},
      {"Str", "string", 2},
      {"Raw", "unsafe.Pointer", 1},
      {"NotP", "uintptr", 1}}},
	{"main.Embedded",
     {{"Inner", "struct { P *main.ListNode; Q *main.ListNode }", 2},
      {"Arr", "[4]struct { N int; P *main.ListNode }", 8},
      {"E", "error", 2}}},
};

static void assert_fields(struct gotypes *types, const struct gotype *type,
                          const struct expected *fields, unsigned word)
{
	uint64_t offset = 0;
	for (uint32_t i = 0; i < type->fields && fields[i].name; i++) {
		const struct gofield *field = gotype_field(types, type->first_field + i);
		assert_string_equal(field->name, fields[i].name);
		assert_string_equal(gotype_get(types, field->type)->name, fields[i].type);
		assert_int_equal(field->offset, offset);
		assert_int_equal(gotype_get(types, field->type)->size, fields[i].words * word);
		offset += fields[i].words * (uint64_t)word;
	}
	assert_int_equal(type->size, offset);
}

void assert_structs(struct gotypes *types, unsigned word)
{
	for (size_t i = 0; i < sizeof structs / sizeof *structs; i++) {
		const struct gotype *type = gotype_get(types, gotypes_named(types, structs[i].name));
		assert_string_equal(type->name, structs[i].name);
		assert_int_equal(type->kind, GO_STRUCT);
		assert_fields(types, type, structs[i].fields, word);
	}
}

/* Returns true if both sources name the type equally. Only DWARF has the packages in anonymous
   structs, functions and parts of maps, and the numbers of local types. */
static bool is_comparable(const char *name)
{
	return !strpbrk(name, " (\xc2") && !strstr(name, "noalg.") && !strstr(name, "map.");
}

static void assert_same_name(const struct gotypes *first, gotype_id a, const struct gotypes *second,
                             gotype_id b)
{
	assert_int_equal(a == 0, b == 0);
	if (is_comparable(gotype_get(first, a)->name))
		assert_string_equal(gotype_get(first, a)->name, gotype_get(second, b)->name);
}

static void assert_same(const struct gotypes *first, const struct gotype *a,
                        const struct gotypes *second, const struct gotype *b)
{
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->size, b->size);
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->fields, b->fields);
	assert_int_equal(a->has_methods, b->has_methods);
	assert_same_name(first, a->elem, second, b->elem);
	assert_same_name(first, a->key, second, b->key);
	for (uint32_t i = 0; i < a->fields; i++) {
		const struct gofield *x = gotype_field(first, a->first_field + i);
		const struct gofield *y = gotype_field(second, b->first_field + i);
		assert_string_equal(x->name, y->name);
		assert_int_equal(x->offset, y->offset);
		assert_int_equal(x->embedded, y->embedded);
		assert_int_equal(gotype_get(first, x->type)->size, gotype_get(second, y->type)->size);
	}
}

unsigned assert_same_types(struct gotypes *dwarf, struct gotypes *table)
{
	unsigned compared = 0;
	gotypes_complete(dwarf);
	for (gotype_id id = 1, count = gotypes_count(dwarf); id <= count; id++) {
		const struct gotype *type = gotype_get(dwarf, id);
		gotype_id other = gotypes_at(table, type->rtype);
		if (!type->rtype || !is_comparable(type->name))
			continue;
		assert_true(other);
		assert_same(dwarf, type, table, gotype_get(table, other));
		compared++;
	}
	return compared;
}
