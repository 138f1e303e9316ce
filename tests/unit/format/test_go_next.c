/* Object records predicted from their predecessors, one by one and as rows, compared with
   go_object_decode: sequences of records, with bytes changed or truncated anywhere. */
#include "format/dump_writer.h"
#include "format/format.h"
#include "go/format/dump/go_next.h"

#include "cmocka_all.h"
#include "xorshift.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 1500, RECORDS = 40, FIELDS = 24 };

static uint64_t seed = 88172645463325252;

/* Writes mostly similar objects, with another size, list or address now and then. */
static void write_row(struct dump_writer *w)
{
	static const uint64_t sizes[] = {0, 8, 16, 120, 128, 512, 1024, 8192, 32768, 40960};
	static const uint64_t bases[] = {0x40, 0x2000, 0xc000000000, 0xd9abc000000, 0xfff7abc000000000};
	struct dump_field fields[FIELDS];
	uint64_t size = 16, base = 0xc000000000, listed = 1;
	for (unsigned i = 0; i < RECORDS; i++) {
		size = xorshift_below(&seed, 8)
		           ? size
		           : sizes[xorshift_below(&seed, sizeof sizes / sizeof *sizes)];
		base = xorshift_below(&seed, 12)
		           ? base
		           : bases[xorshift_below(&seed, sizeof bases / sizeof *bases)];
		listed = xorshift_below(&seed, 4) ? listed : xorshift_below(&seed, FIELDS);
		size_t count = 0;
		for (uint64_t at = 0; at + 8 <= size && count < listed; at += 8)
			fields[count++] =
				(struct dump_field){.offset = at, .value = xorshift_below(&seed, UINT64_MAX)};
		dump_object(w, base + i * size, size, fields, count);
	}
}

static void assert_same_record(const struct object_record *x, const struct object_record *y)
{
	assert_int_equal(x->offset, y->offset);
	assert_int_equal(x->end, y->end);
	assert_int_equal(x->slot, y->slot);
	assert_int_equal(x->size, y->size);
	assert_int_equal(x->stored, y->stored);
	assert_ptr_equal(x->data, y->data);
	assert_ptr_equal(x->fields.at, y->fields.at);
	assert_ptr_equal(x->fields.end, y->fields.end);
	assert_null(x->fields.old);
	assert_int_equal(x->header, y->header);
	assert_int_equal(x->untyped, y->untyped);
}

/* Returns the number of records that were predicted; *all is that of all readable records. */
static unsigned walk_row(const struct go_reader *reader, unsigned *all)
{
	struct object_record expected = {0}, decoded;
	unsigned met = 0;
	uint64_t offset = 0;
	for (;; offset = decoded.end, ++*all) {
		struct object_record before = expected;
		bool quick = go_object_expect(reader, offset, &expected);
		bool read = go_object_read((const struct reader *)reader, offset, &decoded);
		if (!quick)
			assert_memory_equal(&before, &expected, sizeof before);
		if (!read) {
			assert_false(quick);
			return met;
		}
		if (quick)
			assert_same_record(&expected, &decoded);
		expected = decoded;
		met += quick;
	}
}

static const struct go_layout *newest_layout(void)
{
	for (size_t i = 0; formats[i]; i++)
		if (strcmp(formats[i]->name, "go1.7") == 0)
			return formats[i]->variant;
	return NULL;
}

TEST(expected_records_are_as_decoded)
{
	unsigned all = 0, met = 0;
	struct params_record params = {.version = {"go1.22.1", 8}, .layout.pointer_size = 8};
	for (unsigned row = 0; row < ROWS; row++) {
		SCOPED_DUMP w = {.pointer_size = 8};
		write_row(&w);
		size_t size = row % 3 == 1 ? 1 + xorshift_below(&seed, w.out.len) : w.out.len;
		uint8_t *bytes = malloc(size);
		memcpy(bytes, w.out.data, size);
		for (unsigned i = 0; row % 3 == 2 && i < 4; i++)
			bytes[xorshift_below(&seed, size < 400 ? size : 400)] =
				(uint8_t)xorshift_below(&seed, 256);
		struct go_reader *reader = go_reader_new(newest_layout(), bytes, size);
		go_reader_set_params(reader, &params);
		met += walk_row(reader, &all);
		go_reader_free(reader);
		free(bytes);
	}
	assert_true(met > all / 2 && met < all);
}

/* All that a sink is told of objects. */
struct told {
	struct object_record object[2 * RECORDS + 8];
	bool ghost[2 * RECORDS + 8];
	unsigned count, rows, ghosts;
};

static void tell_one(void *self, const struct object_record *r)
{
	struct told *told = self;
	assert_true(told->count < sizeof told->object / sizeof *told->object);
	told->ghost[told->count] = false;
	told->object[told->count++] = *r;
}

static void tell_ghost(void *self, const struct object_record *r)
{
	struct told *told = self;
	tell_one(told, r);
	told->ghost[told->count - 1] = true;
	told->ghosts++;
}

static void tell_row(void *self, const struct object_record *before, const uint64_t *slots,
                     size_t count, size_t bytes)
{
	struct told *told = self;
	struct object_record r = *before;
	assert_int_equal(before->end, told->object[told->count - 1].end);
	for (size_t i = 0; i < count; i++) {
		object_record_step(&r, bytes, slots[i]);
		tell_one(told, &r);
	}
	told->rows++;
}

static void tell_text(void *self, uint64_t offset, const char *text)
{
	(void)self, (void)offset, (void)text;
}

static void read_told(const struct input *input, bool rows, struct told *told)
{
	const struct sink sink = {.self = told,
	                          .object = tell_one,
	                          .ghost = tell_ghost,
	                          .row = rows ? tell_row : NULL,
	                          .warning = tell_text,
	                          .notice = tell_text};
	struct err err = {0};
	const struct format *format = format_find(input, &err);
	assert_non_null(format);
	struct reader *reader = format->read(format, input, &sink, NULL, &err);
	assert_non_null(reader);
	format->close(reader);
}

TEST(rows_are_as_single_objects)
{
	static const char *const versions[] = {"go1.19.8", "go1.22.1", "go1.26.1"};
	static struct told one, two;
	unsigned rows = 0, ghosts = 0;
	for (unsigned row = 0; row < ROWS; row++) {
		SCOPED_DUMP w;
		dump_start(&w, 8, false, versions[row % 3]);
		size_t start = w.out.len;
		write_row(&w);
		dump_end(&w);
		for (unsigned i = 0; row % 2 && i < 4; i++)
			w.out.data[start + xorshift_below(&seed, w.out.len - start)] =
				(char)xorshift_below(&seed, 256);
		struct input input = dump_input(&w);
		one.count = two.count = two.rows = two.ghosts = 0;
		read_told(&input, false, &one);
		read_told(&input, true, &two);
		assert_int_equal(two.count, one.count);
		for (unsigned i = 0; i < one.count; i++)
			assert_same_record(&two.object[i], &one.object[i]);
		assert_memory_equal(two.ghost, one.ghost, one.count * sizeof *one.ghost);
		rows += two.rows;
		ghosts += two.ghosts;
	}
	assert_true(rows > ROWS && ghosts > ROWS / 10);
}
