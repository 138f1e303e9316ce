/* Types in hostile files: cycles, values larger than their container, damage anywhere. Whatever is
   read must keep the promises of exe/gotype.h, and must not take long. */
#include "base/mem.h"
#include "exe/elf_writer.h"
#include "exe/types_of.h"

#include "cmocka_all.h"
#include "xorshift.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "testdata/go1.24.4-small.exe.xz";

/* ---- A few handwritten DIEs. All references are four bytes from the start of the only unit. */

enum { UNIT = 1, STRUCT, MEMBER, TYPEDEF, POINTER, ARRAY, COUNT };

static const unsigned char abbreviations[] = {
	UNIT,    0x11, 1, 0x13, 0x0b, 0,    0,             /* compile_unit: language data1 */
	STRUCT,  0x13, 1, 0x03, 0x08, 0x0b, 0x0f, 0,    0, /* structure_type: name, byte_size udata */
	MEMBER,  0x0d, 0, 0x03, 0x08, 0x38, 0x0f, 0x49, 0x13,
	0,       0,                                        /* member: name, location udata, type */
	TYPEDEF, 0x16, 0, 0x03, 0x08, 0x49, 0x13, 0,    0, /* typedef: name, type ref4 */
	POINTER, 0x0f, 0, 0x03, 0x08, 0x49, 0x13, 0,    0, /* pointer_type: name, type */
	ARRAY,   0x01, 1, 0x03, 0x08, 0x0b, 0x0f, 0x49, 0x13,
	0,       0,                            /* array_type: name, byte_size, type */
	COUNT,   0x21, 0, 0x37, 0x0f, 0,    0, /* subrange_type: count udata */
	0,
};

struct dwarf {
	struct buf info;
};

static void add_number(struct dwarf *dwarf, uint64_t value)
{
	do
		buf_add_char(&dwarf->info, (char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0)));
	while ((value >>= 7));
}

static void add_reference(struct dwarf *dwarf, uint32_t to)
{
	buf_add_bytes(&dwarf->info, &to, sizeof to);
}

static uint32_t begin(struct dwarf *dwarf, char code, const char *name)
{
	uint32_t at = (uint32_t)dwarf->info.len;
	buf_add_char(&dwarf->info, code);
	buf_add_bytes(&dwarf->info, name, strlen(name) + 1);
	return at;
}

static uint32_t add_struct(struct dwarf *dwarf, const char *name, uint64_t size)
{
	uint32_t at = begin(dwarf, STRUCT, name);
	add_number(dwarf, size);
	return at;
}

static void add_member(struct dwarf *dwarf, const char *name, uint64_t offset, uint32_t type)
{
	begin(dwarf, MEMBER, name);
	add_number(dwarf, offset);
	add_reference(dwarf, type);
}

static void end(struct dwarf *dwarf)
{
	buf_add_char(&dwarf->info, '\0');
}

static void add_array(struct dwarf *dwarf, const char *name, uint64_t size, uint64_t count,
                      uint32_t type)
{
	begin(dwarf, ARRAY, name);
	add_number(dwarf, size);
	add_reference(dwarf, type);
	buf_add_char(&dwarf->info, COUNT);
	add_number(dwarf, count);
	end(dwarf);
}

static void start(struct dwarf *dwarf)
{
	static const unsigned char header[] = {0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, UNIT, 0x16 /* Go */};
	*dwarf = (struct dwarf){0};
	buf_add_bytes(&dwarf->info, header, sizeof header);
}

static struct buf finish(struct dwarf *dwarf)
{
	end(dwarf);
	uint32_t length = (uint32_t)dwarf->info.len - 4;
	memcpy(dwarf->info.data, &length, sizeof length);
	const struct elf_part parts[] = {{".debug_info", dwarf->info.data, dwarf->info.len},
	                                 {".debug_abbrev", abbreviations, sizeof abbreviations}};
	struct buf file = elf_write(parts, 2);
	buf_free(&dwarf->info);
	return file;
}

/* ---- Promises for all types */

