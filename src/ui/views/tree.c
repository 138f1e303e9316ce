/* Any tree table: rows open and close in place. */
#include "ui/views/tree.h"

#include "base/mem.h"
#include "base/text.h"
#include "ui/icicle.h"

#include <stdlib.h>
#include <string.h>

enum { ICICLE_LINES = 5 };
enum { OPENED = 16 }; /* maximum number of rows opened initially */

static void tree_prepare_work(void *self, struct progress *progress)
{
	struct tree *tree = ((struct view *)self)->data;
	size_t row = tree->outline.at[tree->opens].row;
	progress_begin(progress, "opening", 0);
	tree->prepared = tree->table->tree->prepare(tree->rows, row, progress);
}

static void tree_prepare_ended(void *self)
{
	struct tree *tree = ((struct view *)self)->data;
	tree->opening = false;
	if (tree->prepared)
		outline_open(&tree->outline, tree->rows, tree->opens);
}

static const struct task_kind tree_prepare_task = {tree_prepare_work, tree_prepare_ended};

void tree_open_row(struct view *view, size_t place)
{
	struct tree *tree = view->data;
	if (rows_take_long(tree->rows, tree->outline.at[place].row)) {
		tree->opens = place;
		tree->opening = true;
		view_begin(view, &tree_prepare_task);
	} else {
		outline_open(&tree->outline, tree->rows, place);
	}
}

static void tree_close(struct view *view)
{
	struct tree *tree = view->data;
	if (!tree)
		return;
	rows_close(tree->rows);
	page_fini(&tree->empty);
	outline_fini(&tree->outline);
	free(tree);
	view->data = NULL;
}

/* Opens a single topmost row, then each child that has more than half of it. */
static void tree_view_open_first(struct view *view)
{
	struct tree *tree = view->data;
	const struct rows *rows = tree->rows;
	uint64_t half = rows_weight(rows, 0) / 2;
	for (size_t place = 0; place < OPENED && place < tree->outline.count && !tree->opening;
	     place++) {
		if (!outline_can_open(&tree->outline, rows, place)
		    || rows_weight(rows, tree->outline.at[place].row) <= half)
			break;
		tree_open_row(view, place);
	}
}

static bool tree_load(struct view *view, struct progress *progress, struct err *err)
{
	const char *argument = view->argument + strcspn(view->argument, " ");
	argument += strspn(argument, " ");
	struct tree *tree = view->data = mem_alloc(sizeof *tree);
	tree->table = view_table_shown(view->ops, view->argument);
	tree->rows =
		rows_open_watched(tree->table, view->analysis, *argument ? argument : NULL, progress, err);
	return tree->rows != NULL;
}

static bool tree_open(struct view *view, struct err *err)
{
	(void)err;
	struct tree *tree = view->data;
	const char *note = buf_text(&tree->rows->note);
	tree->topmost = tree->rows->count;
	outline_insert(&tree->outline, 0, 0, tree->topmost, 0);
	buf_add(&view->title, buf_text(&tree->rows->title));
	page_line(&tree->empty, NULL);
	page_paragraph(&tree->empty, 1, STYLE_PLAIN, *note ? note : "There are none in this dump.");
	if (tree->topmost == 1)
		tree_view_open_first(view);
	return true;
}

static size_t tree_rows(const struct view *view)
{
	const struct tree *tree = view->data;
	return tree->outline.count ? tree->outline.count : tree->empty.count;
}

static bool tree_selectable(const struct view *view, size_t place)
{
	const struct tree *tree = view->data;
	return place < tree->outline.count;
}

/* Draws the icicle from the topmost rows, or from an ancestor of the cursor's row that leaves a
   line for its children. */
static void draw_icicle(const struct tree *tree, size_t cursor, struct canvas *canvas, int y,
                        int lines)
{
	const struct outline_place *at = tree->outline.at;
	size_t top = cursor;
	while (at[top].depth + (uint32_t)lines > at[cursor].depth + 2 && at[top].depth)
		top = outline_above(&tree->outline, top);
	bool all = at[top].depth == 0;
	icicle_draw(tree->rows, all ? 0 : at[top].row, all ? tree->topmost : 1, at[cursor].row, canvas,
	            y, lines);
}

/* Fits the columns to the rows on the screen. */
static void tree_fit(const struct view *view, const struct canvas *canvas)
{
	struct tree *tree = view->data;
	const struct outline_place *at = tree->outline.at;
	size_t end = view->top + (size_t)canvas->height;
	for (size_t place = view->top; place < end && place < tree->outline.count; place++) {
		int before = at[place].depth < (uint32_t)canvas->width ? (int)at[place].depth
		                                                       : canvas->width;
		grid_see(&tree->grid, tree->rows, at[place].row, 2 * before + 2, canvas->width);
	}
	grid_fit(&tree->grid, tree->rows, canvas->width, view->left);
}

