/* Commands that move the cursor and the window. */
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

/* Moves by a number of units with `how`. */
static bool move(const struct call *call, size_t unit,
                 void (*how)(struct view *view, size_t page, long by))
{
	long count = 0, most = LONG_MAX / (long)unit;
	if (!command_count(call->argument, &count, call->err))
		return false;
	count = count > most ? most : count;
	how(call->view, explorer_page(call->explorer), count * (long)unit * call->command->by);
	return true;
}

static bool move_step(const struct call *call)
{
	return move(call, 1, scroll_step);
}

static bool move_window(const struct call *call)
{
	return move(call, 1, scroll_scroll);
}

static bool move_page(const struct call *call)
{
	return move(call, explorer_page(call->explorer), scroll_page);
}

static bool move_half(const struct call *call)
{
	return move(call, (explorer_page(call->explorer) + 1) / 2, scroll_page);
}

/* Goes to the first or the last row. */
static bool move_end(const struct call *call)
{
	explorer_leave(call->explorer);
	(call->command->by > 0 ? scroll_last : scroll_first)(call->view, explorer_page(call->explorer));
	return true;
}

static bool move_row(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	long number = 0;
	struct view *view = explorer_view(explorer);
	if (!command_count(call->argument, &number, call->err))
		return false;
	if (number < 1 || (size_t)number > view->ops->rows(view)) {
		size_t rows = view->ops->rows(view);
		SCOPED_BUF count = {0};
		text_add_number_of(&count, rows, "row", "rows");
		return err_set(call->err, "There %s %s here", rows == 1 ? "is" : "are", buf_text(&count));
	}
	explorer_leave(explorer);
	scroll_to(view, explorer_page(explorer), (size_t)number - 1);
	return true;
}

/* Moves the cursor in the window: to its top (-1), its middle or its bottom (1). */
static bool move_in_window(const struct call *call)
{
	size_t page = explorer_page(call->explorer);
	int by = call->command->by;
	scroll_in_window(call->view, page, by < 0 ? 0 : by > 0 ? page - 1 : page / 2);
	return true;
}

static bool move_left(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	struct view *view = explorer_view(explorer);
	if (view->left > 0)
		return view->left--;
	if (explorer->view_stack.at > 0)
		return explorer_run(explorer, "back", "", call->err);
	return err_set(call->err, "This is the first view: q leaves the explorer");
}

static bool move_right(const struct call *call)
{
	struct view *view = call->view;
	if (!view->ops->wider || !view->ops->wider(view))
		return err_set(call->err,
		               "There is nothing further to the right: Enter opens the target of a row");
	view->left++;
	return true;
}

const struct command commands_move[] = {
	{"down", "[N]", TAKES_COUNT, "Moves the cursor to the next row, or N rows down",
     .run = move_step, .by = 1},
	{"up", "[N]", TAKES_COUNT, "Moves the cursor to the row before, or N rows up", .run = move_step,
     .by = -1},
	{"page-down", "[N]", TAKES_COUNT, "Shows the next screenful", .run = move_page, .by = 1,
     .pair = true},
	{"page-up", "[N]", TAKES_COUNT, "Shows the screenful before", .run = move_page, .by = -1,
     .pair = true},
	{"half-down", "[N]", TAKES_COUNT, "Moves half a screenful down", .run = move_half, .by = 1,
     .pair = true},
	{"half-up", "[N]", TAKES_COUNT, "Moves half a screenful up", .run = move_half, .by = -1,
     .pair = true},
	{"first", NULL, 0, "Goes to the first row", .run = move_end, .by = -1},
	{"last", NULL, 0, "Goes to the last row", .run = move_end, .by = 1},
	{"row", "N", TAKES_COUNT,
     "Goes to row N; :42 does, too. Digits with Alt are a number for the next key: that often, and "
     "with G that row",
     .run = move_row},
	{"scroll-down", "[N]", TAKES_COUNT, "Scrolls the rows by one, the cursor stays on its row",
     .run = move_window, .by = 1, .pair = true},
	{"scroll-up", "[N]", TAKES_COUNT, "Scrolls the rows back by one", .run = move_window, .by = -1,
     .pair = true},
	{"window-top", NULL, 0, "Moves the cursor to the first row on the screen",
     .run = move_in_window, .by = -1, .pair = true},
	{"window-middle", NULL, 0, "Moves the cursor to the middle of the screen",
     .run = move_in_window, .by = 0, .pair = true},
	{"window-bottom", NULL, 0, "Moves the cursor to the last row on the screen",
     .run = move_in_window, .by = 1, .pair = true},
	{"left", NULL, 0,
     "In a tree closes the row; else shows columns further to the left, or goes back",
     .run = move_left},
	{"right", NULL, 0, "In a tree opens the row; else shows columns further to the right",
     .run = move_right},
	{0},
};
