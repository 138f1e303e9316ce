/* The rows of a path: drawn as they are shown, for a path may have millions of steps. */
#include "ui/path_browser_draw.h"

#include "analysis/preview.h"
#include "base/text.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/step.h"
#include "table/typed.h"

#include <inttypes.h>

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
	   WIDE_TEXT_COLUMN = 60
};

static bool path_browser_draw_has_dominators(const struct path_browser *browser)
{
	return browser->path_dominators.count > 0;
}

/* What is retained takes the place of the size where there is no room for both. */
static bool is_wide(const struct path_browser *browser, const struct canvas *canvas)
{
	return path_browser_draw_has_dominators(browser) && canvas->width >= WIDE;
}

static int text_column(const struct path_browser *browser, const struct canvas *canvas)
{
	return is_wide(browser, canvas) ? WIDE_TEXT_COLUMN : TEXT_COLUMN;
}

int path_browser_draw_heads(struct path_browser *browser, struct canvas *canvas, int y)
{
	bool typed = analysis_typing(browser->analysis) != NULL;
	struct buf text = {0};
	if (!canvas)
		return typed ? 2 : 1;
	if (typed) {
		if (browser->path.count)
			step_add_path(browser->analysis, &browser->path, &text);
		canvas_middle(canvas, y++, 1, canvas->width - 1, STYLE_PLAIN, buf_text(&text));
		buf_free(&text);
	}
	bool wide = is_wide(browser, canvas);
	canvas_text(canvas, y, STEP_END - 4, -1, STYLE_HEAD, "step");
	canvas_text(canvas, y, OFFSET_END - 7, -1, STYLE_HEAD, "held at");
	canvas_text(canvas, y, ADDRESS_COLUMN, -1, STYLE_HEAD, "object");
	if (wide || !path_browser_draw_has_dominators(browser))
		canvas_text(canvas, y, SIZE_END - 4, -1, STYLE_HEAD, "size");
	if (path_browser_draw_has_dominators(browser))
		canvas_text(canvas, y, (wide ? RETAINED_END : SIZE_END) - 8, -1, STYLE_HEAD, "retained");
	canvas_text(canvas, y, text_column(browser, canvas), -1, STYLE_HEAD, "contents");
	return typed ? 2 : 1;
}

static void draw_mark(struct canvas *canvas, int y)
{
	canvas_text(canvas, y, MARK_COLUMN, -1, STYLE_HEAD, canvas->ascii ? "*" : "●");
}

/* "2 of 3 ways: < >" where there are several to go on. Returns the column after it. */
static int draw_fork(struct path_browser *browser, size_t step, struct canvas *canvas, int y, int x)
{
	struct buf text = {0};
	if (path_browser_forks(browser, step, &text))
		x = canvas_text(canvas, y, x, -1, STYLE_GUESS, buf_text(&text)) + 2;
	buf_free(&text);
	return x;
}

static void draw_root(struct path_browser *browser, struct canvas *canvas, int y)
{
	struct buf text = {0};
	root_add_name(browser->analysis, &analysis_heap(browser->analysis)->roots[browser->path.root],
	              &text);
	canvas_text(canvas, y, STEP_END - 4, -1, STYLE_PLAIN, "root");
	canvas_middle(canvas, y, ROOT_COLUMN, canvas->width - ROOT_COLUMN, STYLE_LINK, buf_text(&text));
	buf_clear(&text);
	const struct path_dominator *path_dominator =
		path_browser_draw_has_dominators(browser)
			? path_dominators_root_node(&browser->path_dominators)
			: NULL;
	if (path_dominator) {
		draw_mark(canvas, y);
		buf_add(&text, "retains ");
		text_add_size(&text, browser->path_dominators.dominators->bytes[path_dominator->node]);
		int columns = text_columns(buf_text(&text));
		canvas_right(canvas, y, canvas->width - columns - 2, columns + 1, STYLE_PLAIN,
		             buf_text(&text));
	}
	buf_free(&text);
}

/* A text that ends before a column. */
static void draw_number(struct canvas *canvas, int y, int end, enum style style, struct buf *text)
{
	canvas_right(canvas, y, end - 9, 9, style, buf_text(text));
	buf_clear(text);
}

/* ".Buf  []byte": the field that holds it, and its type. Returns the column after them. */
static int draw_type(struct path_browser *browser, size_t step, uint64_t offset,
                     struct canvas *canvas, int y, int x)
{
	struct buf text = {0};
	if (step)
		step_add(browser->analysis, browser->path.step[step - 1], offset, &text);
	if (text.len)
		buf_add(&text, "  ");
	if (!typed_add(browser->analysis, browser->path.step[step], &text)) {
		buf_free(&text);
		return x;
	}
	bool inner = step && step_is_inner(browser->analysis, browser->path.step[step - 1]);
	canvas_middle(canvas, y, x, canvas->width - x, inner ? STYLE_FAINT : STYLE_PLAIN,
	              buf_text(&text));
	int end = x + text_columns(buf_text(&text)) + 2;
	buf_free(&text);
	return end < canvas->width ? end : canvas->width;
}

/* The object's own size, and what a dominator retains. */
static void draw_sizes(struct path_browser *browser, size_t step, struct canvas *canvas, int y)
{
	uint32_t id = browser->path.step[step];
	bool wide = is_wide(browser, canvas);
	struct buf text = {0};
	if (wide || !path_browser_draw_has_dominators(browser)) {
		text_add_size(&text, heap_size(analysis_heap(browser->analysis), id));
		draw_number(canvas, y, SIZE_END, STYLE_PLAIN, &text);
	}
	if (path_browser_draw_has_dominators(browser)
	    && path_dominators_at(&browser->path_dominators, step)) {
		draw_mark(canvas, y);
		text_add_size(&text, browser->path_dominators.dominators->bytes[id]);
		draw_number(canvas, y, wide ? RETAINED_END : SIZE_END, STYLE_PLAIN, &text);
	}
	buf_free(&text);
}

static void draw_step(struct path_browser *browser, size_t step, struct canvas *canvas, int y)
{
	const struct heap *heap = analysis_heap(browser->analysis);
	uint32_t id = browser->path.step[step];
	uint64_t offset = path_step_offset(heap, &browser->path, step);
	struct buf text = {0};
	text_add_count(&text, step + 1);
	draw_number(canvas, y, STEP_END, STYLE_FAINT, &text);
	if (offset != UINT64_MAX)
		buf_addf(&text, "+0x%" PRIx64, offset);
	draw_number(canvas, y, OFFSET_END, STYLE_PLAIN, &text);
	canvas_textf(canvas, y, ADDRESS_COLUMN, -1, STYLE_LINK, "0x%" PRIx64, heap_address(heap, id));
	draw_sizes(browser, step, canvas, y);
	int x = draw_fork(browser, step, canvas, y, text_column(browser, canvas));
	x = draw_type(browser, step, offset, canvas, y, x);
	preview_object(heap, id, &text);
	canvas_middle(canvas, y, x, canvas->width - x, STYLE_GUESS, buf_text(&text));
	buf_free(&text);
}

void path_browser_draw(struct path_browser *browser, size_t row, struct canvas *canvas, int y)
{
	if (browser->path.count == 0)
		canvas_text(canvas, y, 1, -1, STYLE_FAINT,
		            "This way takes a moment to find. Esc gives it up.");
	else if (row == 0)
		draw_root(browser, canvas, y);
	else
		draw_step(browser, row - 1, canvas, y);
}
