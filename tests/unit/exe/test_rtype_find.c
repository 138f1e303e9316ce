/* The search for the type descriptors of a stripped program: tables after hundreds of KB of names,
   other tables that look similar, records that refer to nothing. */
#include "base/mem.h"
#include "exe/elf_writer.h"
#include "go/exe/gotypes.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	START = 0x500000,
	DESCRIPTOR = 64, /* bytes: the common part and two words */
	TYPES = 300,     /* structs, each with a pointer to it */
	RECORD_WORDS = 80,
	KIND_POINTER = 22,
	KIND_STRUCT = 25
};

/* A segment with tables of types and the runtime's record of their addresses. */
struct made {
	struct buf segment, elf;
	uint64_t record;
	struct image *image;
	struct gotypes *types;
};

static void word(struct made *made, uint64_t at, unsigned bytes, uint64_t value)
{
	memcpy(made->segment.data + (at - START), &value, bytes);
}

static uint64_t end_of(const struct made *made)
{
	return START + made->segment.len;
}

static void pad(struct made *made, size_t bytes)
{
	for (size_t i = 0; i < bytes || made->segment.len % 8; i++)
		buf_add_char(&made->segment, '\0');
}

static uint64_t add_name(struct made *made, const char *name)
{
	uint64_t at = end_of(made);
	buf_add_char(&made->segment, '\0');
	buf_add_char(&made->segment, (char)strlen(name));
	buf_add(&made->segment, name);
	return at;
}

static uint64_t add_descriptor(struct made *made, uint64_t base, uint64_t name, unsigned kind,
                               uint64_t elem)
{
	uint64_t at = end_of(made);
	pad(made, DESCRIPTOR + 24);
	word(made, at, 8, 8);
	word(made, at + 8, 8, kind == KIND_POINTER ? 8 : 0);
	word(made, at + 16, 4, at | 1);
	word(made, at + 21, 1, 8);
	word(made, at + 22, 1, 8);
	word(made, at + 23, 1, kind);
	word(made, at + 40, 4, name - base);
	word(made, at + 48, 8, elem);
	return at;
}

/* Adds `types` structs, with pointers to them if requested; names are `room` bytes before. */
static uint64_t add_table(struct made *made, unsigned types, size_t room, bool pointers)
{
	uint64_t base = end_of(made), *names = mem_alloc(types * sizeof *names);
	char name[40];
	pad(made, 8);
	for (unsigned i = 0; i < types; i++) {
		snprintf(name, sizeof name, "*main.Type%05u", i);
		names[i] = add_name(made, name);
	}
	while (end_of(made) < base + room)
		add_name(made, "a.name.that.is.of.no.type");
	pad(made, 0);
	for (unsigned i = 0; i < types; i++) {
		uint64_t type = add_descriptor(made, base, names[i], KIND_STRUCT, 0);
		word(made, type + 20, 1, 2); /* the star is not a part of the name */
		if (pointers)
			add_descriptor(made, base, names[i], KIND_POINTER, type);
	}
	free(names);
	return base;
}

static void start(struct made *made)
{
	*made = (struct made){0};
	made->record = START;
	pad(made, RECORD_WORDS * 8);
}

static void set_record(struct made *made, unsigned index, uint64_t value)
{
	word(made, made->record + index * 8, 8, value);
}

static void open_types(struct made *made, const char *version)
{
	char info[64] = "\xff Go buildinf:\x08\x02";
	info[32] = (char)strlen(version);
	strcpy(info + 33, version);
	const struct elf_part part = {".go.buildinfo", info, sizeof info};
	made->elf = elf_write(&part, *version ? 1 : 0);
	made->image = image_open((const uint8_t *)made->elf.data, made->elf.len, "made", NULL);
	assert_non_null(made->image);
	made->image->segments[0] = (struct image_segment){START, made->segment.len,
	                                                  (const uint8_t *)made->segment.data, false};
	made->types = gotypes_new(made->image, made->record);
}

static void close_types(struct made *made)
{
	gotypes_free(made->types);
	image_close(made->image);
	buf_free(&made->elf);
	buf_free(&made->segment);
}

static void assert_found(struct made *made, uint64_t base)
{
	uint64_t from, to;
	assert_true(gotypes_range(made->types, &from, &to));
	assert_int_equal(from, base);
	gotype_id id = gotypes_named(made->types, "*main.Type00123");
	assert_string_equal(gotype_get(made->types, gotype_get(made->types, id)->elem)->name,
	                    "main.Type00123");
}

TEST(test_types_behind_many_names)
{
	struct made made;
	start(&made);
	uint64_t base = add_table(&made, TYPES, 2000000, true);
	set_record(&made, 37, base);
	set_record(&made, 38, end_of(&made));
	open_types(&made, "");
	assert_found(&made, base);
	close_types(&made);
}

TEST(test_every_release_has_them_in_its_place)
{
	static const struct {
		const char *version;
		unsigned base, end;
	} releases[] = {{"go1.27.3", 37, 39}, {"go1.28", 37, 39}, {"go1.20", 37, 38},
	                {"go1.26.4", 37, 38}, {"go1.17", 35, 36}, {"go1.15.15", 25, 26},
	                {"go1.27", 37, 38},   {"devel", 35, 36}};
	for (size_t i = 0; i < sizeof releases / sizeof *releases; i++) {
		struct made made;
		start(&made);
		uint64_t base = add_table(&made, TYPES, 0, true);
		set_record(&made, releases[i].base, base);
		set_record(&made, releases[i].end, end_of(&made));
		open_types(&made, releases[i].version);
		assert_found(&made, base);
		close_types(&made);
	}
}

/* A set of more descriptors that do not refer to each other is not the table. */
TEST(test_what_holds_together_is_the_table)
{
	struct made made;
	start(&made);
	uint64_t lure = add_table(&made, 4 * TYPES, 0, false);
	uint64_t base = add_table(&made, TYPES, 500000, true);
	set_record(&made, 20, lure);
	set_record(&made, 30, base);
	set_record(&made, 31, end_of(&made));
	open_types(&made, "");
	assert_found(&made, base);
	close_types(&made);
}

TEST(test_records_that_lead_nowhere)
{
	static const uint64_t values[][2] = {{0, 0},
	                                     {START, UINT64_MAX},
	                                     {UINT64_MAX, START},
	                                     {UINT64_MAX - 7, UINT64_MAX},
	                                     {START, START}};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		struct made made;
		uint64_t from, to;
		start(&made);
		set_record(&made, 37, values[i][0]);
		set_record(&made, 38, values[i][1]);
		open_types(&made, "go1.24");
		assert_false(gotypes_range(made.types, &from, &to));
		assert_int_equal(gotypes_named(made.types, "main.Type00123"), 0);
		close_types(&made);
	}
}