static void assert_within(const struct gotypes *types, gotype_id id)
{
	const struct gotype *type = gotype_get(types, id);
	uint64_t from = 0;
	assert_true(type->size <= UINT64_C(1) << 47);
	for (uint32_t i = 0; type->kind == GO_STRUCT && i < type->fields; i++) {
		const struct gofield *field = gotype_field(types, type->first_field + i);
		uint64_t size = gotype_get(types, field->type)->size;
		assert_true(field->type <= gotypes_count(types));
		if (!field->type)
			continue;
		assert_true(field->offset >= from && field->offset + size <= type->size);
		from = field->offset + size;
	}
	if (type->kind == GO_ARRAY && type->elem)
		assert_true(gotype_get(types, type->elem)->size == 0
		            || type->count <= type->size / gotype_get(types, type->elem)->size);
}

static gotype_id inner_of_same_size(const struct gotypes *types, gotype_id id)
{
	const struct gotype *type = gotype_get(types, id);
	if (type->kind == GO_ARRAY && type->elem && gotype_get(types, type->elem)->size == type->size)
		return type->elem;
	for (uint32_t i = 0; type->kind == GO_STRUCT && i < type->fields; i++) {
		gotype_id inner = gotype_field(types, type->first_field + i)->type;
		if (inner && gotype_get(types, inner)->size == type->size)
			return inner;
	}
	return 0;
}

static void assert_sound(struct gotypes *types)
{
	SCOPED_BUF shown = {0};
	gotypes_complete(types);
	for (gotype_id id = 1; id <= gotypes_count(types); id++) {
		unsigned wraps = 0;
		buf_clear(&shown);
		gotype_display(types, id, &shown);
		assert_within(types, id);
		for (gotype_id at = id; (at = inner_of_same_size(types, at));)
			assert_true(wraps++ < 100);
		assert_in_range(gotype_align(types, id), 1, 16);
	}
}

/* Reads everything; a refused file is fine. */
static void use(const char *data, size_t size)
{
	struct err err = {0};
	struct image *image = image_open((const uint8_t *)data, size, "hostile", &err);
	struct pclntab table = {0};
	if (!image)
		return;
	bool has_code = pclntab_init(&table, image, "hostile", &err);
	struct gotypes *types = gotypes_new(image, table.module.address);
	size_t count;
	gotypes_globals(types, &count);
	for (size_t i = 0; has_code && i < table.count; i += 5) {
		bool exact;
		uint64_t entry = table.functions[i].entry;
		free(gotypes_locals(types, entry, entry + 16, &count));
		gotypes_closure(types, entry, &exact);
	}
	assert_sound(types);
	gotypes_free(types);
	pclntab_fini(&table);
	image_close(image);
}

struct opened {
	struct buf file;
	struct image *image;
	struct gotypes *types;
};

static void open_dwarf(struct opened *opened, struct dwarf *dwarf)
{
	opened->file = finish(dwarf);
	opened->image = image_open((const uint8_t *)opened->file.data, opened->file.len, "made", NULL);
	assert_non_null(opened->image);
	opened->types = gotypes_new(opened->image, 0);
	assert_true(gotypes_have_dwarf(opened->types));
	assert_sound(opened->types);
}

static void close_dwarf(struct opened *opened)
{
	gotypes_free(opened->types);
	image_close(opened->image);
	buf_free(&opened->file);
}

/* ---- Tests */

TEST(test_a_struct_in_itself)
{
	struct dwarf dwarf;
	struct opened opened;
	start(&dwarf);
	uint32_t self = add_struct(&dwarf, "main.Self", 16);
	add_member(&dwarf, "all", 0, self);
	add_member(&dwarf, "again", 0, self);
	end(&dwarf);
	uint32_t a = add_struct(&dwarf, "main.A", 8);
	add_member(&dwarf, "b", 0, a + 18);
	end(&dwarf);
	assert_int_equal(add_struct(&dwarf, "main.B", 8), a + 18);
	add_member(&dwarf, "a", 0, a);
	end(&dwarf);
	open_dwarf(&opened, &dwarf);
	assert_int_equal(gotypes_count(opened.types), 3);
	assert_int_equal(gotype_get(opened.types, gotypes_named(opened.types, "main.Self"))->fields, 2);
	close_dwarf(&opened);
}

TEST(test_typedefs_and_pointers_in_a_circle)
{
	struct dwarf dwarf;
	struct opened opened;
	start(&dwarf);
	uint32_t one = begin(&dwarf, TYPEDEF, "main.One");
	add_reference(&dwarf, one);
	uint32_t pointer = begin(&dwarf, POINTER, "*main.P");
	add_reference(&dwarf, pointer);
	begin(&dwarf, TYPEDEF, "main.Nowhere");
	add_reference(&dwarf, 0x7fffffff);
	open_dwarf(&opened, &dwarf);
	gotype_id id = gotypes_named(opened.types, "*main.P");
	assert_int_equal(gotype_get(opened.types, id)->elem, id);
	close_dwarf(&opened);
}

