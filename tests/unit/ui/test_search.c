/* Searching rows, forward, backward and around. */
#include "ui/search.h"

#include "cmocka_all.h"
#include "ui/rows_view.h"

static void check_found(struct search *search, struct view *view, size_t row, bool wrapped)
{
	assert_int_equal(search_work(search, view, NULL), SEARCH_FOUND);
	assert_int_equal(search->row, row);
	assert_int_equal(search->wrapped, wrapped);
	view->cursor = row;
}

TEST(searches_come_around)
{
	struct rows_view rows = {100, 1};
	struct view view = rows_view(&rows);
	struct search search = {0};
	view.cursor = 60;
	search_start(&search, &view, "ROW 7", 1);
	assert_int_equal(search_work(&search, &view, NULL), SEARCH_NOT_FOUND); /* capitals match exactly
	                                                                        */
	search_start(&search, &view, "row 7", 1);
	check_found(&search, &view, 70, false);
	search_again(&search, &view, false);
	check_found(&search, &view, 71, false);
	search_again(&search, &view, true);
	search_again(&search, &view, true);
	check_found(&search, &view, 70, false);
	search_again(&search, &view, true);
	check_found(&search, &view, 7, false);
	search_again(&search, &view, true);
	check_found(&search, &view, 79, true);
	search_again(&search, &view, false);
	check_found(&search, &view, 7, true);
	search_fini(&search);
}

TEST(the_cursors_own_row_is_the_last_to_be_found)
{
	struct rows_view rows = {3, 1};
	struct view view = rows_view(&rows);
	struct search search = {0};
	view.cursor = 1;
	search_start(&search, &view, "row 1", -1);
	check_found(&search, &view, 1, true);
	search_fini(&search);
}

TEST(a_search_rests_and_goes_on)
{
	struct rows_view rows = {100, 1};
	struct view view = rows_view(&rows);
	struct search search = {0};
	struct progress progress = {.cancel = true};
	int rests = 0;
	search_start(&search, &view, "row 99", 1);
	while (search_work(&search, &view, &progress) == SEARCH_GOES_ON)
		rests++;
	assert_int_equal(search.row, 99);
	assert_true(rests >= 3);
	search_fini(&search);
}

TEST(no_rows_have_nothing)
{
	struct rows_view rows = {0, 1};
	struct view view = rows_view(&rows);
	struct search search = {0};
	search_start(&search, &view, "row", -1);
	assert_int_equal(search_work(&search, &view, NULL), SEARCH_NOT_FOUND);
	search_fini(&search);
}
