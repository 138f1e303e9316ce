/* The path view: a path from a root to an object, one step per row, and the other paths. Paths may
   have millions of steps, so rows are created when they are drawn. */
#include "ui/view.h"

#include "base/mem.h"
#include "format/format.h"
#include "table/cell.h"
#include "table/naming/argument.h"
#include "table/tables/path.h"
#include "ui/command.h"
#include "ui/explorer.h"
#include "ui/path_browser.h"

#include <inttypes.h>

struct path_view {
	struct path_browser browser;
	struct other_roots others; /* the result of the task */
	bool begun_others, found_others;
	bool asked; /* the cursor moves to the first difference of the next path */
};

static const struct heap *heap_of(const struct view *view)
{
	return analysis_heap(view->analysis);
}

/* Takes the result of a search. */
static bool path_view_take(struct view *view, struct err *err)
{
	struct path_view *data = view->data;
	size_t first;
	bool found = path_browser_end(&data->browser, &first, err);
	if (found)
		view->cursor = data->asked ? first + 1 : 0;
	buf_clear(&view->side);
	path_browser_add_title(&data->browser, &view->side);
	return found;
}

static void path_view_work(void *self, struct progress *progress)
{
	struct path_view *data = ((struct view *)self)->data;
	path_browser_run(&data->browser, progress);
}

/* ---- Kinds of other roots, computed next to the first path */

static void path_others_work(void *self, struct progress *progress)
{
	struct view *view = self;
	struct path_view *data = view->data;
	data->found_others =
		other_roots_find(view->analysis, data->browser.object, progress, &data->others);
}

static void path_others_ended(void *self)
{
	struct path_view *data = ((struct view *)self)->data;
	data->browser.others = data->others;
	data->browser.others_known = data->found_others;
}

static const struct task_kind path_others_task = {path_others_work, path_others_ended};

/* Begins the task, unless the result is known or root nodes are missing. */
static void path_find_others(struct view *view)
{
	struct path_view *data = view->data;
	if (data->begun_others || !analysis_root_nodes(view->analysis))
		return;
	data->begun_others = true;
	view_begin(view, &path_others_task);
}

/* ---- View */

static void path_view_ended(void *self)
{
	struct view *view = self;
	struct err err = {0};
	if (!path_view_take(view, &err))
		explorer_fail(view->explorer, &err);
	path_find_others(view);
}

static const struct task_kind path_task = {path_view_work, path_view_ended};

static void path_view_close(struct view *view)
{
	path_browser_fini(&((struct path_view *)view->data)->browser);
}

static bool path_load(struct view *view, struct progress *progress, struct err *err)
{
	uint32_t object;
	uint64_t number;
	if (!path_rows_argument(view->analysis, view->argument ? view->argument : "", &object, &number,
	                        err))
		return false;
	uint64_t address = heap_address(heap_of(view), object);
	if (!reach_must_be_known(view->analysis, err))
		return false;
	const struct reach *reach = analysis_reach(view->analysis);
	if (reach_before(reach, object) == OBJECT_NONE) {
		err_set(err, "No %s leads to 0x%" PRIx64, damage_any_root(heap_of(view)), address);
		return argument_absent(heap_of(view), DAMAGE_ROOTS, err);
	}
	SCOPED_BUF cause = {0};
	struct path_view *data = view->data = mem_alloc(sizeof *data);
	path_browser_init(&data->browser, view->analysis, object);
	if (reach_is_weak(reach, object))
		buf_addf(&view->title, "weak %s lead to 0x%" PRIx64 ", nothing%s keeps it alive",
		         reach_is_by_reference(reach, object) ? "references" : "roots", address,
		         damage_cause(heap_of(view), DAMAGE_ROOTS, &cause) ? " that was read" : "");
	else
		buf_addf(&view->title, "why 0x%" PRIx64 " is alive", address);
	path_browser_find(&data->browser, (size_t)number - 1);
	path_browser_run(&data->browser, progress);
	if (path_view_take(view, NULL))
		return true;
	return progress_step(progress, 0) && path_kinds_absent(data->browser.kinds, number, err);
}

static bool path_view_open(struct view *view, struct err *err)
{
	(void)err;
	path_find_others(view);
	return true;
}

static size_t path_view_rows(const struct view *view)
{
	const struct path_view *data = view->data;
	return data->browser.steps.count + 1;
}

/* Returns the step of the path on a row other than the root's. */
static size_t path_view_at(const struct path_view *data, size_t row)
{
	return data->browser.steps.at[row - 1];
}

static int path_head(const struct view *view, struct canvas *canvas, int y)
{
	struct path_view *data = view->data;
	return path_browser_draw_heads(&data->browser, canvas, y);
}

static void path_draw(const struct view *view, size_t row, struct canvas *canvas, int y)
{
	struct path_view *data = view->data;
	path_browser_draw(&data->browser, row, canvas, y);
}

static uint64_t path_address(const struct view *view, size_t row)
{
	const struct path_view *data = view->data;
	return heap_address(heap_of(view), row ? data->browser.path.step[path_view_at(data, row)]
	                                       : data->browser.object);
}

static void path_view_link(const struct view *view, size_t row, struct buf *command)
{
	const struct path_view *data = view->data;
	if (row == 0)
		entity_link(view->analysis, (struct entity){ENTITY_ROOT, data->browser.path.root, 0},
		            command);
	else
		buf_addf(command, "object 0x%" PRIx64, path_address(view, row));
}

