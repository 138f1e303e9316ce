/* Names of code and variables in a real executable, and in damaged ones. */
#include "cmocka_all.h"
#include "xorshift.h"

#include "base/input.h"
#include "base/mem.h"
#include "elf_writer.h"
#include "go/exe/buildinfo.h"
#include "go/exe/exe.h"

#include <stdlib.h>
#include <string.h>

static const char path[] = "testdata/go1.24.4-small.exe.xz";

static struct exe *open_real(void)
{
	struct err err = {0};
	struct exe *exe = exe_open(path, NULL, &err);
	if (!exe)
		fail_msg("%s", err.text);
	return exe;
}

TEST(test_version_and_machine)
{
	struct exe *exe = open_real();
	assert_string_equal(exe_version(exe), "go1.24.4");
	assert_int_equal(exe_image(exe)->pointer_size, 8);
	assert_false(exe_image(exe)->big_endian);
	exe_close(exe);
}

TEST(test_every_function_has_itself)
{
	struct exe *exe = open_real();
	const struct pclntab *table = exe_pclntab(exe);
	assert_int_equal(table->count, 2363);
	for (size_t i = 0; i < table->count; i++) {
		const char *name;
		uint64_t entry;
		assert_true(exe_function(exe, table->functions[i].entry, &name, &entry));
		assert_int_equal(entry, table->functions[i].entry);
		assert_string_not_equal(name, "");
		/* Functions written in assembly may share a name; the first counts. */
		assert_true(exe_entry(exe, (struct text){name, strlen(name)}, &entry));
		assert_true(entry <= table->functions[i].entry);
	}
	exe_close(exe);
}

TEST(test_inlined_calls_are_lines)
{
	struct exe *exe = open_real();
	static const char name[] = "runtime.gopark";
	struct pclntab_line lines[EXE_LINES];
	uint64_t entry;
	bool found = false;
	assert_true(exe_entry(exe, (struct text){name, strlen(name)}, &entry));
	for (uint64_t pc = entry; pc < entry + 200; pc++) {
		size_t count = exe_lines(exe, pc, false, lines);
		assert_true(count > 0);
		assert_string_equal(lines[count - 1].function, name);
		assert_non_null(strstr(lines[count - 1].file, "/runtime/proc.go"));
		found |= count > 1 && strcmp(lines[0].function, "runtime.acquirem") == 0;
	}
	assert_true(found);
	exe_close(exe);
}

TEST(test_more_inlined_than_fits_keeps_the_function)
{
	struct exe *exe = open_real();
	const struct pclntab *table = exe_pclntab(exe);
	struct pclntab_line one[1], all[EXE_LINES];
	for (size_t i = 0; i < table->count; i++) {
		uint64_t pc = table->functions[i].entry + 20;
		if (pclntab_find(table, pc) != i)
			continue; /* a shorter one */
		size_t count = pclntab_lines(table, pc, all, EXE_LINES);
		assert_int_equal(pclntab_lines(table, pc, one, 1), 1);
		assert_string_equal(one[0].function, all[count - 1].function);
		assert_int_equal(one[0].line, all[count - 1].line);
	}
	exe_close(exe);
}

TEST(test_variables)
{
	struct exe *exe = open_real();
	const struct image_symbol *symbol = image_variable_named(exe_image(exe), "main.gArrayOfPtr");
	const char *name;
	uint64_t offset;
	assert_non_null(symbol);
	assert_int_equal(symbol->size, 64);
	assert_true(exe_variable(exe, symbol->address + 63, &name, &offset));
	assert_string_equal(name, "main.gArrayOfPtr");
	assert_int_equal(offset, 63);
	assert_false(exe_variable(exe, 1, &name, &offset));
	assert_null(image_variable_named(exe_image(exe), "runtime.bss")); /* a marker, no variable */
	exe_close(exe);
}

/* The runtime's own record agrees with the symbols, so stripped files can use it. */
TEST(test_module_agrees_with_symbols)
{
	struct exe *exe = open_real();
	const struct module *module = &exe_pclntab(exe)->module;
	struct exe_segments segments = exe_segments(exe);
	assert_int_equal(module->data, segments.data);
	assert_int_equal(module->edata, segments.edata);
	assert_int_equal(module->bss, segments.bss);
	assert_int_equal(module->ebss, segments.ebss);
	exe_close(exe);
}

/* ---- Damage. Copies have exactly their size, so that a sanitizer sees a read beyond. */

