/* What keeps an object alive: a path from a root down to it, one step a row, and the other ways
   there are. Paths may have millions of steps, so rows are made as they are drawn. */
#include "ui/view.h"

#include "analysis/preview.h"
#include "base/mem.h"
#include "base/text.h"
#include "table/argument.h"
#include "table/cell.h"
#include "table/cut.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/step.h"
#include "table/typed.h"
#include "ui/explorer.h"
#include "ui/route.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE_MS = 40, SLICE_MS = 20, WIDE = 100 };
enum { /* columns of the screen */
	STEP_END = 10, MARK_COLUMN = 11, ROOT_COLUMN = 13, OFFSET_END = 21, ADDRESS_COLUMN = 23,
	SIZE_END = 48, TEXT_COLUMN = 50, RETAINED_END = 58, WIDE_TEXT_COLUMN = 60
};

struct path_view {
	struct route route;
	bool asked; /* the cursor goes to where the path that is looked for begins to differ */
};

static const struct heap *heap_of(const struct view *view)
{
	return view->analysis->heap;
}

static void set_side(struct view *view)
{
	const struct path_view *data = view->data;
	buf_clear(&view->side);
	route_progress(&data->route, &view->side);
	if (!view->side.len)
		route_add_title(&data->route, &view->side);
}

/* Takes what a search has found. */
static bool take(struct view *view, struct err *err)
{
	struct path_view *data = view->data;
	size_t first;
	bool found = route_end(&data->route, &first, err);
	if (found)
		view->cursor = data->asked ? first + 1 : 0;
	set_side(view);
	return found;
}

/* What has been looked for is shown at once or, if that takes long, later. */
static bool await(struct view *view, struct err *err)
{
	struct path_view *data = view->data;
	if (route_wait(&data->route, AT_ONCE_MS))
		return take(view, err);
	set_side(view);
	return true;
}

static void path_close(struct view *view)
{
	struct path_view *data = view->data;
	if (!data)
		return;
	route_fini(&data->route);
	free(data);
	view->data = NULL;
}

/* "ADDR [K]" */
static bool parse(const struct view *view, uint32_t *object, uint64_t *way, struct err *err)
{
	struct buf address = {0}, number = {0};
	argument_split(view->argument ? view->argument : "", &address, &number);
	*way = 1;
	bool good = address.len && argument_object(heap_of(view), address.data, object, err);
	if (good && number.len && (!text_parse_number(number.data, way) || *way == 0))
		good = false;
	buf_free(&address);
	buf_free(&number);
	/* Says nothing when what is wrong has been said. */
	return good || err_set(err, "Say which object, or its second way: path 0xc000012340 2");
}

static bool path_open(struct view *view, struct err *err)
{
	uint32_t object;
	uint64_t way;
	if (!parse(view, &object, &way, err))
		return false;
	uint64_t address = heap_address(heap_of(view), object);
	if (!reach_must_be_known(view->analysis, err))
		return false;
	if (!reach_has(view->analysis->reach, object))
		return err_set(err, "No root in the dump leads to 0x%" PRIx64, address);
	struct path_view *data = view->data = mem_alloc(sizeof *data);
	route_init(&data->route, view->analysis, object);
	buf_addf(&view->title, "why 0x%" PRIx64 " is alive", address);
	route_find(&data->route, (size_t)way - 1);
	if (await(view, err))
		return true;
	path_close(view);
	err->set = false;
	return err_set(err, "There is no way number %" PRIu64 " to 0x%" PRIx64, way, address);
}

/* One row as long as the first path is looked for. */
static size_t path_rows(const struct view *view)
{
	const struct path_view *data = view->data;
	return data->route.path.count + 1;
}

static bool has_gates(const struct view *view)
{
	const struct path_view *data = view->data;
	return data->route.gates.count > 0;
}

