/* The rows of a path. They are created when they are drawn, because a path may have millions of
   steps. */
#include "ui/path_browser.h"

#include "base/text.h"
#include "table/naming/step.h"
#include "table/tables/path.h"

enum { WIDE = 100 };
enum { /* columns of the screen */
	   STEP_END = 10,
	   MARK_COLUMN = 11,
	   ROOT_COLUMN = 13,
	   OFFSET_END = 21,
	   ADDRESS_COLUMN = 23,
	   SIZE_END = 48,
	   TEXT_COLUMN = 50,
	   RETAINED_END = 58,
	   WIDE_TEXT_COLUMN = 60,
	   OFFSET_WIDTH = 10,
	   GAP = 2 /* between two texts of a row */
};

/* Returns true if there is room for the retained size next to the size. */
static bool is_wide(const struct path_browser *browser, const struct canvas *canvas)
{
	return path_browser_has_dominators(browser) && canvas->width >= WIDE;
}

/* Returns the columns gained on a narrow screen by omitting the offset: fields have names. */
static int path_browser_draw_won(const struct path_browser *browser, const struct canvas *canvas)
{
	bool named = analysis_typing(browser->analysis) && !analysis_parts(browser->analysis);
	return named && canvas->width < WIDE ? OFFSET_WIDTH : 0;
}

static int text_column(const struct path_browser *browser, const struct canvas *canvas)
{
	return (is_wide(browser, canvas) ? WIDE_TEXT_COLUMN : TEXT_COLUMN)
	       - path_browser_draw_won(browser, canvas);
}

int path_browser_draw_heads(struct path_browser *browser, struct canvas *canvas, int y)
{
	bool typed = analysis_typing(browser->analysis) != NULL;
	struct buf text = {0};
	if (!canvas)
		return typed ? 3 : 2;
	if (typed) {
		if (browser->path.count)
			step_add_path(browser->analysis, &browser->path, &text);
		canvas_middle(canvas, y++, 1, canvas->width - 1, STYLE_PLAIN, buf_text(&text));
		buf_free(&text);
	}
	if (browser->others_known && browser->path.count) {
		struct other_roots others =
			other_roots_without(browser->analysis, &browser->others, browser->path.root);
		other_roots_add(browser->analysis, &others, &text);
		canvas_middle(canvas, y, 1, canvas->width - 1, STYLE_FAINT, buf_text(&text));
		buf_free(&text);
	}
	y++;
	bool wide = is_wide(browser, canvas);
	int won = path_browser_draw_won(browser, canvas);
	canvas_text(canvas, y, STEP_END - 4, -1, STYLE_HEAD, "step");
	if (!won)
		canvas_text(canvas, y, OFFSET_END - 7, -1, STYLE_HEAD, "held at");
	canvas_text(canvas, y, ADDRESS_COLUMN - won, -1, STYLE_HEAD, "object");
	if (wide || !path_browser_has_dominators(browser))
		canvas_text(canvas, y, SIZE_END - won - 4, -1, STYLE_HEAD, "size");
	if (path_browser_has_dominators(browser))
		canvas_text(canvas, y, (wide ? RETAINED_END : SIZE_END) - won - 8, -1, STYLE_HEAD,
		            "retained");
	canvas_text(canvas, y, text_column(browser, canvas), -1, STYLE_HEAD, "contents");
	return typed ? 3 : 2;
}

/* Returns the text of a cell; "" if it waits for a stage. */
static const char *path_browser_draw_cell(const struct rows *rows, size_t row, const char *column,
                                          struct buf *text)
{
	int number = table_column(rows->table, column);
	buf_clear(text);
	if (!rows_column_waits(rows, number))
		rows_text(rows, row, number, text);
	return buf_text(text);
}

/* Draws a cell that ends before a column. */
static void draw_number(struct canvas *canvas, int y, int end, enum style style, const char *text)
{
	canvas_right(canvas, y, end - 9, 9, style, text);
}

static bool draw_mark(const struct rows *rows, size_t row, struct canvas *canvas, int y)
{
	bool dominator = rows_number(rows, row, "dominator").number;
	if (dominator)
		canvas_text(canvas, y, MARK_COLUMN, -1, STYLE_HEAD, canvas->ascii ? "*" : "●");
	return dominator;
}