/* Reads everything. */
static void use(const uint8_t *data, size_t size)
{
	struct err err = {0};
	struct image *image = image_open(data, size, "damaged", &err);
	struct pclntab table = {0};
	SCOPED_BUF version = {0};
	if (image && pclntab_init(&table, image, "damaged", &err)) {
		struct pclntab_line lines[EXE_LINES];
		for (size_t i = 0; i < table.count; i += 7)
			for (uint64_t at = 0; at < 64; at += 9) {
				uint64_t pc = table.functions[i].entry + at;
				size_t count = pclntab_lines(&table, pc, lines, EXE_LINES);
				assert_true(count <= EXE_LINES);
				for (size_t k = 0; k < count; k++)
					assert_true(strlen(lines[k].function) + strlen(lines[k].file) < size);
			}
		buildinfo_version(image, &version);
	}
	assert_true(err.set || (image && table.count));
	pclntab_fini(&table);
	image_close(image);
}

static uint8_t *copy_of(const struct input *input, size_t size)
{
	return memcpy(mem_alloc(size), input->data, size);
}

static void open_input(struct input *input)
{
	struct err err = {0};
	assert_true(input_open(input, path, NULL, NULL, &err));
}

TEST(test_cut_files)
{
	struct input input;
	open_input(&input);
	for (size_t size = 1; size < input.size; size += size < 1024 ? 61 : input.size / 60) {
		uint8_t *data = copy_of(&input, size);
		use(data, size);
		free(data);
	}
	input_close(&input);
}

/* Replaces bytes of a range by random ones, or by those that break most. */
static void damage(uint8_t *data, size_t from, size_t size, uint64_t *seed)
{
	static const uint8_t evil[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
	for (unsigned i = 0; i < 16; i++) {
		uint64_t random = xorshift_next(seed);
		data[from + (random >> 16) % size] = random & 1 ? (uint8_t)(random >> 8)
		                                                : evil[(random >> 8) % sizeof evil];
	}
}

TEST(test_flipped_bytes)
{
	struct input input;
	struct image_section table;
	open_input(&input);
	struct image *image = image_open(input.data, input.size, path, NULL);
	assert_true(image_section(image, ".gopclntab", &table));
	const size_t places[][2] = {
		{0, 64},
		{64, 1024},
		{input.size - 4096, 4096},
		{(size_t)(table.data - input.data), 256},
		{(size_t)(table.data - input.data), (size_t)table.size},
		{0, input.size},
	};
	uint64_t seed = 20240607;
	for (unsigned i = 0; i < 120; i++) {
		const size_t *place = places[i % (sizeof places / sizeof *places)];
		uint8_t *data = copy_of(&input, input.size);
		damage(data, place[0], place[1], &seed);
		use(data, input.size);
		free(data);
	}
	image_close(image);
	input_close(&input);
}

/* Reads the tables of elf_write_tables(). Returns the address of the selected one; 0: none. */
static uint64_t table_taken(size_t count, bool good, struct err *err)
{
	struct buf file = elf_write_tables(count, good);
	struct image *image = image_open((const uint8_t *)file.data, file.len, "tables", err);
	struct pclntab table;
	assert_non_null(image);
	bool found = pclntab_init(&table, image, "tables", err);
	assert_int_equal(found ? table.count : 2, 2);
	pclntab_fini(&table);
	image_close(image);
	buf_free(&file);
	return found ? table.address : 0;
}

TEST(test_fake_tables_are_passed_over)
{
	struct err err = {0};
	assert_int_equal(table_taken(1, true, &err), ELF_FIRST_TABLE);
	assert_int_equal(table_taken(3, true, &err), ELF_FIRST_TABLE + 2 * ELF_TABLE_BYTES);
	assert_int_equal(table_taken(2, false, &err), 0);
	assert_non_null(strstr(err.text, "What looks like the table of functions"));
	err = (struct err){0};
	assert_int_equal(table_taken(0, false, &err), 0);
	assert_non_null(strstr(err.text, "it has no table of functions"));
}

TEST(test_other_formats_are_named)
{
	static const struct {
		const char *bytes, *expected;
	} files[] = {
		{"MZ\x90", "Windows"},
		{"\xcf\xfa\xed\xfe____", "Mach-O"},
		{"go1.7 heap dump\n", "heap dump"},
		{"#!/bin/sh\n", "no ELF"},
		{"\x7f"
	     "ELF",
	     "no ELF"},
	};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct err err = {0};
		size_t size = strlen(files[i].bytes);
		uint8_t *data = memcpy(mem_alloc(size), files[i].bytes, size);
		assert_null(image_open(data, size, "file", &err));
		assert_non_null(strstr(err.text, files[i].expected));
		free(data);
	}
}
