/* The warnings about the file, one after the other, in full length. */
#include "ui/view.h"

#include "base/mem.h"
#include "base/text.h"
#include "table/table.h"
#include "ui/page_view.h"

enum { OFFSET_END = 16, TEXT = 18 };

static bool warnings_view_open(struct view *view, struct err *err)
{
	struct rows *rows = rows_open(table_find("warnings"), view->analysis, NULL, err);
	struct page *page = view->data = mem_alloc(sizeof *page);
	if (!rows)
		return false;
	buf_add(&view->title, buf_text(&rows->title));
	text_add_count(&view->side, rows->count);
	for (size_t row = 0; row < rows->count; row++) {
		SCOPED_BUF cell = {0};
		page_line(page, NULL);
		rows_text(rows, row, table_column(rows->table, "offset"), &cell);
		page_put(page, PAGE_RIGHT, OFFSET_END, STYLE_FAINT, buf_text(&cell));
		buf_clear(&cell);
		rows_text(rows, row, table_column(rows->table, "text"), &cell);
		page_paragraph(page, TEXT, STYLE_PLAIN, buf_text(&cell));
	}
	if (rows->note.len) {
		page_line(page, NULL);
		page_paragraph(page, 1, STYLE_PLAIN, buf_text(&rows->note));
	}
	rows_close(rows);
	return true;
}

static void warnings_close(struct view *view)
{
	page_fini(view->data);
}

static int warnings_head(const struct view *view, struct canvas *canvas, int y)
{
	(void)view;
	if (!canvas)
		return 1;
	canvas_right(canvas, y, 0, OFFSET_END, STYLE_HEAD, "at byte");
	canvas_text(canvas, y, TEXT, -1, STYLE_HEAD, "the error, and how it was handled");
	return 1;
}

DEFINE_PLUGIN(views, struct view_ops, view_warnings) = {
	.rank = 60,
	.name = "warnings",
	.help = "Errors in the file, with their offsets",
	.needs = STAGE_READ,
	.open = warnings_view_open,
	.close = warnings_close,
	.rows = page_view_rows,
	.head = warnings_head,
	.draw = page_view_draw,
};