static void draw_root(const struct rows *rows, struct canvas *canvas, int y)
{
	SCOPED_BUF text = {0};
	int end = canvas->width;
	if (draw_mark(rows, 0, canvas, y)) {
		buf_add(&text, "retains ");
		rows_text(rows, 0, table_column(rows->table, "retained_bytes"), &text);
		end -= text_columns(buf_text(&text)) + 1;
		canvas_text(canvas, y, end, -1, STYLE_PLAIN, buf_text(&text));
		end -= GAP;
	}
	canvas_text(canvas, y, STEP_END - 4, -1, STYLE_PLAIN, "root");
	canvas_middle(canvas, y, ROOT_COLUMN, end > ROOT_COLUMN ? end - ROOT_COLUMN : 0, STYLE_LINK,
	              path_browser_draw_cell(rows, 0, "name", &text));
}

/* Draws ".Buf []byte": the field and its type. Returns the column after them. */
static int draw_type(const struct rows *rows, size_t row, struct canvas *canvas, int y, int x)
{
	SCOPED_BUF text = {0}, type = {0};
	path_browser_draw_cell(rows, row, "name", &text);
	path_browser_draw_cell(rows, row, "type", &type);
	buf_addf(&text, "%s%s", text.len && type.len ? "  " : "", buf_text(&type));
	bool faint = rows->table->style(rows, row) == ROW_FAINT;
	if (text.len) {
		canvas_middle(canvas, y, x, canvas->width - x, faint ? STYLE_FAINT : STYLE_PLAIN,
		              buf_text(&text));
		x += text_columns(buf_text(&text)) + 2;
	}
	return x < canvas->width ? x : canvas->width;
}

/* Draws a row. If there is no room for both, the retained size replaces the size. */
static void draw_step(struct path_browser *browser, const struct rows *rows, size_t row,
                      struct canvas *canvas, int y)
{
	bool known = path_browser_has_dominators(browser), wide = is_wide(browser, canvas);
	int won = path_browser_draw_won(browser, canvas);
	SCOPED_BUF text = {0};
	text_add_count(&text, path_steps_number(&browser->steps, row));
	draw_number(canvas, y, STEP_END, STYLE_FAINT, buf_text(&text));
	if (!won)
		draw_number(canvas, y, OFFSET_END, STYLE_PLAIN,
		            path_browser_draw_cell(rows, row, "offset", &text));
	canvas_text(canvas, y, ADDRESS_COLUMN - won, -1, STYLE_LINK,
	            path_browser_draw_cell(rows, row, "address", &text));
	if (wide || !known)
		draw_number(canvas, y, SIZE_END - won, STYLE_PLAIN,
		            path_browser_draw_cell(rows, row, "size", &text));
	if (draw_mark(rows, row, canvas, y))
		draw_number(canvas, y, (wide ? RETAINED_END : SIZE_END) - won, STYLE_PLAIN,
		            path_browser_draw_cell(rows, row, "retained_bytes", &text));
	int x = text_column(browser, canvas);
	buf_clear(&text);
	if (path_browser_forks(browser, row - 1, &text)) /* "2 of 3 paths: < >" */
		x = canvas_text(canvas, y, x, -1, STYLE_GUESS, buf_text(&text)) + 2;
	x = draw_type(rows, row, canvas, y, x);
	canvas_middle(canvas, y, x, canvas->width - x, STYLE_GUESS,
	              path_browser_draw_cell(rows, row, "text", &text));
}

void path_browser_draw(struct path_browser *browser, size_t row, struct canvas *canvas, int y)
{
	struct path_rows of = {&browser->path, &browser->path_dominators, &browser->steps};
	struct rows rows = path_rows(browser->analysis, &of);
	if (browser->path.count == 0)
		canvas_text(canvas, y, 1, -1, STYLE_FAINT,
		            "This path takes a moment to find. Esc gives it up.");
	else if (row == 0)
		draw_root(&rows, canvas, y);
	else
		draw_step(browser, &rows, row, canvas, y);
}