static int tree_head(const struct view *view, struct canvas *canvas, int y)
{
	struct tree *tree = view->data;
	int lines = tree->icicle && tree->outline.count ? ICICLE_LINES : 0;
	if (!canvas)
		return lines + 1;
	if (lines)
		draw_icicle(tree, view->cursor, canvas, y, lines - 1);
	tree_fit(view, canvas);
	grid_heads(&tree->grid, tree->rows, canvas, y + lines, -1, false);
	return lines + 1;
}

/* Draws a row: two columns of indentation per level, then a mark for open rows and rows that can
   open. */
static void tree_draw(const struct view *view, size_t place, struct canvas *canvas, int y)
{
	static const char *const marks[2][2] = {{"▸ ", "▾ "}, {"+ ", "- "}};
	const struct tree *tree = view->data;
	struct buf before = {0};
	if (!tree->outline.count) {
		page_draw(&tree->empty, place, canvas, y);
		return;
	}
	const struct outline_place *at = &tree->outline.at[place];
	for (uint32_t i = 0; i < at->depth && i < (uint32_t)canvas->width; i++)
		buf_add(&before, "  ");
	bool marked = at->open || outline_can_open(&tree->outline, tree->rows, place);
	buf_add(&before, marked ? marks[canvas->ascii][at->open] : "  ");
	grid_row_after(&tree->grid, tree->rows, at->row, buf_text(&before), canvas, y);
	buf_free(&before);
}

static void tree_link(const struct view *view, size_t place, struct buf *command)
{
	const struct tree *tree = view->data;
	if (place >= tree->outline.count)
		return;
	rows_link(tree->rows, tree->outline.at[place].row, command);
	if (!command->len && tree->table->tree->has_below(tree->rows, tree->outline.at[place].row))
		buf_add(command, "toggle");
}

static uint64_t tree_view_address(const struct view *view, size_t place)
{
	const struct tree *tree = view->data;
	if (place >= tree->outline.count)
		return 0;
	return rows_address(tree->rows, tree->outline.at[place].row);
}

static bool tree_matches(const struct view *view, size_t place, struct row_search *search)
{
	const struct tree *tree = view->data;
	return place < tree->outline.count
	       && row_search_matches(search, tree->rows, tree->outline.at[place].row);
}

/* ---- Rows that are not open: a search covers them, too */

static size_t tree_more(const struct view *view)
{
	const struct tree *tree = view->data;
	const struct table_tree *ops = tree->table->tree;
	return ops->all && tree->outline.count ? ops->all(tree->rows) : 0;
}

static bool tree_more_matches(const struct view *view, size_t row, struct row_search *search)
{
	const struct tree *tree = view->data;
	return row_search_matches(search, tree->rows, row)
	       && outline_place_of(&tree->outline, row) == SIZE_MAX;
}

/* Opens the ancestors of a row, from the nearest open one down. */
static size_t tree_reveal(struct view *view, size_t row)
{
	struct tree *tree = view->data;
	size_t place;
	while ((place = outline_place_of(&tree->outline, row)) == SIZE_MAX) {
		size_t above = tree->table->tree->above(tree->rows, row);
		while ((place = outline_place_of(&tree->outline, above)) == SIZE_MAX)
			above = tree->table->tree->above(tree->rows, above);
		outline_open(&tree->outline, tree->rows, place);
	}
	return place;
}

static const struct view_more tree_view_more = {
	.count = tree_more,
	.matches = tree_more_matches,
	.reveal = tree_reveal,
};

/* ---- View */

static const struct rows *tree_table_row(const struct view *view, size_t row, size_t *number)
{
	const struct tree *tree = view->data;
	if (!(row < tree->outline.count))
		return NULL;
	*number = tree->outline.at[row].row;
	return tree->rows;
}

static bool tree_wider(const struct view *view)
{
	return ((const struct tree *)view->data)->grid.more;
}

static void tree_explain(const struct view *view, struct buf *out)
{
	const struct tree *tree = view->data;
	buf_addf(out, "%s\n", tree->table->help);
	grid_explain(tree->table, out);
}

static const struct view_ops view_tree = {
	.rank = 20,
	.name = "tree",
	.help = "A table whose rows open and close in place",
	.argument = "TABLE [ARG]",
	.of_table = true,
	.needs = STAGE_READ,
	.load = tree_load,
	.open = tree_open,
	.close = tree_close,
	.rows = tree_rows,
	.head = tree_head,
	.draw = tree_draw,
	.selectable = tree_selectable,
	.link = tree_link,
	.address = tree_view_address,
	.commands = COMMANDS_TREE,
	.matches = tree_matches,
	.more = &tree_view_more,
	.explain = tree_explain,
	.passes = tree_passes,
	.table_row = tree_table_row,
	.wider = tree_wider,
};
PLUGIN(views, view_tree);
