/* Text on a canvas, and bytes that never reach the terminal. */
#include "ui/canvas.h"

#include "base/text.h"

#include "cmocka_all.h"

#include <string.h>

#define SCOPED_CANVAS __attribute__((cleanup(canvas_fini))) struct canvas

static void check_row(const struct canvas *canvas, int y, const char *expected)
{
	SCOPED_BUF row = {0};
	canvas_row(canvas, y, &row);
	assert_string_equal(buf_text(&row), expected);
}

TEST(text_is_clipped)
{
	SCOPED_CANVAS canvas;
	canvas_init(&canvas, 10, 3);
	assert_int_equal(canvas_text(&canvas, 0, 7, -1, STYLE_PLAIN, "abcdef"), 10);
	assert_int_equal(canvas_text(&canvas, 1, 2, 3, STYLE_PLAIN, "abcdef"), 5);
	canvas_text(&canvas, 2, -2, -1, STYLE_PLAIN, "abcdef");
	canvas_text(&canvas, -1, 0, -1, STYLE_PLAIN, "above");
	canvas_text(&canvas, 3, 0, -1, STYLE_PLAIN, "below");
	canvas_text(&canvas, 0, 10, -1, STYLE_PLAIN, "beside");
	check_row(&canvas, 0, "       abc");
	check_row(&canvas, 1, "  abc");
	check_row(&canvas, 2, "cdef");
}

TEST(two_texts_stay_different)
{
	static const char *const texts[] = {
		"prometheus.DefaultRegisterer.collectors[*].shards[*]",
		"prometheus.DefaultRegisterer.descriptors[*].shards[*]",
		"prometheus.DefaultRegisterer.registered[*].shards[*]",
		"prometheus.DefaultRegisterer.collectors[*].shards[*]",
		"main.first.aVeryLongWayTo.aThing.ofAThing.ofTheKind",
		"main.second.aVeryLongWayTo.aThing.ofAThing.ofTheKind",
	};
	for (int width = 18; width < 60; width++) {
		SCOPED_CANVAS canvas;
		struct buf row[6] = {{0}};
		canvas_init(&canvas, 80, 6);
		for (int y = 0; y < 6; y++)
			canvas_middle(&canvas, y, 2, width, STYLE_PLAIN, texts[y]);
		for (int y = 0; y < 6; y++) {
			canvas_row(&canvas, y, &row[y]);
			assert_true(text_columns(buf_text(&row[y])) <= 2 + width);
			for (int above = 0; above < y; above++)
				assert_int_equal(strcmp(buf_text(&row[y]), buf_text(&row[above])) == 0,
				                 strcmp(texts[y], texts[above]) == 0);
		}
		for (int y = 0; y < 6; y++)
			buf_free(&row[y]);
	}
}

TEST(what_cannot_be_printed_is_marked)
{
	static const char *const hostile[] = {
		"a\033[2Jb", "a\nb", "a\177b", "a\302\233b", "a\342\200\256b", "a\377b", "a\357\273\277b",
	};
	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
		SCOPED_CANVAS canvas;
		SCOPED_BUF row = {0};
		canvas_init(&canvas, 20, 1);
		canvas_text(&canvas, 0, 0, -1, STYLE_PLAIN, hostile[i]);
		canvas_row(&canvas, 0, &row);
		assert_int_equal(strncmp(buf_text(&row), "a\357\277\275", 4), 0);
	}
}

TEST(wide_characters_are_whole_or_not_there)
{
	SCOPED_CANVAS canvas;
	canvas_init(&canvas, 5, 3);
	assert_int_equal(canvas_text(&canvas, 0, 0, -1, STYLE_PLAIN, "日本語"), 5);
	check_row(&canvas, 0, "日本");
	canvas_text(&canvas, 0, 1, -1, STYLE_PLAIN, "x"); /* in the middle of the first */
	check_row(&canvas, 0, " x本");
	canvas_text(&canvas, 1, -1, -1, STYLE_PLAIN, "日a");
	assert_int_equal(canvas.cells[6].codepoint, 'a');
	canvas_text(&canvas, 2, 0, -1, STYLE_PLAIN, "e\314\201x"); /* e and an accent over it */
	check_row(&canvas, 2, "e\314\201x");
	assert_int_equal(canvas.cells[11].codepoint, 'x');
}