TEST(test_sizes_that_cannot_be)
{
	struct dwarf dwarf;
	struct opened opened;
	start(&dwarf);
	uint32_t huge = add_struct(&dwarf, "main.Huge", UINT64_MAX);
	end(&dwarf);
	uint32_t word = add_struct(&dwarf, "main.Word", 8);
	end(&dwarf);
	add_array(&dwarf, "[9]main.Word", 64, 9, word);
	add_array(&dwarf, "[8]main.Word", 64, 8, word);
	add_struct(&dwarf, "main.Outer", 24);
	add_member(&dwarf, "fits", 0, word);
	add_member(&dwarf, "overlaps", 4, word);
	add_member(&dwarf, "huge", 8, huge);
	add_member(&dwarf, "sticks out", 20, word);
	add_member(&dwarf, "wraps", UINT64_MAX - 3, word);
	add_member(&dwarf, "fits too", 16, word);
	end(&dwarf);
	open_dwarf(&opened, &dwarf);
	struct gotypes *types = opened.types;
	gotype_id outer = gotypes_named(types, "main.Outer"), id = gotypes_named(types, "main.Word");
	assert_int_equal(gotype_field_named(types, outer, "fits", NULL), id);
	assert_int_equal(gotype_field_named(types, outer, "fits too", NULL), id);
	assert_int_equal(gotype_field_named(types, outer, "overlaps", NULL), 0);
	assert_int_equal(gotype_field_named(types, outer, "sticks out", NULL), 0);
	assert_int_equal(gotype_field_named(types, outer, "wraps", NULL), 0);
	assert_int_equal(gotype_get(types, gotypes_named(types, "main.Huge"))->size, 0);
	assert_int_equal(gotype_get(types, gotypes_named(types, "[9]main.Word"))->elem, 0);
	assert_int_equal(gotype_get(types, gotypes_named(types, "[8]main.Word"))->elem, id);
	close_dwarf(&opened);
}

/* Nested fields, so deep that a recursion would overflow the stack. */
TEST(test_deep_nesting)
{
	struct dwarf dwarf;
	struct opened opened;
	enum { DEPTH = 100000 };
	start(&dwarf);
	uint32_t inner = add_struct(&dwarf, "main.D", 1);
	end(&dwarf);
	for (unsigned i = 1; i < DEPTH; i++) {
		uint32_t outer = add_struct(&dwarf, "main.D", i % 2 ? i : i - 1); /* each twice as large as
		                                                                     the previous */
		add_member(&dwarf, "d", 0, inner);
		end(&dwarf);
		inner = outer;
	}
	open_dwarf(&opened, &dwarf);
	assert_int_equal(gotypes_count(opened.types), DEPTH);
	close_dwarf(&opened);
}

static void use_damaged(const void *data, size_t size, size_t from, size_t range, unsigned bytes,
                        uint64_t *seed)
{
	char *copy = memcpy(mem_alloc(size), data, size);
	for (unsigned i = 0; i < bytes; i++) {
		uint64_t random = xorshift_next(seed);
		copy[from + (random >> 16) % range] = (char)(random >> 8);
	}
	alarm(60); /* ends a test that hangs */
	use(copy, size);
	alarm(0);
	free(copy);
}

TEST(test_damaged_dwarf)
{
	struct buf file = elf_write_debug(path);
	uint64_t seed = 20240611;
	assert_true(file.len > 500000);
	for (unsigned round = 0; round < 30; round++)
		use_damaged(file.data, file.len, 128, file.len - 128, 4u << round % 12, &seed);
	for (size_t size = 4096; size < file.len; size += file.len / 12)
		use(file.data, size);
	buf_free(&file);
}

TEST(test_damaged_table)
{
	struct types_of of;
	uint64_t start_at, end_at, seed = 20240612;
	types_of_open(&of, path, true);
	assert_true(gotypes_range(of.types, &start_at, &end_at));
	size_t from = (size_t)(image_bytes(of.image, start_at, 1) - of.data);
	for (unsigned round = 0; round < 12; round++)
		use_damaged(of.data, of.input.size, from, (size_t)(end_at - start_at), 64u << round, &seed);
	types_of_close(&of);
}
