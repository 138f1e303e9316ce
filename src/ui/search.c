/* The search for a text in rows. */
#include "ui/search.h"

enum { ROWS_A_LOOK = 16, SCRATCH_WIDTH = 512 };

void search_fini(struct search *search)
{
	buf_free(&search->needle);
	row_search_fini(&search->cells);
	canvas_fini(&search->scratch);
}

/* Returns the number of rows, including those of view->ops->more. */
static size_t all_rows(const struct view *view)
{
	const struct view_more *more = view->ops->more;
	return view->ops->rows(view) + (more ? more->count(view) : 0);
}

static void search_begin(struct search *search, const struct view *view, int step)
{
	size_t rows = all_rows(view);
	search->step = step;
	search->left = rows;
	search->row = view->cursor;
	search->wrapped = false;
	search->shown = search->running = true;
}

void search_note(struct search *search, const char *needle)
{
	struct buf text = {0};
	buf_add(&text, needle); /* may alias the old needle */
	buf_free(&search->needle);
	search->needle = text;
	search->direction = 1;
}

void search_start(struct search *search, const struct view *view, const char *needle, int direction)
{
	search_note(search, needle);
	search->direction = direction;
	search_begin(search, view, direction);
}

void search_again(struct search *search, const struct view *view, bool reverse)
{
	search_begin(search, view, reverse ? -search->direction : search->direction);
}

static bool matches(struct search *search, const struct view *view, size_t row)
{
	size_t own = view->ops->rows(view);
	if (row >= own && view->ops->more)
		return view->ops->more->matches(view, row - own, &search->cells);
	if (view->ops->matches)
		return view->ops->matches(view, row, &search->cells);
	if (!search->scratch.cells)
		canvas_init(&search->scratch, SCRATCH_WIDTH, 1);
	canvas_clear(&search->scratch);
	view->ops->draw(view, row, &search->scratch, 0);
	return canvas_match(&search->scratch, 0, buf_text(&search->needle));
}

double search_share(const struct search *search, const struct view *view)
{
	size_t rows = all_rows(view);
	return rows && search->left <= rows ? 1 - (double)search->left / (double)rows : 1;
}

enum search_state search_work(struct search *search, const struct view *view,
                              struct progress *progress)
{
	size_t rows = all_rows(view);
	progress_begin(progress, "searching", rows);
	row_search_begin(&search->cells, buf_text(&search->needle));
	while (search->left > 0 && rows > 0) {
		/* The next row in the direction of the search, which wraps around at the ends. */
		size_t row = search->row;
		bool forward = search->step > 0, within = row > 0 && row <= rows;
		search->row = !forward ? (within ? row : rows) - 1 : row + 1 < rows ? row + 1 : 0;
		search->wrapped |= forward ? search->row == 0 : row == 0;
		search->left--;
		if (matches(search, view, search->row))
			return SEARCH_FOUND;
		if (search->left % ROWS_A_LOOK == 0 && !progress_step(progress, rows - search->left))
			return SEARCH_GOES_ON;
	}
	return SEARCH_NOT_FOUND;
}
