/* A separate debug file of a real executable that is stripped. Bytes that begin as ELF are the
   file. Others are changes to a real one: the first byte says which part of it, then come a place
   in that part (4 bytes) and a byte to put there, again and again. */
#include "fuzz.h"

#include "base/mem.h"
#include "go/exe/debug_file.h"
#include "go/exe/gotypes.h"
#include "go/runtime/goruntime.h"

#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#define REAL "testdata/go1.24.4-small.exe.xz"

enum { FUNCTIONS = 40, EDIT = 5, HEADERS = 24 * 64 + 1024 };

static struct {
	uint8_t *exe, *debug; /* the program without names, and as it was built */
	size_t size;
} real;

static void debug_hide(const char *name)
{
	uint8_t *at = real.exe;
	while ((at = memmem(at, real.size - (size_t)(at - real.exe), name, strlen(name))))
		*at = '-';
}

/* Sections of this type are none any more. */
static void debug_drop(uint32_t type)
{
	uint64_t table;
	uint16_t count;
	const uint32_t none = 0;
	memcpy(&table, real.exe + 40, sizeof table);
	memcpy(&count, real.exe + 60, sizeof count);
	for (uint16_t i = 0; i < count; i++) {
		uint8_t *at = real.exe + table + i * 64 + 4;
		if (memcmp(at, &type, sizeof type) == 0)
			memcpy(at, &none, sizeof none);
	}
}

static void debug_load(void)
{
	struct input input;
	struct err err = {0};
	fuzz_check(input_open(&input, REAL, NULL, NULL, &err));
	real.size = input.size;
	real.debug = memcpy(mem_alloc(input.size), input.data, input.size);
	real.exe = memcpy(mem_alloc(input.size), input.data, input.size);
	input_close(&input);
	debug_hide(".debug_");
	debug_drop(2); /* SHT_SYMTAB */
}

static void debug_ask(struct image *image)
{
	struct pclntab table = {0};
	struct err err = {0};
	SCOPED_BUF text = {0};
	fuzz_check(pclntab_init(&table, image, "fuzz", &err));
	struct gotypes *types = gotypes_new(image, table.module.address);
	size_t count, step = table.count / FUNCTIONS + 1;
	gotypes_use_functions(types, &table);
	gotypes_use_runtime(types, &goruntime_types);
	gotypes_globals(types, &count);
	for (size_t i = 0; i < table.count; i += step)
		free(
			gotypes_locals(types, table.functions[i].entry, table.functions[i].entry + 16, &count));
	gotypes_complete(types);
	for (size_t i = 0; i < image->symbol_count; i++)
		image_variable_at(image, image->symbols[i].address);
	gotypes_explain_damage(types, 0, &text);
	fuzz_check_visible(buf_text(&text));
	gotypes_free(types);
	pclntab_fini(&table);
}

static void debug_use(const uint8_t *data, size_t size)
{
	struct err err = {0};
	struct image *image = image_open(real.exe, real.size, "fuzz", &err);
	fuzz_check(image && !image->symbol_count && !image_has_dwarf(image));
	struct Elf *elf = elf_memory((char *)(uintptr_t)data, size);
	if (debug_file_check(image, elf, data, size, &err)) {
		image_use_debug(image, elf, data, size);
		debug_ask(image);
	} else {
		fuzz_check(err.set && *err.text);
		fuzz_check_visible(err.text);
	}
	image_close(image);
	elf_end(elf);
}

static void debug_use_changed(const uint8_t *edits, size_t size)
{
	struct image *image = image_open(real.debug, real.size, REAL, NULL);
	const char *const names[] = {".debug_info", ".symtab", ".note.go.buildid"};
	enum { NAMES = sizeof names / sizeof *names };
	struct image_section part = {.size = HEADERS, .data = real.debug + real.size - HEADERS};
	if (edits[0] % (NAMES + 1) < NAMES)
		fuzz_check(image_section(image, names[edits[0] % (NAMES + 1)], &part) && part.data);
	uint8_t *copy = memcpy(mem_alloc(real.size), real.debug, real.size);
	for (size_t at = 1; at + EDIT <= size; at += EDIT) {
		uint32_t place;
		memcpy(&place, edits + at, sizeof place);
		copy[(size_t)(part.data - real.debug) + place % part.size] = edits[at + sizeof place];
	}
	image_close(image);
	debug_use(copy, real.size);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!real.exe)
		debug_load();
	if (size > 0 && data[0] == 0x7f)
		debug_use(data, size);
	else if (size > 0)
		debug_use_changed(data, size);
	return 0;
}