/* What is retained takes the place of the size where there is no room for both. */
static bool is_wide(const struct view *view, const struct canvas *canvas)
{
	return has_gates(view) && canvas->width >= WIDE;
}

static int text_column(const struct view *view, const struct canvas *canvas)
{
	return is_wide(view, canvas) ? WIDE_TEXT_COLUMN : TEXT_COLUMN;
}

static int path_head(const struct view *view, struct canvas *canvas, int y)
{
	const struct path_view *data = view->data;
	bool typed = analysis_typing(view->analysis) != NULL;
	struct buf text = {0};
	if (!canvas)
		return typed ? 2 : 1;
	if (typed) {
		step_add_path(view->analysis, &data->route.path, &text);
		canvas_middle(canvas, y++, 1, canvas->width - 1, STYLE_PLAIN, buf_text(&text));
		buf_free(&text);
	}
	bool wide = is_wide(view, canvas);
	canvas_text(canvas, y, STEP_END - 4, -1, STYLE_HEAD, "step");
	canvas_text(canvas, y, OFFSET_END - 7, -1, STYLE_HEAD, "held at");
	canvas_text(canvas, y, ADDRESS_COLUMN, -1, STYLE_HEAD, "object");
	if (wide || !has_gates(view))
		canvas_text(canvas, y, SIZE_END - 4, -1, STYLE_HEAD, "size");
	if (has_gates(view))
		canvas_text(canvas, y, (wide ? RETAINED_END : SIZE_END) - 8, -1, STYLE_HEAD, "retained");
	canvas_text(canvas, y, text_column(view, canvas), -1, STYLE_HEAD, "contents");
	return typed ? 2 : 1;
}

static void draw_mark(struct canvas *canvas, int y)
{
	canvas_text(canvas, y, MARK_COLUMN, -1, STYLE_HEAD, canvas->ascii ? "*" : "●");
}

/* "2 of 3 ways: < >" where there are several to go on. Returns the column after it. */
static int draw_fork(const struct view *view, size_t step, struct canvas *canvas, int y, int x)
{
	struct path_view *data = view->data;
	struct buf text = {0};
	if (route_forks(&data->route, step, &text))
		x = canvas_text(canvas, y, x, -1, STYLE_GUESS, buf_text(&text)) + 2;
	buf_free(&text);
	return x;
}

