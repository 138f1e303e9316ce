/* Moving the cursor and the window, at the ends of the rows and over rows that cannot have the
   cursor. */
#include "ui/scroll.h"

#include "cmocka_all.h"
#include "ui/rows_view.h"

#include <limits.h>
#include <stdlib.h>

enum { PAGE = 10 };

static void check(const struct view *view, size_t cursor, size_t top)
{
	assert_int_equal(view->cursor, cursor);
	assert_int_equal(view->top, top);
}

TEST(steps_scroll_at_the_edges)
{
	struct rows_view rows = {100, 1};
	struct view view = rows_view(&rows);
	scroll_step(&view, PAGE, -1);
	check(&view, 0, 0);
	scroll_step(&view, PAGE, 9);
	check(&view, 9, 0);
	scroll_step(&view, PAGE, 1);
	check(&view, 10, 1);
	scroll_step(&view, PAGE, LONG_MAX);
	check(&view, 99, 90);
	scroll_step(&view, PAGE, -10);
	check(&view, 89, 89);
	scroll_step(&view, PAGE, -LONG_MAX);
	check(&view, 0, 0);
}

TEST(pages_keep_the_place_in_the_window)
{
	struct rows_view rows = {35, 1};
	struct view view = rows_view(&rows);
	scroll_step(&view, PAGE, 3);
	scroll_page(&view, PAGE, PAGE);
	check(&view, 13, 10);
	scroll_page(&view, PAGE, PAGE);
	scroll_page(&view, PAGE, PAGE);
	check(&view, 33, 25);
	scroll_page(&view, PAGE, PAGE);
	check(&view, 34, 25);
	scroll_page(&view, PAGE, -PAGE);
	check(&view, 24, 15);
}

TEST(the_cursor_follows_the_window)
{
	struct rows_view rows = {100, 1};
	struct view view = rows_view(&rows);
	scroll_scroll(&view, PAGE, 3);
	check(&view, 3, 3);
	scroll_step(&view, PAGE, 9);
	scroll_scroll(&view, PAGE, -3);
	check(&view, 9, 0);
	scroll_scroll(&view, PAGE, 1000);
	check(&view, 90, 90);
}

TEST(the_cursor_skips_rows_without_rest)
{
	struct rows_view rows = {100, 4}; /* 3, 7, 11 ... */
	struct view view = rows_view(&rows);
	scroll_settle(&view, PAGE);
	check(&view, 3, 0);
	scroll_step(&view, PAGE, 1);
	check(&view, 7, 0);
	scroll_step(&view, PAGE, 1);
	check(&view, 11, 2);
	scroll_step(&view, PAGE, -2); /* headings above the first selectable row are shown */
	check(&view, 3, 0);
	scroll_last(&view, PAGE);
	check(&view, 99, 90);
	scroll_first(&view, PAGE);
	check(&view, 3, 0);
	scroll_in_window(&view, PAGE, 5);
	check(&view, 7, 0);
}

TEST(rows_without_any_rest_can_be_read)
{
	struct rows_view rows = {40, 1000};
	struct view view = rows_view(&rows);
	scroll_step(&view, PAGE, 1);
	check(&view, 0, 1);
	scroll_page(&view, PAGE, PAGE);
	assert_int_equal(view.top, 11);
	scroll_last(&view, PAGE);
	assert_int_equal(view.top, 30);
	scroll_step(&view, PAGE, -1);
	assert_int_equal(view.top, 29);
}

TEST(fewer_rows_than_before_are_no_harm)
{
	struct rows_view rows = {100, 1};
	struct view view = rows_view(&rows);
	scroll_last(&view, PAGE);
	rows.rows = 20;
	scroll_settle(&view, PAGE);
	check(&view, 19, 10);
	rows.rows = 0;
	scroll_settle(&view, PAGE);
	check(&view, 0, 0);
	scroll_step(&view, PAGE, 1);
	scroll_page(&view, PAGE, PAGE);
	scroll_last(&view, PAGE);
	scroll_in_window(&view, PAGE, 3);
	check(&view, 0, 0);
}

/* After any moves, cursor and window stay inside of the rows. */
TEST(random_moves_stay_inside)
{
	static void (*const moves[])(struct view *, size_t, long) = {scroll_step, scroll_scroll,
	                                                             scroll_page};
	unsigned seed = 1;
	for (int i = 0; i < 20000; i++) {
		struct rows_view rows = {(size_t)rand_r(&seed) % 50, 1 + (size_t)rand_r(&seed) % 7};
		struct view view = rows_view(&rows);
		size_t page = 1 + (size_t)rand_r(&seed) % 20;
		for (int k = 0; k < 8; k++)
			moves[rand_r(&seed) % 3](&view, page, rand_r(&seed) % 61 - 30);
		assert_true(view.cursor < rows.rows || view.cursor == 0);
		assert_true(view.top + page <= rows.rows || view.top == 0);
	}
}
