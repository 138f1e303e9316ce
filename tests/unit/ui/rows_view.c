/* A view of numbered rows. */
#include "ui/rows_view.h"

static size_t count(const struct view *view)
{
	const struct rows_view *rows = view->data;
	return rows->rows;
}

static void draw(const struct view *view, size_t row, struct canvas *canvas, int y)
{
	(void)view;
	canvas_textf(canvas, y, 0, -1, STYLE_PLAIN, "row %zu", row);
}

static bool selectable(const struct view *view, size_t row)
{
	const struct rows_view *rows = view->data;
	return row % rows->every == rows->every - 1;
}

struct view rows_view(struct rows_view *rows)
{
	static const struct view_ops all = {.name = "rows", .rows = count, .draw = draw};
	static const struct view_ops some = {
		.name = "rows",
		.rows = count,
		.draw = draw,
		.selectable = selectable,
	};
	return (struct view){.ops = rows->every == 1 ? &all : &some, .data = rows};
}
