/* The reader of layout 7: records, ghosts, allocation headers, truncated and hostile files. */
#include "format/dump_writer.h"
#include "format/format.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

struct told {
	struct params_record params;
	uint64_t records[RECORD_KINDS], objects, ghosts, warnings, ends, fields;
	uint64_t warning_offset;
	struct object_record last;
};

static void on_record(void *self, enum record_kind kind, const void *record)
{
	struct told *t = self;
	if (kind == RECORD_PARAMS)
		t->params = *(const struct params_record *)record;
	t->records[kind]++;
}
static void on_ghost(void *self, const struct object_record *r)
{
	(void)r;
	((struct told *)self)->ghosts++;
}
static void on_end(void *self, uint64_t offset)
{
	(void)offset;
	((struct told *)self)->ends++;
}

static void on_object(void *self, const struct object_record *r)
{
	struct told *t = self;
	struct fields fields = r->fields;
	uint64_t offset;
	t->objects++;
	t->last = *r;
	while (fields_next(&fields, &offset))
		t->fields++;
}

static void on_warning(void *self, uint64_t offset, const char *text)
{
	struct told *t = self;
	assert_true(strlen(text) > 10);
	t->warnings++;
	t->warning_offset = offset;
}

static bool read_all(const struct input *input, struct told *t, struct err *err)
{
	*t = (struct told){0};
	const struct sink sink = {
		.self = t,
		.record = on_record,
		.object = on_object,
		.ghost = on_ghost,
		.end = on_end,
		.warning = on_warning,
	};
	const struct format *format = format_find(input, err);
	struct reader *reader = format ? format->read(format, input, &sink, NULL, err) : NULL;
	if (reader)
		format->close(reader);
	return reader != NULL;
}

static void write_sample(struct dump_writer *w, unsigned pointer_size, bool big_endian)
{
	const struct dump_field two[] = {{0, 0xc000000040, 0}, {2 * pointer_size, 0xc000000000, 0}};
	const struct dump_field far[] = {{0, 0xc000000000, 0}, {4096, 1, 0}};
	dump_start(w, pointer_size, big_endian, "go1.19.8");
	dump_object(w, 0xc000000000, 64, two, 2);
	dump_object(w, 0xc000000040, 64, NULL, 0);
	dump_goroutine(w, 7, 4, 1000, "chan receive");
	dump_frame(w, 0x7000, 0, "main.main", 0x401234, 32, far, 2);
	dump_segment(w, false, 0x5000, 64, two, 1);
	dump_segment(w, true, 0x6000, 64, NULL, 0);
	dump_finalizer(w, true, 0xc000000000, 0);
	dump_end(w);
}

TEST(records_are_told)
{
	for (unsigned variant = 0; variant < 4; variant++) {
		SCOPED_DUMP w;
		struct told t;
		struct err err = {0};
		write_sample(&w, variant & 1 ? 8 : 4, variant & 2);
		struct input input = dump_input(&w);
		assert_true(read_all(&input, &t, &err));
		assert_int_equal(t.params.layout.pointer_size, variant & 1 ? 8 : 4);
		assert_int_equal(t.params.layout.big_endian, (variant & 2) != 0);
		assert_true(text_is(t.params.version, "go1.19.8"));
		assert_int_equal(t.objects, 2);
		assert_int_equal(t.fields, 2);
		assert_int_equal(t.records[RECORD_GOROUTINE], 1);
		assert_int_equal(t.records[RECORD_FRAME], 1);
		assert_int_equal(t.records[RECORD_DATA], 1);
		assert_int_equal(t.records[RECORD_BSS], 1);
		assert_int_equal(t.records[RECORD_FINALIZER] + t.records[RECORD_QUEUED_FINALIZER], 1);
		assert_int_equal(t.ends, 1);
		assert_int_equal(t.warnings, 0);
	}
}

/* Truncation anywhere: either nothing is usable and the message says where, or there is one
   warning, at an offset inside of the file, and no end record. */
TEST(cut_files_are_read_as_far_as_they_go)
{
	SCOPED_DUMP w;
	write_sample(&w, 8, false);
	struct input whole = dump_input(&w);
	uint64_t objects = 0;
	for (size_t size = 1; size < whole.size; size++) {
		struct told t;
		struct err err = {0};
		struct input input = whole;
		uint8_t *copy = malloc(size); /* so that a sanitizer sees an overread by one byte */
		memcpy(copy, whole.data, size);
		input.data = copy;
		input.size = size;
		if (read_all(&input, &t, &err)) {
			assert_int_equal(t.warnings, 1);
			assert_true(t.warning_offset <= size);
			assert_int_equal(t.ends, 0);
			assert_true(t.objects >= objects);
			objects = t.objects;
		} else {
			assert_true(err.set);
			assert_true(err.offset <= size);
		}
		free(copy);
	}
	assert_int_equal(objects, 2);
}