static void draw_root(const struct view *view, struct canvas *canvas, int y)
{
	const struct path_view *data = view->data;
	struct buf text = {0};
	root_add_name(view->analysis, &heap_of(view)->roots[data->route.path.root], &text);
	canvas_text(canvas, y, STEP_END - 4, -1, STYLE_PLAIN, "root");
	canvas_middle(canvas, y, ROOT_COLUMN, canvas->width - ROOT_COLUMN, STYLE_LINK, buf_text(&text));
	buf_clear(&text);
	const struct gate *gate = has_gates(view) ? gates_anchor(&data->route.gates) : NULL;
	if (gate) {
		draw_mark(canvas, y);
		buf_add(&text, "retains ");
		text_add_size(&text, data->route.gates.dominators->bytes[gate->node]);
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
static int draw_type(const struct view *view, size_t step, uint64_t offset, struct canvas *canvas,
                     int y, int x)
{
	const struct path_view *data = view->data;
	struct buf text = {0};
	if (step)
		step_add(view->analysis, data->route.path.step[step - 1], offset, &text);
	if (text.len)
		buf_add(&text, "  ");
	if (!typed_add(view->analysis, data->route.path.step[step], &text)) {
		buf_free(&text);
		return x;
	}
	bool inner = step && step_is_inner(view->analysis, data->route.path.step[step - 1]);
	canvas_middle(canvas, y, x, canvas->width - x, inner ? STYLE_FAINT : STYLE_PLAIN,
	              buf_text(&text));
	int end = x + canvas_columns(buf_text(&text)) + 2;
	buf_free(&text);
	return end < canvas->width ? end : canvas->width;
}

/* The object's own size, and what a gate retains. */
static void draw_sizes(const struct view *view, size_t step, struct canvas *canvas, int y)
{
	const struct path_view *data = view->data;
	uint32_t id = data->route.path.step[step];
	bool wide = is_wide(view, canvas);
	struct buf text = {0};
	if (wide || !has_gates(view)) {
		text_add_size(&text, heap_size(heap_of(view), id));
		draw_number(canvas, y, SIZE_END, STYLE_PLAIN, &text);
	}
	if (has_gates(view) && gates_at(&data->route.gates, step)) {
		draw_mark(canvas, y);
		text_add_size(&text, data->route.gates.dominators->bytes[id]);
		draw_number(canvas, y, wide ? RETAINED_END : SIZE_END, STYLE_PLAIN, &text);
	}
	buf_free(&text);
}

static void draw_step(const struct view *view, size_t step, struct canvas *canvas, int y)
{
	const struct path_view *data = view->data;
	const struct heap *heap = heap_of(view);
	uint32_t id = data->route.path.step[step];
	uint64_t offset = path_step_offset(heap, &data->route.path, step);
	struct buf text = {0};
	text_add_count(&text, step + 1);
	draw_number(canvas, y, STEP_END, STYLE_FAINT, &text);
	if (offset != UINT64_MAX)
		buf_addf(&text, "+0x%" PRIx64, offset);
	draw_number(canvas, y, OFFSET_END, STYLE_PLAIN, &text);
	canvas_textf(canvas, y, ADDRESS_COLUMN, -1, STYLE_LINK, "0x%" PRIx64, heap_address(heap, id));
	draw_sizes(view, step, canvas, y);
	int x = draw_fork(view, step, canvas, y, text_column(view, canvas));
	x = draw_type(view, step, offset, canvas, y, x);
	preview_object(heap, id, &text);
	canvas_middle(canvas, y, x, canvas->width - x, STYLE_GUESS, buf_text(&text));
	buf_free(&text);
}

static void path_draw(const struct view *view, size_t row, struct canvas *canvas, int y)
{
	const struct path_view *data = view->data;
	if (data->route.path.count == 0)
		canvas_text(canvas, y, 1, -1, STYLE_FAINT, "This way takes a moment to find. Esc gives it up.");
	else if (row == 0)
		draw_root(view, canvas, y);
	else
		draw_step(view, row - 1, canvas, y);
}

static uint64_t path_address(const struct view *view, size_t row)
{
	const struct path_view *data = view->data;
	return heap_address(heap_of(view), row ? data->route.path.step[row - 1] : data->route.object);
}

static void path_link(const struct view *view, size_t row, struct buf *command)
{
	const struct path_view *data = view->data;
	if (row == 0)
		root_link(heap_of(view), &heap_of(view)->roots[data->route.path.root], command);
	else
		buf_addf(command, "object 0x%" PRIx64, path_address(view, row));
}

static bool next_path(struct view *view, struct err *err)
{
	struct path_view *data = view->data;
	bool numbered = data->route.kind == ROUTE_NUMBERED;
	route_find(&data->route, data->route.number + numbered);
	return await(view, err);
}

static bool previous_path(struct view *view, struct err *err)
{
	struct path_view *data = view->data;
	bool numbered = data->route.kind == ROUTE_NUMBERED;
	if (numbered && data->route.number == 0)
		return err_set(err, "This is the first way, the shortest");
	route_find(&data->route, data->route.number - numbered);
	return await(view, err);
}

static bool turn(struct view *view, int by, struct err *err)
{
	struct path_view *data = view->data;
	size_t step = view->cursor ? view->cursor - 1 : 0;
	data->asked = true;
	return route_turn(&data->route, step, by, err) && await(view, err);
}

static bool next_way(struct view *view, struct err *err)
{
	return turn(view, 1, err);
}

static bool previous_way(struct view *view, struct err *err)
{
	return turn(view, -1, err);
}

static bool part(struct view *view, struct err *err)
{
	struct path_view *data = view->data;
	return route_part(&data->route, err) && await(view, err);
}

/* The reference that leads to the step on the row, or the root. */
static void path_cut(const struct view *view, size_t row, struct buf *out)
{
	const struct path_view *data = view->data;
	if (row > 1)
		buf_addf(out, "0x%" PRIx64 ">0x%" PRIx64, path_address(view, row - 1),
		         path_address(view, row));
	else if (data->route.path.count)
		cut_add_root(view->analysis, data->route.path.root, out);
}

static const struct {
	const char *word;
	bool (*run)(struct view *view, struct err *err);
} path_commands[] = {
	{"next-path", next_path}, {"previous-path", previous_path}, {"next-way", next_way},
	{"previous-way", previous_way}, {"apart", part},
};

static const char *const path_words[] = {
	"next-path", "previous-path", "next-way", "previous-way", "apart", NULL,
};

static bool path_command(struct view *view, const char *word, const char *argument, struct err *err)
{
	(void)argument;
	struct path_view *data = view->data;
	data->asked = false;
	for (size_t i = 0; i < sizeof path_commands / sizeof *path_commands; i++)
		if (data->route.path.count && strcmp(path_commands[i].word, word) == 0)
			return path_commands[i].run(view, err);
	return false;
}

static bool path_busy(const struct view *view)
{
	const struct path_view *data = view->data;
	return data->route.search != NULL;
}

static void path_work(struct view *view)
{
	struct path_view *data = view->data;
	struct err err = {0};
	if (route_wait(&data->route, SLICE_MS) && !take(view, &err))
		explorer_message(view->explorer, "%s.", err.text);
	set_side(view);
}

static void path_cancel(struct view *view)
{
	struct path_view *data = view->data;
	route_end(&data->route, &(size_t){0}, NULL);
	set_side(view);
}

static void path_refresh(struct view *view)
{
	struct path_view *data = view->data;
	route_refresh(&data->route);
}

static void path_explain(const struct view *view, struct buf *out)
{
	(void)view;
	buf_add(out,
	        "Read it from the top: the root holds the object of step 1, that one holds the next, "
	        "down to the object in the title\n"
	        "The line above is the whole way as one writes it in Go; x300 after a field: as often "
	        "in a row. Steps of the runtime within a map or a channel are faint and no part of it\n"
	        "held at: where in the holder above the pointer is, in bytes from its start\n"
	        "size: of the object's slot alone\n"
	        "contents: the field of the holder above and the type of the object, where they are "
	        "known; ~ marks what looks like text\n"
	        "retained: what would be freed with a marked step, which every way to the object leads "
	        "through: its dominators, and the object itself\n"
	        "2 of 3 ways: from the marked step before, that many lead on to the next marked one; > "
	        "and < take another of them\n"
	        "a shows a way that shares nothing with this one but the marked steps\n"
	        "X takes the reference to a step away, or the root, and says what would be freed; "
	        ":cuts lists what has been taken away\n"
	        "The first way is the shortest one from what lasts: globals and long parked goroutines "
	        "come before locals of running ones\n"
	        "Another way has another root or another last holder; + says that there may be more\n");
}

const struct view_ops view_path = {
	.name = "path",
	.help = "What keeps an object alive: the path from a root to it, and the other ways",
	.argument = "ADDR [K]",
	.needs = STAGE_REVERSED,
	.parts = HAS_OBJECTS,
	.open = path_open,
	.close = path_close,
	.rows = path_rows,
	.head = path_head,
	.draw = path_draw,
	.link = path_link,
	.address = path_address,
	.cut = path_cut,
	.command = path_command,
	.commands = path_words,
	.refresh = path_refresh,
	.busy = path_busy,
	.work = path_work,
	.cancel = path_cancel,
	.explain = path_explain,
};