/* Ends a search that runs, before the next one. Returns the browser. */
static struct path_browser *path_view_stop(struct view *view)
{
	struct path_view *data = view->data;
	view_drop(view);
	path_browser_drop(&data->browser);
	data->begun_others = data->browser.others_known;
	data->asked = false;
	return &data->browser;
}

/* Finds the next path or the one before. After another kind of path, it is the last one again. */
static bool path_view_step(const struct call *call)
{
	struct path_browser *browser = path_view_stop(call->view);
	bool numbered = browser->kind == PATH_BROWSER_NUMBERED;
	if (call->command->by < 0 && numbered && browser->number == 0)
		return err_set(call->err, "This is the first path, the shortest");
	path_browser_find(browser, browser->number + (size_t)(numbered ? call->command->by : 0));
	view_begin(call->view, &path_task);
	return true;
}

static bool path_view_turn(const struct call *call)
{
	struct path_browser *browser = path_view_stop(call->view);
	struct path_view *data = call->view->data;
	size_t number = call->view->cursor ? call->view->cursor - 1 : 0;
	data->asked = true;
	if (!path_browser_turn(browser, number, call->command->by, call->err))
		return false;
	view_begin(call->view, &path_task);
	return true;
}

static bool path_view_part(const struct call *call)
{
	if (!path_browser_part(path_view_stop(call->view), call->err))
		return false;
	view_begin(call->view, &path_task);
	return true;
}

/* Appends the reference that leads to the step on the row, or the root. */
static void path_cut(const struct view *view, size_t row, struct buf *out)
{
	const struct path_view *data = view->data;
	size_t at = row ? path_view_at(data, row) : 0;
	if (at)
		buf_addf(out, "0x%" PRIx64 ">0x%" PRIx64,
		         heap_address(heap_of(view), data->browser.path.step[at - 1]),
		         path_address(view, row));
	else if (data->browser.path.count)
		entity_add_argument(view->analysis,
		                    (struct entity){ENTITY_ROOT, data->browser.path.root, 0}, out);
}

static const char no_path[] = "This is no path: p shows what keeps an object alive";

const struct command commands_path[] = {
	{"next-path", NULL, 0, "Shows the next different path: another variable, function or field",
     .run = path_view_step, .by = 1, .of = COMMANDS_PATH, .elsewhere = no_path, .pair = true},
	{"previous-path", NULL, 0, "Shows the path before", .run = path_view_step, .by = -1,
     .of = COMMANDS_PATH, .elsewhere = no_path, .pair = true},
	{"next-segment", NULL, 0, "Takes another path between two marked steps of the path",
     .run = path_view_turn, .by = 1, .of = COMMANDS_PATH, .elsewhere = no_path, .pair = true},
	{"previous-segment", NULL, 0, "Takes the path before between two marked steps of the path",
     .run = path_view_turn, .by = -1, .of = COMMANDS_PATH, .elsewhere = no_path, .pair = true},
	{"apart", NULL, 0, "Shows a path that shares only the marked steps with this one",
     .run = path_view_part, .of = COMMANDS_PATH, .elsewhere = no_path},
	{0},
};

static void path_refresh(struct view *view)
{
	struct path_view *data = view->data;
	path_browser_refresh(&data->browser);
	path_find_others(view);
}

static void path_explain(const struct view *view, struct buf *out)
{
	(void)view;
	buf_add(
		out,
		"Read it from the top: the root references the object of step 1, that one the next, down "
		"to the object in the title\n"
		"The line above is the whole path in Go syntax; x300 after a field: 300 times in a row, on "
		"one row, which shows the last object. A map with its parts and a slice with its array are "
		"one step; v shows all steps\n"
		"also reached through: the number of other roots of each kind with a path to the object; "
		"running timers are not roots, but the runtime references them\n"
		"held at: offset of the pointer in the object of the step above, in bytes\n"
		"size: of the object's slot alone\n"
		"contents: the field of the step above and the type of the object, if they are known; ~ "
		"marks text\n"
		"retained: the bytes that would be freed without a marked step. Marked steps are on every "
		"path to the object: its dominators, and the object itself\n"
		"2 of 3 paths: there are 3 paths from the previous marked step to the next one; > and < "
		"show another of them\n"
		"a shows a path that shares only the marked steps with this one\n"
		"X removes the reference to a step, or the root, and shows what would be freed; :what-if "
		"lists the removed parts\n"
		"The first path is the shortest from the strongest kind of root: globals and "
		"parked " THREADS_WORD " come before running ones\n"
		"n shows the next different path: by another variable, function or field. alike: the "
		"number of "
		"similar paths, as of many " THREADS_WORD "; + says that there may be more\n");
}

DEFINE_PLUGIN(views, struct view_ops, view_path) = {
	.rank = 40,
	.name = "path",
	.help = "What keeps an object alive: the path from a root to it, and the other paths",
	.argument = "ADDR [K]",
	.takes = TAKES_PLACE | TAKES_THIS_OBJECT,
	.needs = STAGE_REVERSED,
	.parts = PART_OBJECTS,
	.load = path_load,
	.open = path_view_open,
	.close = path_view_close,
	.rows = path_view_rows,
	.head = path_head,
	.draw = path_draw,
	.link = path_view_link,
	.address = path_address,
	.cut = path_cut,
	.commands = COMMANDS_PATH,
	.refresh = path_refresh,
	.explain = path_explain,
};