TEST(lengths_that_lie_are_refused)
{
	static const uint64_t lengths[] = {1 << 20, UINT32_MAX, INT64_MAX, UINT64_MAX - 7, UINT64_MAX};
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		SCOPED_DUMP w;
		struct told t;
		struct err err = {0};
		dump_start(&w, 8, false, "");
		dump_object(&w, 0xc000000000, 16, NULL, 0);
		size_t offset = w.out.len;
		dump_uvarint(&w, 1);
		dump_uvarint(&w, 0xc000000010);
		dump_uvarint(&w, lengths[i]);
		buf_add(&w.out, "only these bytes");
		struct input input = dump_input(&w);
		assert_true(read_all(&input, &t, &err));
		assert_int_equal(t.objects, 1);
		assert_int_equal(t.warnings, 1);
		assert_int_equal(t.warning_offset, offset);
	}
}

TEST(other_files_are_refused)
{
	static const char *const contents[] = {"x", "go1.3 heap dump\n", "go1.7 heap dump\n",
	                                       "go1.7 heap dump\n\1"};
	for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
		struct told t;
		struct err err = {0};
		struct input input = {.path = "t",
		                      .data = (const uint8_t *)contents[i],
		                      .size = strlen(contents[i]),
		                      .fd = -1};
		assert_false(read_all(&input, &t, &err));
		assert_true(err.set);
	}
}

TEST(object_records_are_decoded_again)
{
	SCOPED_DUMP w;
	struct told t;
	struct err err = {0};
	struct object_record again;
	static const struct sink deaf = {0};
	write_sample(&w, 8, false);
	struct input input = dump_input(&w);
	assert_true(read_all(&input, &t, &err));
	const struct format *format = format_find(&input, &err);
	struct reader *reader = format->read(format, &input, &deaf, NULL, &err);
	assert_true(format->object(reader, t.last.offset, &again));
	assert_int_equal(again.slot, t.last.slot);
	assert_int_equal(again.end, t.last.end);
	assert_false(format->object(reader, t.last.offset + 1, &again));
	assert_false(format->object(reader, input.size, &again));
	format->close(reader);
}

/* runtime/mbitmap.go: only since Go 1.22, only with pointers, only above 512 (64-bit) or 128 bytes,
   up to 32 KiB. */
TEST(allocation_headers_follow_the_version)
{
	static const struct {
		const char *version;
		unsigned pointer_size;
		uint64_t size;
		bool pointers;
		unsigned header;
	} cases[] = {
		{"go1.21.13", 8, 1024, true, 0}, {"go1.22.1", 8, 1024, true, 8},
		{"go1.22.1", 8, 512, true, 0},   {"go1.22.1", 8, 576, true, 8},
		{"go1.22.1", 8, 576, false, 0},  {"go1.27.3", 8, 32768, true, 8},
		{"go1.27.3", 8, 40960, true, 0}, {"go1.24.4", 4, 144, true, 8},
		{"go1.24.4", 4, 128, true, 0},   {"go1.22.12 X:noallocheaders", 8, 1024, true, 0},
		{"", 8, 1024, true, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct dump_field fields[] = {{0, 0x4a8000, DUMP_WORD}, {8, 0xc000000000, 0}};
		SCOPED_DUMP w;
		struct told t;
		struct err err = {0};
		dump_start(&w, cases[i].pointer_size, false, cases[i].version);
		dump_object(&w, 0xc000000000, cases[i].size, fields, cases[i].pointers ? 2 : 1);
		dump_end(&w);
		struct input input = dump_input(&w);
		assert_true(read_all(&input, &t, &err));
		assert_int_equal(t.last.header, cases[i].header);
	}
}

/* A full span of 64-byte slots: the number of its 128 slots that are objects. */
TEST(ghosts_follow_the_version)
{
	static const struct {
		const char *version;
		unsigned pointer_size;
		bool pointers;
		uint64_t objects;
	} cases[] = {
		{"go1.21.13", 8, true, 128},
		{"go1.22.12", 8, true, 126},
		{"go1.22.12", 8, false, 128},
		{"go1.22.12 X:noallocheaders", 8, true, 128},
		{"go1.26.10", 8, true, 124},
		{"go1.26.10", 8, false, 126},
		{"go1.26.10-X:nogreenteagc", 8, true, 126},
		{"go1.25.12 X:greenteagc", 8, false, 126},
		{"go1.25.12", 8, false, 128},
		{"go1.24.4", 4, true, 124},
		{"", 8, true, 128},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct dump_field field = {8, 0xc000000000, 0};
		SCOPED_DUMP w;
		struct told t;
		struct err err = {0};
		dump_start(&w, cases[i].pointer_size, false, cases[i].version);
		for (uint64_t slot = 0; slot < 128; slot++)
			dump_object(&w, 0xc000000000 + 64 * slot, 64, &field, cases[i].pointers);
		dump_end(&w);
		struct input input = dump_input(&w);
		assert_true(read_all(&input, &t, &err));
		assert_int_equal(t.objects, cases[i].objects);
		assert_int_equal(t.ghosts, 128 - cases[i].objects);
	}
}
