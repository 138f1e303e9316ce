/* Objects with long lists of fields, read in any order: the result is as if each were decoded
   alone, and their lists are scanned once. */
#include "cmocka_all.h"

#include "format/dump_writer.h"
#include "format/format.h"
#include "go/format/dump/go_next.h"

#include <string.h>

enum { OBJECTS = 40, MOST = 3000 };
#define OBJECT UINT64_C(0xc000000000)

struct fixture {
	struct dump_writer writer;
	struct go_reader *reader;
	uint64_t offset[OBJECTS];
};

/* Returns the number of words. Every third list is long, and some have just about the number of
   bytes that are scanned. */
static size_t words_of(unsigned object)
{
	return object % 3 == 0 ? MOST - object : object % 3 == 1 ? object : 380 + object / 3;
}

static int setup(void **state)
{
	static struct fixture f;
	struct dump_field fields[MOST];
	struct params_record params = {.version = {"go1.19.8", 8}, .layout.pointer_size = 8};
	const struct format *format = NULL;
	f = (struct fixture){.writer.pointer_size = 8};
	for (size_t i = 0; i < MOST; i++)
		fields[i] = (struct dump_field){8 * i, OBJECT, 0};
	for (unsigned i = 0; i < OBJECTS; i++) {
		f.offset[i] = f.writer.out.len;
		dump_object(&f.writer, OBJECT + i * 8ULL * MOST, 8ULL * MOST, fields, words_of(i));
	}
	for (size_t i = 0; formats[i]; i++)
		if (strcmp(formats[i]->name, "go1.7") == 0)
			format = formats[i];
	f.reader = go_reader_new(format->variant, (const uint8_t *)f.writer.out.data, f.writer.out.len);
	go_reader_set_params(f.reader, &params);
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	go_reader_free(f->reader);
	dump_free(&f->writer);
	return 0;
}

static void check(const struct fixture *f, unsigned object, const struct object_record *read)
{
	uint64_t offset = f->offset[object],
			 next = object + 1 < OBJECTS ? f->offset[object + 1] : f->writer.out.len;
	struct object_record decoded;
	struct cursor c = cursor_make(f->reader->data, f->reader->size, offset + 1);
	assert_true(go_object_decode(f->reader, &c, offset, go_object_stop, &decoded));
	assert_int_equal(decoded.end, next);
	assert_int_equal(read->offset, offset);
	assert_int_equal(read->end, next);
	assert_int_equal(read->slot, decoded.slot);
	assert_ptr_equal(read->data, decoded.data);
	assert_ptr_equal(read->fields.at, decoded.fields.at);
	assert_ptr_equal(read->fields.end, decoded.fields.end);
}

TEST_WITH(long_lists_stop_where_they_do, setup, teardown)
{
	const struct fixture *f = *state;
	const struct reader *reader = (const struct reader *)f->reader;
	struct object_record read;
	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = OBJECTS; i-- > 0;) {
			assert_true(go_object_read(reader, f->offset[i], &read));
			check(f, i, &read);
		}
	assert_true(go_object_read(reader, 0, &read));
	for (unsigned i = 1; i < OBJECTS; i++) {
		assert_true(go_object_next(reader, &read));
		check(f, i, &read);
	}
	assert_false(go_object_next(reader, &read));
}

/* A scanned list is not read again: a byte that would end it goes unnoticed. */
TEST_WITH(long_lists_are_gone_through_once, setup, teardown)
{
	const struct fixture *f = *state;
	const struct reader *reader = (const struct reader *)f->reader;
	struct object_record first, again;
	for (unsigned i = 0; i < OBJECTS; i += 3) {
		assert_true(go_object_read(reader, f->offset[i], &first));
		uint8_t *middle = (uint8_t *)f->writer.out.data + (first.fields.at - f->reader->data)
		                  + (first.fields.end - first.fields.at) / 2;
		uint8_t before = *middle;
		memset(middle, 0, 1);
		assert_true(go_object_read(reader, f->offset[i], &again));
		assert_int_equal(again.end, first.end);
		assert_ptr_equal(again.fields.end, first.fields.end);
		*middle = before;
	}
}

/* A file that ends within a long list does not have the object, however often it is requested. */
TEST_WITH(cut_lists_are_no_objects, setup, teardown)
{
	const struct fixture *f = *state;
	struct object_record record;
	for (uint64_t cut = 1; cut < 9000; cut += 257) {
		struct go_reader *reader =
			go_reader_new(f->reader->layout, f->reader->data, f->offset[1] - cut);
		go_reader_set_params(reader, &f->reader->params);
		for (unsigned round = 0; round < 3; round++)
			assert_false(go_object_read((const struct reader *)reader, 0, &record));
		go_reader_free(reader);
	}
}
