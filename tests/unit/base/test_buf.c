/* Growing strings, errors that keep the first cause, growing memory, progress. */
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/text.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

TEST(an_empty_buf_is_an_empty_text)
{
	struct buf buf = {0};
	assert_string_equal(buf_text(&buf), "");
	buf_add(&buf, "");
	assert_int_equal(buf.len, 0);
	buf_free(&buf);
	assert_string_equal(buf_text(&buf), "");
}

TEST(a_buf_grows_and_stays_terminated)
{
	SCOPED_BUF buf = {0};
	for (int i = 0; i < 10000; i++) {
		buf_addf(&buf, "%d,", i % 10);
		assert_int_equal(strlen(buf.data), buf.len);
	}
	assert_int_equal(buf.len, 20000);
	buf_clear(&buf);
	assert_string_equal(buf_text(&buf), "");
	buf_add_bytes(&buf, "a\0b", 3);
	buf_add_char(&buf, 'c');
	assert_memory_equal(buf.data, "a\0bc", 5);
}

TEST(a_buf_tells_that_something_was_left_out)
{
	SCOPED_BUF buf = {0};
	text_add_escaped(&buf, "\xe2\x80\xa6", 3, 3);
	assert_false(buf.cut); /* the text itself has the mark */
	text_add_escaped(&buf, "abc", 3, 2);
	assert_true(buf.cut);
}

TEST(an_error_keeps_its_first_cause)
{
	struct err err = {0};
	assert_false(err_at(&err, 42, "bad length %d", 7));
	assert_false(err_set(&err, "and then that"));
	assert_string_equal(err.text, "bad length 7");
	assert_int_equal(err.offset, 42);
	err_clear(&err);
	assert_false(err.set);
	err_set(&err, "new");
	assert_true(err.offset == ERR_NO_OFFSET);
	assert_false(err_set(NULL, "nobody asks"));
}

TEST(an_error_is_cut_to_its_room)
{
	struct err err = {0};
	err_set(&err, "%1000d", 1);
	assert_true(err.set);
	assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

TEST(a_part_of_a_text_is_copied)
{
	char *part = mem_strndup("goroutine", 2), *none = mem_strndup("goroutine", 0);
	assert_string_equal(part, "go");
	assert_string_equal(none, "");
	free(part);
	free(none);
}

TEST(arrays_double)
{
	uint32_t *items = NULL;
	size_t capacity = 0;
	for (uint32_t i = 0; i < 5000; i++) {
		items = mem_grow(items, i, &capacity, sizeof *items);
		items[i] = i;
	}
	for (uint32_t i = 0; i < 5000; i++)
		assert_int_equal(items[i], i);
	free(items);
}

TEST(columns_begin_zeroed_and_cost_only_what_is_written)
{
	size_t size = (size_t)1 << 40; /* more than any test machine has */
	uint8_t *column = mem_column(size);
	assert_int_equal(column[0], 0);
	assert_int_equal(column[size - 1], 0);
	column[5] = 1;
	column[size - 1] = 1;
	mem_column_trim(column, 6, size);
	assert_int_equal(column[5], 1);
	assert_int_equal(column[size - 1], 0);
	mem_column_free(column, size);
}

TEST(progress_tells_and_is_cancelled)
{
	static struct progress progress;
	progress_begin(&progress, "reading", 10);
	assert_true(progress_step(&progress, 4));
	assert_string_equal(atomic_load(&progress.what), "reading");
	assert_int_equal(atomic_load(&progress.done), 4);
	assert_int_equal(atomic_load(&progress.total), 10);
	atomic_store(&progress.cancel, true);
	assert_false(progress_step(&progress, 5));
	assert_true(progress_step(NULL, 5));
}
