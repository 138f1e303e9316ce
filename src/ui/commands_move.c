/* Commands that move the cursor and the window. */
#include "ui/command_groups.h"

#include "base/text.h"
#include "ui/scroll.h"
#include "ui/state.h"

#include <limits.h>

bool command_count(const char *argument, long *count, struct err *err)
{
	uint64_t number = 1;
	if (*argument && (!text_parse_number(argument, &number) || number > LONG_MAX))
		return err_set(err, "How often? Give a number, or nothing for once");
	*count = (long)number;
	return true;
}

/* Moves by a number of rows with `how`. */
static bool move(struct explorer *explorer, const char *argument, long unit,
                 void (*how)(struct view *, size_t, long), struct err *err)
{
	long count = 0;
	if (!command_count(argument, &count, err))
		return false;
	if (count > LONG_MAX / (unit < 0 ? -unit : unit))
		count = LONG_MAX / (unit < 0 ? -unit : unit);
	how(explorer_view(explorer), explorer_page(explorer), count * unit);
	return true;
}

static bool down(struct explorer *explorer, const char *argument, struct err *err)
{
	return move(explorer, argument, 1, scroll_step, err);
}

static bool up(struct explorer *explorer, const char *argument, struct err *err)
{
	return move(explorer, argument, -1, scroll_step, err);
}

static bool scroll_down(struct explorer *explorer, const char *argument, struct err *err)
{
	return move(explorer, argument, 1, scroll_scroll, err);
}

static bool scroll_up(struct explorer *explorer, const char *argument, struct err *err)
{
	return move(explorer, argument, -1, scroll_scroll, err);
}

static bool page_down(struct explorer *explorer, const char *argument, struct err *err)
{
	return move(explorer, argument, (long)explorer_page(explorer), scroll_page, err);
}

static bool move_page_up(struct explorer *explorer, const char *argument, struct err *err)
{
	return move(explorer, argument, -(long)explorer_page(explorer), scroll_page, err);
}

static bool half_down(struct explorer *explorer, const char *argument, struct err *err)
{
	return move(explorer, argument, (long)(explorer_page(explorer) + 1) / 2, scroll_page, err);
}

static bool half_up(struct explorer *explorer, const char *argument, struct err *err)
{
	return move(explorer, argument, -(long)(explorer_page(explorer) + 1) / 2, scroll_page, err);
}

static bool first(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	explorer_leave(explorer);
	scroll_first(explorer_view(explorer), explorer_page(explorer));
	return true;
}

static bool last(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	explorer_leave(explorer);
	scroll_last(explorer_view(explorer), explorer_page(explorer));
	return true;
}

static bool move_row(struct explorer *explorer, const char *argument, struct err *err)
{
	long number = 0;
	struct view *view = explorer_view(explorer);
	if (!command_count(argument, &number, err))
		return false;
	if (number < 1 || (size_t)number > view->ops->rows(view)) {
		size_t rows = view->ops->rows(view);
		struct buf count = {0};
		text_add_number_of(&count, rows, "row", "rows");
		err_set(err, "There %s %s here", rows == 1 ? "is" : "are", buf_text(&count));
		buf_free(&count);
		return false;
	}
	explorer_leave(explorer);
	scroll_to(view, explorer_page(explorer), (size_t)number - 1);
	return true;
}

static bool window_top(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	scroll_in_window(explorer_view(explorer), explorer_page(explorer), 0);
	return true;
}

static bool window_middle(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	size_t page = explorer_page(explorer);
	scroll_in_window(explorer_view(explorer), page, page / 2);
	return true;
}

static bool window_bottom(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	size_t page = explorer_page(explorer);
	scroll_in_window(explorer_view(explorer), page, page - 1);
	return true;
}

static bool move_left(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument;
	struct view *view = explorer_view(explorer);
	if (view->left > 0)
		return view->left--;
	if (explorer->view_stack.at > 0)
		return explorer_run(explorer, "back", "", err);
	return err_set(err, "This is the first view: q leaves the explorer");
}

static bool move_right(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument;
	struct view *view = explorer_view(explorer);
	if (!view->ops->wider || !view->ops->wider(view))
		return err_set(err,
		               "There is nothing further to the right: Enter opens what a row leads to");
	view->left++;
	return true;
}

const struct command commands_move[] = {
	{"down", "[N]", TAKES_COUNT, "Moves the cursor to the next row, or N rows down", down},
	{"up", "[N]", TAKES_COUNT, "Moves the cursor to the row before, or N rows up", up},
	{"page-down", "[N]", TAKES_COUNT, "Shows the next screenful", page_down},
	{"page-up", "[N]", TAKES_COUNT, "Shows the screenful before", move_page_up},
	{"half-down", "[N]", TAKES_COUNT, "Moves half a screenful down", half_down},
	{"half-up", "[N]", TAKES_COUNT, "Moves half a screenful up", half_up},
	{"first", NULL, 0, "Goes to the first row", first},
	{"last", NULL, 0, "Goes to the last row", last},
	{"row", "N", TAKES_COUNT,
     "Goes to row N; :42 does, too. Digits with Alt are a number for the next key: that often, and "
     "with "
     "G that row",
     move_row},
	{"scroll-down", "[N]", TAKES_COUNT, "Scrolls the rows by one, the cursor stays on its row",
     scroll_down},
	{"scroll-up", "[N]", TAKES_COUNT, "Scrolls the rows back by one", scroll_up},
	{"window-top", NULL, 0, "Moves the cursor to the first row on the screen", window_top},
	{"window-middle", NULL, 0, "Moves the cursor to the middle of the screen", window_middle},
	{"window-bottom", NULL, 0, "Moves the cursor to the last row on the screen", window_bottom},
	{"left", NULL, 0,
     "In a tree closes the row; else shows columns further to the left, or goes back", move_left},
	{"right", NULL, 0, "In a tree opens the row; else shows columns further to the right",
     move_right},
	{0},
};
