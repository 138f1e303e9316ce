/* Movement over the rows of a view. */
#include "ui/scroll.h"

static bool can_rest(const struct view *view, size_t row)
{
	return !view->ops->selectable || view->ops->selectable(view, row);
}

/* Finds the nearest selectable row from `row` on, in a direction and within `limit` rows. */
static bool find_rest(const struct view *view, size_t row, int direction, size_t limit,
                      size_t *found)
{
	size_t rows = view->ops->rows(view);
	for (size_t i = 0; i < limit && row < rows; i++) {
		if (can_rest(view, row)) {
			*found = row;
			return true;
		}
		row = direction < 0 ? row - 1 : row + 1; /* wraps around below 0 */
	}
	return false;
}

static size_t last_top(const struct view *view, size_t page)
{
	size_t rows = view->ops->rows(view);
	return rows > page ? rows - page : 0;
}

/* Adds `by` and clamps the result to [0, limit]. */
static size_t shift(size_t from, long by, size_t limit)
{
	if (by < 0)
		return from > (size_t)-by ? from - (size_t)-by : 0;
	return from < limit && limit - from > (size_t)by ? from + (size_t)by : limit;
}

static void show_cursor(struct view *view, size_t page)
{
	if (view->cursor < view->top)
		view->top = view->cursor;
	else if (view->cursor >= view->top + page)
		view->top = view->cursor - page + 1;
	/* Rows above the first selectable row are headings, and shown whenever they fit. */
	size_t above;
	if (view->cursor < page && view->top > 0 && view->top <= view->cursor
	    && (view->cursor == 0 || !find_rest(view, view->cursor - 1, -1, page, &above)))
		view->top = 0;
}

/* Moves the cursor into the window, to the selectable row nearest to its old place. */
static void follow_window(struct view *view, size_t page)
{
	size_t rows = view->ops->rows(view), end = view->top + page < rows ? view->top + page : rows,
		   found;
	if (rows == 0)
		return;
	size_t from = view->cursor < end ? view->cursor : end - 1;
	if (from < view->top)
		from = view->top;
	if (find_rest(view, from, 1, end - from, &found)
	    || find_rest(view, from, -1, from - view->top + 1, &found))
		view->cursor = found;
}

static void step_once(struct view *view, size_t page, int direction)
{
	size_t next = direction < 0 ? view->cursor - 1 : view->cursor + 1, found;
	bool shown = view->cursor >= view->top && view->cursor < view->top + page;
	if (shown && find_rest(view, next, direction, page, &found)) {
		view->cursor = found;
		show_cursor(view, page);
	} else {
		scroll_scroll(view, page, direction);
	}
}

void scroll_step(struct view *view, size_t page, long steps)
{
	size_t rows = view->ops->rows(view);
	int direction = steps < 0 ? -1 : 1;
	if (!view->ops->selectable && rows > 0) { /* any number of steps at once */
		view->cursor = shift(view->cursor, steps, rows - 1);
		show_cursor(view, page);
		return;
	}
	for (size_t i = 0; i < (size_t)(steps * direction) && i < rows; i++)
		step_once(view, page, direction);
}

void scroll_scroll(struct view *view, size_t page, long rows)
{
	view->top = shift(view->top, rows, last_top(view, page));
	follow_window(view, page);
}

void scroll_page(struct view *view, size_t page, long rows)
{
	size_t all = view->ops->rows(view), top = view->top;
	if (all == 0)
		return;
	view->top = shift(view->top, rows, last_top(view, page));
	view->cursor = shift(view->cursor, rows, all - 1);
	if (view->top == top) /* at either end of the rows, the cursor moves there */
		view->cursor = rows < 0 ? 0 : all - 1;
	follow_window(view, page);
}

void scroll_to(struct view *view, size_t page, size_t row)
{
	view->cursor = row;
	if (row < view->top || row >= view->top + page)
		view->top = row > page / 3 ? row - page / 3 : 0;
	scroll_settle(view, page);
}

void scroll_first(struct view *view, size_t page)
{
	view->top = view->cursor = 0;
	follow_window(view, page);
}

void scroll_last(struct view *view, size_t page)
{
	size_t rows = view->ops->rows(view);
	view->top = last_top(view, page);
	view->cursor = rows ? rows - 1 : 0;
	follow_window(view, page);
}

void scroll_in_window(struct view *view, size_t page, size_t offset)
{
	size_t rows = view->ops->rows(view), row = view->top + (offset < page ? offset : page - 1);
	if (rows == 0)
		return;
	view->cursor = row < rows ? row : rows - 1;
	follow_window(view, page);
}

void scroll_settle(struct view *view, size_t page)
{
	size_t rows = view->ops->rows(view);
	if (view->cursor >= rows)
		view->cursor = rows ? rows - 1 : 0;
	if (view->top > last_top(view, page))
		view->top = last_top(view, page);
	if (rows && view->cursor == 0 && !can_rest(view, 0))
		follow_window(view, page);
}
