/* Sizes, counts and durations for display; bytes of a dump made printable. */
#include "base/text.h"

#include "cmocka_all.h"

#include <string.h>

static void check_number(void (*add)(struct buf *, uint64_t), uint64_t number, const char *expected)
{
	SCOPED_BUF buf = {0};
	add(&buf, number);
	assert_string_equal(buf_text(&buf), expected);
}

TEST(sizes_use_the_largest_unit_that_fits)
{
	check_number(text_add_size, 0, "0 B");
	check_number(text_add_size, 1023, "1023 B");
	check_number(text_add_size, 1024, "1.0 KB");
	check_number(text_add_size, 1536, "1.5 KB");
	check_number(text_add_size, 1024 * 1024 - 1, "1.0 MB");
	check_number(text_add_size, 3u << 20, "3.0 MB");
	check_number(text_add_size, UINT64_MAX, "16.0 EB");
}

TEST(counts_have_commas)
{
	check_number(text_add_count, 0, "0");
	check_number(text_add_count, 999, "999");
	check_number(text_add_count, 1000, "1,000");
	check_number(text_add_count, 12590112, "12,590,112");
	check_number(text_add_count, UINT64_MAX, "18,446,744,073,709,551,615");
}

TEST(words_after_a_count_are_never_cut)
{
	static const char words[] =
		"objects of a kind whose name is longer than a number of any kind is";
	SCOPED_BUF buf = {0};
	text_add_number_of(&buf, 12590112, "object", words);
	assert_memory_equal(buf_text(&buf), "12,590,112 ", 11);
	assert_string_equal(buf_text(&buf) + 11, words);
}

TEST(durations_grow_with_their_unit)
{
	check_number(text_add_duration, 5, "5 ns");
	check_number(text_add_duration, 2500000000, "2.5 s");
	check_number(text_add_duration, 31 * 60 * UINT64_C(1000000000), "31 min");
	check_number(text_add_duration, 3 * 86400 * UINT64_C(1000000000), "3.0 days");
}

TEST(a_share_of_nothing_is_blank)
{
	SCOPED_BUF buf = {0};
	text_add_share(&buf, 1, 0);
	assert_string_equal(buf_text(&buf), "");
	text_add_share(&buf, 1, 8);
	assert_string_equal(buf_text(&buf), "12.5%");
}

static void check_visible(const char *bytes, size_t len, size_t limit, const char *expected)
{
	SCOPED_BUF buf = {0};
	text_add_escaped(&buf, bytes, len, limit);
	assert_string_equal(buf_text(&buf), expected);
}

TEST(printable_text_stays)
{
	check_visible("main.(*T).F", 11, 99, "main.(*T).F");
	check_visible("main.func\xc2\xb7\x30", 12, 99, "main.func\xc2\xb7\x30");
	check_visible("", 0, 99, "");
}

TEST(other_bytes_are_escaped)
{
	check_visible("a\nb\tc\\", 6, 99, "a\\nb\\tc\\\\");
	check_visible("\x1b[2J", 4, 99, "\\x1b[2J");
	check_visible("\0\x7f", 2, 99, "\\x00\\x7f");
	check_visible("\xc2\x9b"
	              "31m",
	              5, 99,
	              "\\xc2\\x9b"
	              "31m"); /* CSI as one C1 character */
	check_visible("\xff\xfe", 2, 99, "\\xff\\xfe");
	check_visible("\xc0\xaf", 2, 99, "\\xc0\\xaf");          /* overlong / */
	check_visible("\xed\xa0\x80", 3, 99, "\\xed\\xa0\\x80"); /* surrogate */
	check_visible("\xe2\x80\xae"
	              "x",
	              4, 99,
	              "\\xe2\\x80\\xae"
	              "x");                             /* right-to-left override */
	check_visible("\xe2\x82", 2, 99, "\\xe2\\x82"); /* truncated */
	check_visible("\xd8\x9c"
	              "x",
	              3, 99,
	              "\\xd8\\x9c"
	              "x");                                      /* U+061C, changes the direction */
	check_visible("\xe3\x85\xa4", 3, 99, "\\xe3\\x85\\xa4"); /* U+3164, an invisible letter */
	check_visible("\xcd\xb8", 2, 99, "\\xcd\\xb8");          /* U+0378, not assigned */
	check_visible("\xee\x80\x80", 3, 99, "\\xee\\x80\\x80"); /* private use */
}

#define ACUTE         "\xcc\x81"
#define ESCAPED_ACUTE "\\xcc\\x81"

TEST(a_character_carries_two_marks)
{
	check_visible("e" ACUTE ACUTE, 5, 99, "e" ACUTE ACUTE);
	check_visible("e" ACUTE ACUTE ACUTE "e" ACUTE, 10, 99, "e" ACUTE ACUTE ESCAPED_ACUTE "e" ACUTE);
	check_visible(ACUTE "e", 3, 99, ESCAPED_ACUTE "e");
	check_visible("\n" ACUTE, 3, 99, "\\n" ESCAPED_ACUTE);
}

TEST(safe_text_keeps_its_backslashes)
{
	SCOPED_BUF buf = {0};
	text_add_safe(&buf, "a\\x1b \x1b" ACUTE);
	assert_string_equal(buf_text(&buf), "a\\x1b \\x1b" ESCAPED_ACUTE);
}

TEST(long_text_is_cut)
{
	check_visible("abcdef", 6, 3, "abc\xe2\x80\xa6");
	check_visible("abc", 3, 3, "abc");
}

