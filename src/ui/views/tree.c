/* Any table whose rows are a tree: rows open and close in place. */
#include "ui/view.h"

#include "base/mem.h"
#include "base/text.h"
#include "table/table.h"
#include "ui/grid.h"
#include "ui/icicle.h"
#include "ui/page.h"

#include <stdlib.h>
#include <string.h>

enum { ICICLE_LINES = 5 };

/* A row that is on the screen, or would be if that were higher. */
struct branch {
	size_t row;
	uint32_t depth;
	bool open;
};

struct tree {
	const struct table *table;
	struct rows *rows;
	struct branch *branch;
	size_t count, capacity;
	size_t topmost;    /* rows */
	bool icicle;       /* is it drawn above them? */
	struct page empty; /* what is shown in place of rows: why there are none */
};

static const struct branch *branch_at(const struct view *view, size_t place)
{
	return &((const struct tree *)view->data)->branch[place];
}

/* Puts the rows first ... first + count - 1 at a place. */
static void insert(struct tree *tree, size_t place, size_t first, size_t count, uint32_t depth)
{
	while (tree->capacity < tree->count + count)
		tree->branch = mem_grow(tree->branch, tree->capacity, &tree->capacity, sizeof *tree->branch);
	memmove(tree->branch + place + count, tree->branch + place,
	        (tree->count - place) * sizeof *tree->branch);
	for (size_t i = 0; i < count; i++)
		tree->branch[place + i] = (struct branch){.row = first + i, .depth = depth};
	tree->count += count;
}

static void open_branch(struct view *view, size_t place)
{
	struct tree *tree = view->data;
	size_t first, count = tree->table->below(tree->rows, tree->branch[place].row, &first);
	tree->branch[place].open = true;
	insert(tree, place + 1, first, count, tree->branch[place].depth + 1);
}

static void close_branch(struct view *view, size_t place)
{
	struct tree *tree = view->data;
	size_t end = place + 1;
	while (end < tree->count && tree->branch[end].depth > tree->branch[place].depth)
		end++;
	memmove(tree->branch + place + 1, tree->branch + end,
	        (tree->count - end) * sizeof *tree->branch);
	tree->count -= end - place - 1;
	tree->branch[place].open = false;
}

static bool can_open(const struct tree *tree, size_t place)
{
	const struct branch *branch = &tree->branch[place];
	return !branch->open && tree->table->has_below(tree->rows, branch->row);
}

/* Opens the row, or goes on to the first row below it. */
static bool right(struct view *view, struct err *err)
{
	struct tree *tree = view->data;
	if (can_open(tree, view->cursor))
		open_branch(view, view->cursor);
	else if (branch_at(view, view->cursor)->open)
		view->cursor++;
	else
		return err_set(err, "There is nothing below this row");
	return true;
}

/* Closes the row, or goes to the one above that it belongs to. */
static bool left(struct view *view, struct err *err)
{
	const struct branch *branch = branch_at(view, view->cursor);
	if (branch->open)
		close_branch(view, view->cursor);
	else if (branch->depth == 0)
		return err_set(err, "This is a topmost row");
	else
		for (uint32_t depth = branch->depth; branch_at(view, view->cursor)->depth >= depth;)
			view->cursor--;
	return true;
}

static bool toggle(struct view *view, struct err *err)
{
	if (branch_at(view, view->cursor)->open)
		return left(view, err);
	return right(view, err);
}

static bool icicle(struct view *view, struct err *err)
{
	(void)err;
	struct tree *tree = view->data;
	tree->icicle = !tree->icicle;
	return true;
}

static const struct {
	const char *word;
	bool (*run)(struct view *view, struct err *err);
} tree_commands[] = {{"right", right}, {"left", left}, {"toggle", toggle}, {"icicle", icicle}};

static const char *const tree_words[] = {"right", "left", "toggle", "icicle", NULL};

