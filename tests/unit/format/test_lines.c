/* Lines, words and numbers of texts. */
#include "cmocka_all.h"

#include "netcf/format/lines.h"

#include <string.h>

static void check_lines(const char *bytes, size_t size, const char *const *right)
{
	struct lines lines = lines_begin((const uint8_t *)bytes, size);
	struct text line;
	uint64_t offset, last = 0, count = 0;
	while (lines_next(&lines, &offset, &line)) {
		assert_non_null(right[count]);
		assert_true(text_is(line, right[count]));
		assert_true(count == 0 || offset > last);
		last = offset;
		assert_int_equal(lines.number, ++count);
		struct lines again = lines_at(&lines, offset);
		struct text same;
		assert_true(lines_next(&again, &offset, &same));
		assert_true(text_is(same, right[count - 1]));
		lines_end(&again);
	}
	assert_null(right[count]);
	lines_end(&lines);
}

TEST(lines_of_utf8)
{
	check_lines("a\r\n\nbc", 6, (const char *const[]){"a", "", "bc", NULL});
	check_lines("a\n", 2, (const char *const[]){"a", NULL});
	check_lines("\xef\xbb\xbfx\n", 5, (const char *const[]){"x", NULL});
	check_lines("", 0, (const char *const[]){NULL});
}

TEST(lines_by_cr)
{
	check_lines("a\rb\r\rc", 6, (const char *const[]){"a", "b", "", "c", NULL});
	check_lines("a\rb\nc\r", 6, (const char *const[]){"a", "b", "c", NULL});
	check_lines("a\nb\rc\r\n", 7, (const char *const[]){"a", "b\rc", NULL});
	check_lines("a\0\r\0b\0", 6, (const char *const[]){"a", "b", NULL});
	check_lines("\xfe\xff\0a\0\r\0b", 8, (const char *const[]){"a", "b", NULL});
}

TEST(lines_of_utf16)
{
	static const char *const right[] = {"a", "\xc3\xbc\xe6\x97\xa5\xf0\x9f\x98\x80", NULL};
	static const char little[] = "a\0\r\0\n\0\xfc\0\xe5\x65\x3d\xd8\x00\xde";
	static const char big[] = "\xfe\xff\0a\0\n\0\xfc\x65\xe5\xd8\x3d\xde\x00";
	check_lines(little, sizeof little - 1, right);
	check_lines(big, sizeof big - 1, right);
}

/* Half of a UTF-16 surrogate pair, and half a character at the end. */
TEST(broken_utf16)
{
	static const char text[] = "a\0\x3d\xd8\n\0b\0\x3d";
	check_lines(text, sizeof text - 1, (const char *const[]){"a\xef\xbf\xbd", "b", NULL});
}

TEST(words)
{
	struct text line = {"  one\ttwo ", 10};
	assert_true(text_is(line_word(&line), "one"));
	assert_true(text_is(line_word(&line), "two"));
	assert_true(text_is(line_word(&line), ""));
	assert_true(text_is(line_trim((struct text){" \ta b\t", 6}), "a b"));
}

TEST(numbers)
{
	static const struct {
		const char *text;
		bool ok;
		uint64_t number;
	} cases[] = {
		{"0", true, 0},
		{"1C", true, 0x1c},
		{"ffffffffffffffff", true, UINT64_MAX},
		{"10000000000000000", false, 0},
		{"", false, 0},
		{"0x1", false, 0},
		{"g", false, 0},
		{"-1", false, 0},
		{"@", false, 0},
		{"`", false, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text text = {cases[i].text, strlen(cases[i].text)};
		uint64_t number = 0;
		assert_int_equal(line_hex(text, &number), cases[i].ok);
		assert_int_equal(number, cases[i].number);
	}
}