TEST(lines_end_at_spaces_then_at_joints)
{
	static const struct {
		const char *text;
		int columns;
		size_t len;
	} lines[] = {
		{"", 5, 0},        {"one two", 7, 7},       {"one two", 6, 3},
		{"one two", 3, 3}, {"one.two three", 5, 3}, {"onetwo three", 5, 5},
		{"日本語", 5, 6},  {"日本", 1, 3},          {"is 30.9 MB", 8, 2},
		{"30.9 MB", 6, 4}, {"to 9 to", 5, 4},
	};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		assert_int_equal(text_line(lines[i].text, lines[i].columns), lines[i].len);
}

TEST(long_text_loses_its_middle)
{
	SCOPED_CANVAS canvas;
	canvas_init(&canvas, 10, 3);
	canvas_middle(&canvas, 0, 0, 7, STYLE_PLAIN, "abcdefghij");
	canvas_right(&canvas, 1, 0, 7, STYLE_PLAIN, "abc");
	canvas_right(&canvas, 2, 0, 5, STYLE_PLAIN, "abcdefghij");
	check_row(&canvas, 0, "abc…hij");
	check_row(&canvas, 1, "    abc");
	check_row(&canvas, 2, "ab…ij");
}

TEST(ascii_stays_ascii)
{
	SCOPED_CANVAS canvas;
	canvas_init(&canvas, 12, 3);
	canvas.ascii = true;
	canvas_rule(&canvas, 0);
	canvas_bar(&canvas, 1, 0, 12, 0.5);
	canvas_text(&canvas, 2, 0, -1, STYLE_PLAIN, "a…é日→b\033");
	check_row(&canvas, 0, "------------");
	check_row(&canvas, 1, "######");
	check_row(&canvas, 2, "a~?\?\?>b?");
}

TEST(bars_end_on_an_eighth)
{
	static const struct {
		double share;
		const char *bar;
	} bars[] = {
		{0, ""}, {1e-9, "▏"}, {0.25, "█"}, {0.5, "██"}, {0.53125, "██▏"}, {1, "████"}, {7, "████"},
	};
	for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
		SCOPED_CANVAS canvas;
		canvas_init(&canvas, 4, 1);
		canvas_bar(&canvas, 0, 0, 4, bars[i].share);
		check_row(&canvas, 0, bars[i].bar);
	}
}

TEST(marks_name_styles_and_cursor)
{
	SCOPED_CANVAS canvas;
	SCOPED_BUF out = {0};
	canvas_init(&canvas, 6, 2);
	canvas_text(&canvas, 0, 1, -1, STYLE_LINK, "ab");
	canvas_text(&canvas, 0, 3, -1, STYLE_HEAD, "c");
	canvas_cursor_line(&canvas, 0);
	canvas_print(&canvas, true, &out);
	assert_string_equal(buf_text(&out), " abc\n^ 1-2 link, 3-3 head, cursor\n\n");
}

TEST(matches_are_restyled)
{
	SCOPED_CANVAS canvas;
	canvas_init(&canvas, 12, 1);
	canvas_text(&canvas, 0, 0, -1, STYLE_PLAIN, "Main é日 main");
	assert_false(canvas_match(&canvas, 0, "mainx"));
	assert_false(canvas_match(&canvas, 0, ""));
	assert_false(canvas_match(&canvas, 0, "mAin"));
	assert_int_equal(canvas.cells[0].style, STYLE_PLAIN);
	assert_true(canvas_match(&canvas, 0, "é日 m"));
	assert_int_equal(canvas.cells[5].style, STYLE_MATCH);
	assert_int_equal(canvas.cells[9].style, STYLE_MATCH);
	assert_int_equal(canvas.cells[10].style, STYLE_PLAIN);
	assert_true(canvas_match(&canvas, 0, "ma"));
	assert_int_equal(canvas.cells[0].style, STYLE_MATCH);
}