static bool tree_command(struct view *view, const char *word, const char *argument, struct err *err)
{
	(void)argument;
	const struct tree *tree = view->data;
	if (view->cursor >= tree->count)
		return err_set(err, "There are no rows");
	for (size_t i = 0; i < sizeof tree_commands / sizeof *tree_commands; i++)
		if (strcmp(tree_commands[i].word, word) == 0)
			return tree_commands[i].run(view, err);
	return false;
}

static void tree_close(struct view *view)
{
	struct tree *tree = view->data;
	if (!tree)
		return;
	rows_close(tree->rows);
	page_fini(&tree->empty);
	free(tree->branch);
	free(tree);
	view->data = NULL;
}

static bool tree_open(struct view *view, struct err *err)
{
	const char *argument = view->argument + strcspn(view->argument, " ");
	argument += strspn(argument, " ");
	struct tree *tree = view->data = mem_alloc(sizeof *tree);
	tree->table = view_table_shown(view->ops, view->argument);
	tree->rows = rows_open(tree->table, view->analysis, *argument ? argument : NULL, err);
	if (!tree->rows) {
		tree_close(view);
		return false;
	}
	tree->topmost = tree->rows->count;
	insert(tree, 0, 0, tree->topmost, 0);
	buf_add(&view->title, buf_text(&tree->rows->title));
	page_line(&tree->empty, NULL);
	page_paragraph(&tree->empty, 1, STYLE_PLAIN, tree->rows->note.len
	                                                 ? buf_text(&tree->rows->note)
	                                                 : "There are none in this dump.");
	if (tree->count == 1 && can_open(tree, 0))
		open_branch(view, 0);
	return true;
}

static size_t tree_rows(const struct view *view)
{
	const struct tree *tree = view->data;
	return tree->count ? tree->count : tree->empty.count;
}

static bool tree_selectable(const struct view *view, size_t place)
{
	const struct tree *tree = view->data;
	return place < tree->count;
}

static int tree_head(const struct view *view, struct canvas *canvas, int y)
{
	const struct tree *tree = view->data;
	int lines = tree->icicle && tree->count ? ICICLE_LINES : 0;
	if (canvas && lines)
		icicle_draw(tree->rows, tree->topmost, tree->branch[view->cursor].row, canvas, y, lines);
	if (canvas)
		grid_heads(tree->rows, canvas, y + lines, -1, false);
	return lines + 1;
}

/* Two columns for each level, then a mark: what can be opened and what is. */
static void tree_draw(const struct view *view, size_t place, struct canvas *canvas, int y)
{
	static const char *const marks[2][2] = {{"▸ ", "▾ "}, {"+ ", "- "}};
	const struct tree *tree = view->data;
	struct buf before = {0};
	if (!tree->count) {
		page_draw(&tree->empty, place, canvas, y);
		return;
	}
	const struct branch *branch = &tree->branch[place];
	for (uint32_t i = 0; i < branch->depth && i < (uint32_t)canvas->width; i++)
		buf_add(&before, "  ");
	bool marked = branch->open || can_open(tree, place);
	buf_add(&before, marked ? marks[canvas->ascii][branch->open] : "  ");
	grid_row_after(tree->rows, branch->row, buf_text(&before), canvas, y);
	buf_free(&before);
}

static void tree_link(const struct view *view, size_t place, struct buf *command)
{
	const struct tree *tree = view->data;
	if (tree->table->link)
		tree->table->link(tree->rows, tree->branch[place].row, command);
	if (!command->len)
		buf_add(command, "toggle");
}

static uint64_t tree_address(const struct view *view, size_t place)
{
	const struct tree *tree = view->data;
	return tree->table->address ? tree->table->address(tree->rows, tree->branch[place].row) : 0;
}

static bool tree_matches(const struct view *view, size_t place, const char *needle)
{
	const struct tree *tree = view->data;
	return tree->count && grid_matches(tree->rows, tree->branch[place].row, needle);
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
	.address = tree_address,
	.command = tree_command,
	.commands = tree_words,
	.matches = tree_matches,
	.explain = tree_explain,
};
