/* Any table whose rows are a tree: rows open and close in place. */
#include "ui/views/tree.h"

#include "base/mem.h"
#include "base/text.h"
#include "ui/grid.h"
#include "ui/icicle.h"

#include <stdlib.h>
#include <string.h>

enum { ICICLE_LINES = 5 };
enum { OPENED = 16 };                    /* rows that are open at first, at most */
enum { AT_ONCE_MS = 40, SLICE_MS = 20 }; /* what takes longer is waited for in slices */

static void tree_view_say(struct tree *tree, enum style style, const char *sentence)
{
	page_clear(&tree->empty);
	page_line(&tree->empty, NULL);
	page_paragraph(&tree->empty, 1, style, sentence);
}

void tree_set_side(struct view *view)
{
	const struct tree *tree = view->data;
	buf_clear(&view->side);
	if (tree->loader)
		table_loader_progress(tree->loader, &view->side);
	else if (tree->next.job)
		job_tell(tree->next.job, "opening", &view->side);
}

static void tree_view_prepare(void *arg, struct progress *progress)
{
	const struct preparation *next = arg;
	next->rows->table->tree->prepare(next->rows, next->row, progress);
}

void tree_end_preparation(struct tree *tree)
{
	job_end(tree->next.job);
	tree->next.job = NULL;
}

void tree_open_row(struct view *view, size_t place)
{
	struct tree *tree = view->data;
	size_t row = tree->outline.at[place].row;
	if (rows_take_long(tree->rows, row)) {
		tree->next = (struct preparation){.rows = tree->rows, .place = place, .row = row};
		tree->next.job = job_start(tree_view_prepare, &tree->next);
		if (!job_wait(tree->next.job, AT_ONCE_MS))
			return;
		tree_end_preparation(tree);
	}
	outline_open(&tree->outline, tree->rows, place);
}

static void tree_close(struct view *view)
{
	struct tree *tree = view->data;
	if (!tree)
		return;
	tree_end_preparation(tree);
	rows_close(table_loader_end(tree->loader, NULL));
	rows_close(tree->rows);
	page_fini(&tree->empty);
	outline_fini(&tree->outline);
	free(tree);
	view->data = NULL;
}

/* A single row opens, and then what is more than half of it. */
static void tree_view_open_first(struct view *view)
{
	struct tree *tree = view->data;
	const struct rows *rows = tree->rows;
	uint64_t half = rows_weight(rows, 0) / 2;
	for (size_t place = 0; place < OPENED && place < tree->outline.count; place++) {
		if (!outline_can_open(&tree->outline, rows, place)
		    || rows_weight(rows, tree->outline.at[place].row) <= half)
			break;
		tree_open_row(view, place);
	}
}

/* What has been opened is shown; on failure, why it has not. */
static bool take_rows(struct view *view, struct err *err)
{
	struct tree *tree = view->data;
	tree->rows = table_loader_end(tree->loader, err);
	tree->loader = NULL;
	if (!tree->rows)
		return false;
	tree->topmost = tree->rows->count;
	outline_insert(&tree->outline, 0, 0, tree->topmost, 0);
	buf_clear(&view->title);
	buf_add(&view->title, buf_text(&tree->rows->title));
	tree_view_say(tree, STYLE_PLAIN,
	              tree->rows->note.len ? buf_text(&tree->rows->note)
	                                   : "There are none in this dump.");
	if (tree->topmost == 1)
		tree_view_open_first(view);
	return true;
}

static bool tree_open(struct view *view, struct err *err)
{
	const char *argument = view->argument + strcspn(view->argument, " ");
	argument += strspn(argument, " ");
	struct tree *tree = view->data = mem_alloc(sizeof *tree);
	tree->table = view_table_shown(view->ops, view->argument);
	tree->loader = table_loader_begin(tree->table, view->analysis, *argument ? argument : NULL);
	if (!table_loader_wait(tree->loader, AT_ONCE_MS)) {
		buf_add(&view->title, tree->table->name);
		tree_view_say(tree, STYLE_FAINT,
		              "This table takes a moment to put together. Esc gives it up.");
	} else if (!take_rows(view, err)) {
		tree_close(view);
		return false;
	}
	tree_set_side(view);
	return true;
}

static void tree_view_opened(struct view *view)
{
	struct tree *tree = view->data;
	struct err err = {0};
	if (take_rows(view, &err))
		return;
	struct buf sentence = {0};
	buf_addf(&sentence, "%s.", err.text);
	tree_view_say(tree, STYLE_WARNING, buf_text(&sentence));
	buf_free(&sentence);
}

static bool tree_busy(const struct view *view)
{
	const struct tree *tree = view->data;
	return tree->loader || tree->next.job;
}

static void tree_work(struct view *view)
{
	struct tree *tree = view->data;
	if (tree->loader && table_loader_wait(tree->loader, SLICE_MS)) {
		tree_view_opened(view);
	} else if (tree->next.job && job_wait(tree->next.job, SLICE_MS)) {
		tree_end_preparation(tree);
		outline_open(&tree->outline, tree->rows, tree->next.place);
	}
	tree_set_side(view);
}

static void tree_cancel(struct view *view)
{
	struct tree *tree = view->data;
	tree_end_preparation(tree);
	if (tree->loader)
		tree_view_say(tree, STYLE_PLAIN, "Given up. Open the table again to try once more.");
	rows_close(table_loader_end(tree->loader, NULL));
	tree->loader = NULL;
	tree_set_side(view);
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

/* From the topmost rows, or so far down that what is below the cursor has a line, too. */
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

static int tree_head(const struct view *view, struct canvas *canvas, int y)
{
	const struct tree *tree = view->data;
	int lines = tree->icicle && tree->outline.count ? ICICLE_LINES : 0;
	if (canvas && lines)
		draw_icicle(tree, view->cursor, canvas, y, lines - 1);
	if (canvas && tree->rows)
		grid_heads(tree->rows, canvas, y + lines, -1, false);
	return lines + 1;
}

/* Two columns for each level, then a mark: what can be opened and what is. */
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
	grid_row_after(tree->rows, at->row, buf_text(&before), canvas, y);
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

static bool tree_matches(const struct view *view, size_t place, const char *needle)
{
	const struct tree *tree = view->data;
	return place < tree->outline.count
	       && grid_matches(tree->rows, tree->outline.at[place].row, needle);
}

static void tree_explain(const struct view *view, struct buf *out)
{
	const struct tree *tree = view->data;
	buf_addf(out, "%s\n", tree->table->help);
	grid_explain(tree->table, out);
}

const struct view_ops view_tree = {
	.name = "tree",
	.help = "A table whose rows open and close in place",
	.argument = "TABLE [ARG]",
	.of_table = true,
	.needs = STAGE_READ,
	.open = tree_open,
	.close = tree_close,
	.rows = tree_rows,
	.head = tree_head,
	.draw = tree_draw,
	.selectable = tree_selectable,
	.link = tree_link,
	.address = tree_view_address,
	.command = tree_command,
	.commands = tree_words,
	.matches = tree_matches,
	.busy = tree_busy,
	.work = tree_work,
	.cancel = tree_cancel,
	.explain = tree_explain,
};
