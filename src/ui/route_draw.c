/* The rows of a path: drawn as they are shown, for a path may have millions of steps. */
#include "ui/route_draw.h"

#include "analysis/preview.h"
#include "base/text.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/step.h"
#include "table/typed.h"

#include <inttypes.h>

enum { WIDE = 100 };
enum { /* columns of the screen */
	STEP_END = 10, MARK_COLUMN = 11, ROOT_COLUMN = 13, OFFSET_END = 21, ADDRESS_COLUMN = 23,
	SIZE_END = 48, TEXT_COLUMN = 50, RETAINED_END = 58, WIDE_TEXT_COLUMN = 60
};

static bool has_gates(const struct route *route)
{
	return route->gates.count > 0;
}

/* What is retained takes the place of the size where there is no room for both. */
static bool is_wide(const struct route *route, const struct canvas *canvas)
{
	return has_gates(route) && canvas->width >= WIDE;
}

static int text_column(const struct route *route, const struct canvas *canvas)
{
	return is_wide(route, canvas) ? WIDE_TEXT_COLUMN : TEXT_COLUMN;
}

int route_draw_heads(struct route *route, struct canvas *canvas, int y)
{
	bool typed = analysis_typing(route->analysis) != NULL;
	struct buf text = {0};
	if (!canvas)
		return typed ? 2 : 1;
	if (typed) {
		if (route->path.count)
			step_add_path(route->analysis, &route->path, &text);
		canvas_middle(canvas, y++, 1, canvas->width - 1, STYLE_PLAIN, buf_text(&text));
		buf_free(&text);
	}
	bool wide = is_wide(route, canvas);
	canvas_text(canvas, y, STEP_END - 4, -1, STYLE_HEAD, "step");
	canvas_text(canvas, y, OFFSET_END - 7, -1, STYLE_HEAD, "held at");
	canvas_text(canvas, y, ADDRESS_COLUMN, -1, STYLE_HEAD, "object");
	if (wide || !has_gates(route))
		canvas_text(canvas, y, SIZE_END - 4, -1, STYLE_HEAD, "size");
	if (has_gates(route))
		canvas_text(canvas, y, (wide ? RETAINED_END : SIZE_END) - 8, -1, STYLE_HEAD, "retained");
	canvas_text(canvas, y, text_column(route, canvas), -1, STYLE_HEAD, "contents");
	return typed ? 2 : 1;
}

static void draw_mark(struct canvas *canvas, int y)
{
	canvas_text(canvas, y, MARK_COLUMN, -1, STYLE_HEAD, canvas->ascii ? "*" : "●");
}

/* "2 of 3 ways: < >" where there are several to go on. Returns the column after it. */
static int draw_fork(struct route *route, size_t step, struct canvas *canvas, int y, int x)
{
	struct buf text = {0};
	if (route_forks(route, step, &text))
		x = canvas_text(canvas, y, x, -1, STYLE_GUESS, buf_text(&text)) + 2;
	buf_free(&text);
	return x;
}

static void draw_root(struct route *route, struct canvas *canvas, int y)
{
	struct buf text = {0};
	root_add_name(route->analysis, &route->analysis->heap->roots[route->path.root], &text);
	canvas_text(canvas, y, STEP_END - 4, -1, STYLE_PLAIN, "root");
	canvas_middle(canvas, y, ROOT_COLUMN, canvas->width - ROOT_COLUMN, STYLE_LINK, buf_text(&text));
	buf_clear(&text);
	const struct gate *gate = has_gates(route) ? gates_anchor(&route->gates) : NULL;
	if (gate) {
		draw_mark(canvas, y);
		buf_add(&text, "retains ");
		text_add_size(&text, route->gates.dominators->bytes[gate->node]);
		int columns = canvas_columns(buf_text(&text));
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
static int draw_type(struct route *route, size_t step, uint64_t offset, struct canvas *canvas,
                     int y, int x)
{
	struct buf text = {0};
	if (step)
		step_add(route->analysis, route->path.step[step - 1], offset, &text);
	if (text.len)
		buf_add(&text, "  ");
	if (!typed_add(route->analysis, route->path.step[step], &text)) {
		buf_free(&text);
		return x;
	}
	bool inner = step && step_is_inner(route->analysis, route->path.step[step - 1]);
	canvas_middle(canvas, y, x, canvas->width - x, inner ? STYLE_FAINT : STYLE_PLAIN,
	              buf_text(&text));
	int end = x + canvas_columns(buf_text(&text)) + 2;
	buf_free(&text);
	return end < canvas->width ? end : canvas->width;
}

/* The object's own size, and what a gate retains. */
static void draw_sizes(struct route *route, size_t step, struct canvas *canvas, int y)
{
	uint32_t id = route->path.step[step];
	bool wide = is_wide(route, canvas);
	struct buf text = {0};
	if (wide || !has_gates(route)) {
		text_add_size(&text, heap_size(route->analysis->heap, id));
		draw_number(canvas, y, SIZE_END, STYLE_PLAIN, &text);
	}
	if (has_gates(route) && gates_at(&route->gates, step)) {
		draw_mark(canvas, y);
		text_add_size(&text, route->gates.dominators->bytes[id]);
		draw_number(canvas, y, wide ? RETAINED_END : SIZE_END, STYLE_PLAIN, &text);
	}
	buf_free(&text);
}

static void draw_step(struct route *route, size_t step, struct canvas *canvas, int y)
{
	const struct heap *heap = route->analysis->heap;
	uint32_t id = route->path.step[step];
	uint64_t offset = path_step_offset(heap, &route->path, step);
	struct buf text = {0};
	text_add_count(&text, step + 1);
	draw_number(canvas, y, STEP_END, STYLE_FAINT, &text);
	if (offset != UINT64_MAX)
		buf_addf(&text, "+0x%" PRIx64, offset);
	draw_number(canvas, y, OFFSET_END, STYLE_PLAIN, &text);
	canvas_textf(canvas, y, ADDRESS_COLUMN, -1, STYLE_LINK, "0x%" PRIx64, heap_address(heap, id));
	draw_sizes(route, step, canvas, y);
	int x = draw_fork(route, step, canvas, y, text_column(route, canvas));
	x = draw_type(route, step, offset, canvas, y, x);
	preview_object(heap, id, &text);
	canvas_middle(canvas, y, x, canvas->width - x, STYLE_GUESS, buf_text(&text));
	buf_free(&text);
}

void route_draw(struct route *route, size_t row, struct canvas *canvas, int y)
{
	if (route->path.count == 0)
		canvas_text(canvas, y, 1, -1, STYLE_FAINT,
		            "This way takes a moment to find. Esc gives it up.");
	else if (row == 0)
		draw_root(route, canvas, y);
	else
		draw_step(route, row - 1, canvas, y);
}
