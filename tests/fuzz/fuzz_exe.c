/* An executable: ELF, the table of functions, DWARF, the runtime's types. Bytes that begin as ELF
   are the file. Others are changes to a real one, without its debug information and symbols: the
   first byte says which part of it, then come a place in that part (4 bytes) and a byte to put
   there, again and again. */
#include "fuzz.h"

#include "base/input.h"
#include "base/mem.h"
#include "go/exe/buildinfo.h"
#include "go/exe/exe.h"
#include "go/exe/gotypes.h"
#include "go/exe/variable_uses.h"
#include "go/runtime/goruntime.h"

#include <stdlib.h>
#include <string.h>

#define REAL "testdata/go1.24.4-small.exe.xz"

enum { FUNCTIONS = 40, EDIT = 5 };

static void use_function(struct gotypes *types, const struct pclntab *table, size_t function)
{
	struct pclntab_line lines[EXE_LINES];
	uint64_t entry = table->functions[function].entry;
	size_t count;
	bool exact;
	fuzz_check(pclntab_name(table, function) != NULL);
	fuzz_check(pclntab_lines(table, entry + 5, lines, EXE_LINES) <= EXE_LINES);
	free(gotypes_locals(types, entry, entry + 16, &count));
	gotypes_closure(types, entry, &exact);
}

/* What include/go/exe/gotype.h promises of fields and elements. */
static void check_type(const struct gotypes *types, gotype_id id)
{
	const struct gotype *type = gotype_get(types, id);
	SCOPED_BUF shown = {0};
	for (uint32_t i = 0; type->kind == GO_STRUCT && i < type->fields; i++) {
		const struct gofield *field = gotype_field(types, type->first_field + i);
		uint64_t size = gotype_get(types, field->type)->size;
		fuzz_check(!field->type
		           || (field->offset <= type->size && size <= type->size - field->offset));
	}
	gotype_display(types, id, &shown);
	fuzz_check_visible(buf_text(&shown));
}

static void use_variables(const struct pclntab *table)
{
	const struct module *module = &table->module;
	struct exe_segments segments = {module->data, module->edata, module->bss, module->ebss};
	struct variable_uses uses = variable_uses_scan(table, segments);
	struct variable_user user;
	for (size_t i = 0; i < uses.count; i++)
		variable_uses_find(&uses, table, uses.use[i].address, &user);
	variable_uses_fini(&uses);
}

static void use(const uint8_t *data, size_t size)
{
	struct err err = {0};
	SCOPED_BUF text = {0};
	struct pclntab table = {0};
	struct image *image = image_open(data, size, "fuzz", &err);
	if (!image)
		return;
	bool has_code = pclntab_init(&table, image, "fuzz", &err);
	struct gotypes *types = gotypes_new(image, table.module.address);
	size_t count, step = table.count / FUNCTIONS + 1;
	gotypes_use_functions(types, &table);
	gotypes_use_runtime(types, &goruntime_types);
	gotypes_globals(types, &count);
	gotypes_named(types, "uint8");
	for (size_t i = 0; has_code && i < table.count; i += step)
		use_function(types, &table, i);
	if (has_code)
		use_variables(&table);
	gotypes_complete(types);
	for (gotype_id id = 1; id <= gotypes_count(types); id++)
		check_type(types, id);
	buildinfo_version(image, &text);
	gotypes_explain_damage(types, 0, &text);
	fuzz_check_visible(buf_text(&text));
	gotypes_free(types);
	pclntab_fini(&table);
	image_close(image);
}

/* ---- Changes to a real file */

struct part {
	size_t start, size;
};
static struct {
	uint8_t *data;
	size_t size;
	struct part part[4];
} real;

/* The names of sections begin otherwise then, so that nothing finds them. */
static void hide(uint8_t *data, size_t size, const char *name)
{
	uint8_t *at = data;
	while ((at = memmem(at, size - (size_t)(at - data), name, strlen(name))))
		*at = '-';
}

static void load(void)
{
	struct input input;
	struct err err = {0};
	struct pclntab table;
	uint64_t start, end;
	fuzz_check(input_open(&input, REAL, NULL, NULL, &err));
	real.size = input.size;
	real.data = memcpy(mem_alloc(input.size), input.data, input.size);
	input_close(&input);
	hide(real.data, real.size, ".debug_");
	struct image *image = image_open(real.data, real.size, REAL, &err);
	fuzz_check(image && pclntab_init(&table, image, REAL, &err));
	struct gotypes *types = gotypes_new(image, table.module.address);
	fuzz_check(gotypes_range(types, &start, &end));
	const size_t headers = 24 * 64 + 1024; /* sections and their names are last in the file */
	real.part[0] = (struct part){(size_t)(image_bytes(image, start, 1) - real.data), end - start};
	real.part[1] = (struct part){(size_t)(table.data - real.data), 4096};
	real.part[2] = (struct part){(size_t)(table.data - real.data), table.size};
	real.part[3] = (struct part){real.size - headers, headers};
	gotypes_free(types);
	pclntab_fini(&table);
	image_close(image);
}

static void use_changed(const uint8_t *edits, size_t size)
{
	if (!real.data)
		load();
	struct part part = real.part[edits[0] % (sizeof real.part / sizeof *real.part)];
	uint8_t *copy = memcpy(mem_alloc(real.size), real.data, real.size);
	for (size_t at = 1; at + EDIT <= size; at += EDIT) {
		uint32_t place;
		memcpy(&place, edits + at, sizeof place);
		copy[part.start + place % part.size] = edits[at + sizeof place];
	}
	use(copy, real.size);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] == 0x7f)
		use(data, size);
	else
		use_changed(data, size);
	return 0;
}