/* For any bytes, the result is UTF-8 without control characters, C1 included. */
TEST(no_byte_pair_gets_through_raw)
{
	for (unsigned pair = 0; pair < 65536; pair++) {
		char bytes[2] = {(char)(pair >> 8), (char)(pair & 0xff)};
		SCOPED_BUF buf = {0};
		text_add_escaped(&buf, bytes, 2, 2);
		for (size_t at = 0; at < buf.len;) {
			uint32_t c;
			at += text_decode(buf.data + at, buf.len - at, &c);
			assert_true(c >= 0x20 && !(c >= 0x7f && c < 0xa0) && c != 0xfffd);
		}
	}
}

TEST(decoding_knows_every_length)
{
	static const struct {
		const char *bytes;
		size_t len, step;
		uint32_t codepoint;
	} cases[] = {
		{"A", 1, 1, 'A'},
		{"\xc3\xa9", 2, 2, 0xe9},
		{"\xe2\x82\xac", 3, 3, 0x20ac},
		{"\xf0\x9f\x98\x80", 4, 4, 0x1f600},
		{"\xf0\x9f\x98", 3, 1, 0xfffd},
		{"\x80", 1, 1, 0xfffd},
		{"\xf4\x90\x80\x80", 4, 1, 0xfffd},
		{"\xc3(", 2, 1, 0xfffd},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t codepoint;
		assert_int_equal(text_decode(cases[i].bytes, cases[i].len, &codepoint), cases[i].step);
		assert_int_equal(codepoint, cases[i].codepoint);
		SCOPED_BUF again = {0};
		text_add_character(&again, codepoint);
		assert_string_equal(buf_text(&again),
		                    codepoint == 0xfffd ? "\xef\xbf\xbd" : cases[i].bytes);
	}
}

TEST(widths)
{
	assert_int_equal(text_width('a'), 1);
	assert_int_equal(text_width(0x4e2d), 2);
	assert_int_equal(text_width(0x301), 0);
	assert_int_equal(text_width(0x07), 1);
	assert_int_equal(text_width(0x231a), 2); /* a watch, among narrow symbols */
	assert_int_equal(text_width(0x1f680), 2);
	assert_int_equal(text_width(0x1f947), 2);
	assert_int_equal(text_width(0x2603), 1);
}

TEST(numbers_are_parsed_whole_or_not_at_all)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = {
		{"0", 0},
		{"123", 123},
		{"0x1f", 31},
		{"0XFF", 255},
		{"4k", 4096},
		{"10MB", 10 << 20},
		{"1g", 1 << 30},
		{"18446744073709551615", UINT64_MAX},
		{"0xffffffffffffffff", UINT64_MAX},
	};
	static const char *const bad[] = {
		"",
		" 1",
		"-1",
		"+1",
		"0x",
		"0xg",
		"1.5k",
		"12z",
		"k",
		"1kk",
		"18446744073709551616",
		"0x10000000000000000",
		"17179869184g",
		"1 2",
		"0x-1",
	};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		uint64_t value = 1;
		assert_true(text_parse_number(good[i].text, &value));
		assert_true(value == good[i].value);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		uint64_t value = 77;
		if (text_parse_number(bad[i], &value))
			fail_msg("\"%s\" was taken for a number", bad[i]);
	}
}

TEST(texts_are_compared_by_content)
{
	struct text a = {"go1.22x", 6}, empty = {NULL, 0};
	assert_true(text_is(a, "go1.22"));
	assert_false(text_is(a, "go1.22x"));
	assert_false(text_is(a, "go1.2"));
	assert_true(text_is(empty, ""));
	assert_false(text_equal(a, empty));
}

TEST(blanks_at_the_end_are_left_out)
{
	assert_int_equal(text_trimmed("a b  c", 5), 3);
	assert_int_equal(text_trimmed("a b", 3), 3);
	assert_int_equal(text_trimmed("   ", 3), 0);
	assert_int_equal(text_trimmed("", 0), 0);
}

/* As Go prints them: runtime.funcNameForPrint, and "~int" of its grammar for type constraints. */
TEST(shapes_of_generic_code_are_not_shown)
{
	static const struct {
		const char *name, *shown;
	} names[] = {
		{"main.waitGen[go.shape.int]", "main.waitGen[...]"},
		{"main.genWait[go.shape.struct { A []main.P; B *main.R }].func1.1",
	     "main.genWait[...].func1.1"},
		{"gopkg.in/yaml%2ev3.(*L[go.shape.string,go.shape.*uint8]).Do-fm",
	     "gopkg.in/yaml.v3.(*L[...]).Do-fm"},
		{"main.F[go.shape.int].func1.G[go.shape.map[string]go.shape.int]",
	     "main.F[...].func1.G[...]"},
		{"main..dict.NewCache[string,main.P]", "main..dict.NewCache[string,main.P]"},
		{"struct { sync.f func() go.shape.string; a [4]go.shape.*uint8 }",
	     "struct { sync.f func() ~string; a [4]*... }"},
		{"map[go.shape.string][]go.shape.[]uint8", "map[~string][]~[]uint8"},
		{"main.bitmap[go.shape.int]", "main.bitmap[...]"},
		{"mygo.shape.T", "mygo.shape.T"},
		{"my/go.shape.T", "my/go.shape.T"},
		{"main.F[go.shape.int", "main.F[~int"},
		{"%2[", "%2["},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		SCOPED_BUF out = {0};
		text_add_symbol(&out, names[i].name, strlen(names[i].name), SIZE_MAX);
		assert_string_equal(buf_text(&out), names[i].shown);
	}
}
