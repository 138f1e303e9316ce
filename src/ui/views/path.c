/* What keeps an object alive: a path from a root down to it, one step a row, and the other ways
   there are. Paths may have millions of steps, so rows are made as they are drawn. */
#include "ui/view.h"

#include "analysis/preview.h"
#include "base/mem.h"
#include "base/text.h"
#include "table/argument.h"
#include "table/cell.h"
#include "table/reference.h"
#include "table/root.h"
#include "table/step.h"
#include "table/typed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { QUICK_OBJECTS = 1 << 20 }; /* up to here the next way is looked for beforehand */
enum { /* columns of the screen */
	STEP_END = 10, ROOT_COLUMN = 11, OFFSET_END = 20, ADDRESS_COLUMN = 22,
	SIZE_END = 50, TEXT_COLUMN = 52
};

struct path_view {
	uint32_t object;
	struct paths *paths;
	const struct path *path;
	size_t way; /* from 0 */
	size_t known; /* ways found so far */
};

static const struct heap *heap_of(const struct view *view)
{
	return view->analysis->heap;
}

static void set_side(struct view *view)
{
	const struct path_view *data = view->data;
	buf_clear(&view->side);
	buf_addf(&view->side, "way %zu of %zu%s", data->way + 1, data->known,
	         paths_exhausted(data->paths) ? "" : "+");
}

/* Shows a way; false when there are not that many. */
static bool show(struct view *view, size_t way)
{
	struct path_view *data = view->data;
	bool quick = heap_object_count(heap_of(view)) <= QUICK_OBJECTS;
	if (!paths_get(data->paths, way, NULL))
		return false;
	/* One further, to say whether there is more; what is found may move the paths found before. */
	size_t known = quick && paths_get(data->paths, way + 1, NULL) ? way + 2 : way + 1;
	if (known > data->known)
		data->known = known;
	data->path = paths_get(data->paths, way, NULL);
	data->way = way;
	set_side(view);
	return true;
}

static void path_close(struct view *view)
{
	struct path_view *data = view->data;
	if (!data)
		return;
	paths_close(data->paths);
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
	data->object = object;
	data->paths = paths_open(heap_of(view), view->analysis->reach, object);
	if (!show(view, (size_t)way - 1))
		return err_set(err, "There is no way number %" PRIu64 " to 0x%" PRIx64, way, address);
	buf_addf(&view->title, "why 0x%" PRIx64 " is alive", address);
	return true;
}

static size_t path_rows(const struct view *view)
{
	const struct path_view *data = view->data;
	return data->path->count + 1;
}

static int path_head(const struct view *view, struct canvas *canvas, int y)
{
	const struct path_view *data = view->data;
	bool typed = analysis_typing(view->analysis) != NULL;
	struct buf text = {0};
	if (!canvas)
		return typed ? 2 : 1;
	if (typed) {
		step_add_path(view->analysis, data->path, &text);
		canvas_middle(canvas, y++, 1, canvas->width - 1, STYLE_PLAIN, buf_text(&text));
		buf_free(&text);
	}
	canvas_text(canvas, y, STEP_END - 4, -1, STYLE_HEAD, "step");
	canvas_text(canvas, y, OFFSET_END - 7, -1, STYLE_HEAD, "held at");
	canvas_text(canvas, y, ADDRESS_COLUMN, -1, STYLE_HEAD, "object");
	canvas_text(canvas, y, SIZE_END - 4, -1, STYLE_HEAD, "size");
	canvas_text(canvas, y, TEXT_COLUMN, -1, STYLE_HEAD, "contents");
	return typed ? 2 : 1;
}

static void draw_root(const struct view *view, struct canvas *canvas, int y)
{
	const struct path_view *data = view->data;
	struct buf text = {0};
	root_add_name(view->analysis, &heap_of(view)->roots[data->path->root], &text);
	canvas_text(canvas, y, STEP_END - 4, -1, STYLE_PLAIN, "root");
	canvas_middle(canvas, y, ROOT_COLUMN, canvas->width - ROOT_COLUMN, STYLE_LINK, buf_text(&text));
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
                     int y)
{
	const struct path_view *data = view->data;
	struct buf text = {0};
	if (step)
		step_add(view->analysis, data->path->step[step - 1], offset, &text);
	if (text.len)
		buf_add(&text, "  ");
	if (!typed_add(view->analysis, data->path->step[step], &text)) {
		buf_free(&text);
		return TEXT_COLUMN;
	}
	bool inner = step && step_is_inner(view->analysis, data->path->step[step - 1]);
	canvas_middle(canvas, y, TEXT_COLUMN, canvas->width - TEXT_COLUMN,
	              inner ? STYLE_FAINT : STYLE_PLAIN, buf_text(&text));
	int end = TEXT_COLUMN + canvas_columns(buf_text(&text)) + 2;
	buf_free(&text);
	return end < canvas->width ? end : canvas->width;
}

static void draw_step(const struct view *view, size_t step, struct canvas *canvas, int y)
{
	const struct path_view *data = view->data;
	const struct heap *heap = heap_of(view);
	uint32_t id = data->path->step[step];
	uint64_t offset = path_step_offset(heap, data->path, step);
	struct buf text = {0};
	text_add_count(&text, step + 1);
	draw_number(canvas, y, STEP_END, STYLE_FAINT, &text);
	if (offset != UINT64_MAX)
		buf_addf(&text, "+0x%" PRIx64, offset);
	draw_number(canvas, y, OFFSET_END, STYLE_PLAIN, &text);
	canvas_textf(canvas, y, ADDRESS_COLUMN, -1, STYLE_LINK, "0x%" PRIx64, heap_address(heap, id));
	text_add_size(&text, heap_size(heap, id));
	draw_number(canvas, y, SIZE_END, STYLE_PLAIN, &text);
	int x = draw_type(view, step, offset, canvas, y);
	preview_object(heap, id, &text);
	canvas_middle(canvas, y, x, canvas->width - x, STYLE_GUESS, buf_text(&text));
	buf_free(&text);
}

static void path_draw(const struct view *view, size_t row, struct canvas *canvas, int y)
{
	if (row == 0)
		draw_root(view, canvas, y);
	else
		draw_step(view, row - 1, canvas, y);
}

static uint64_t path_address(const struct view *view, size_t row)
{
	const struct path_view *data = view->data;
	return heap_address(heap_of(view), row ? data->path->step[row - 1] : data->object);
}

static void path_link(const struct view *view, size_t row, struct buf *command)
{
	const struct path_view *data = view->data;
	if (row == 0)
		root_link(heap_of(view), &heap_of(view)->roots[data->path->root], command);
	else
		buf_addf(command, "object 0x%" PRIx64, path_address(view, row));
}

static const char *const path_words[] = {"next-path", "previous-path", NULL};

static bool path_command(struct view *view, const char *word, const char *argument, struct err *err)
{
	(void)argument;
	const struct path_view *data = view->data;
	bool next = strcmp(word, "next-path") == 0;
	if (!next && data->way == 0)
		return err_set(err, "This is the first way, the shortest");
	if (!show(view, next ? data->way + 1 : data->way - 1))
		return err_set(err, paths_exhausted(data->paths)
			? "There is no other way that differs by its root or by its last holder"
			: "No other way was found; the search is bounded, there may be some");
	view->cursor = 0;
	return true;
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
	.command = path_command,
	.commands = path_words,
	.explain = path_explain,
};
