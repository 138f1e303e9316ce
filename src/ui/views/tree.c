/* Any table whose rows are a tree: rows open and close in place. */
#include "ui/view.h"

#include "analysis/job.h"
#include "base/mem.h"
#include "base/text.h"
#include "table/table.h"
#include "ui/fold.h"
#include "ui/grid.h"
#include "ui/icicle.h"
#include "ui/opening.h"
#include "ui/page.h"

#include <stdlib.h>
#include <string.h>

enum { ICICLE_LINES = 5 };
enum { AT_ONCE_MS = 40, SLICE_MS = 20 }; /* what takes longer is waited for in slices */

/* A row that is about to open, which takes long. */
struct preparation {
	struct job *job; /* NULL: none */
	const struct rows *rows;
	size_t place, row;
};

struct tree {
	const struct table *table;
	struct rows *rows;       /* NULL: still to come, or given up */
	struct opening *opening; /* of the rows, on their way; or NULL */
	struct preparation next;
	struct fold fold;
	size_t topmost;    /* rows */
	bool icicle;       /* is it drawn above them? */
	struct page empty; /* what is shown in place of rows: why there are none */
};

static const struct fold_place *place_at(const struct view *view, size_t place)
{
	return &((const struct tree *)view->data)->fold.at[place];
}

static void say(struct tree *tree, enum style style, const char *sentence)
{
	page_clear(&tree->empty);
	page_line(&tree->empty, NULL);
	page_paragraph(&tree->empty, 1, style, sentence);
}

static void set_side(struct view *view)
{
	const struct tree *tree = view->data;
	buf_clear(&view->side);
	if (tree->opening)
		opening_progress(tree->opening, &view->side);
	else if (tree->next.job)
		job_tell(tree->next.job, "opening", &view->side);
}

static void prepare(void *arg, struct progress *progress)
{
	const struct preparation *next = arg;
	next->rows->table->prepare(next->rows, next->row, progress);
}

static void end_preparation(struct tree *tree)
{
	job_end(tree->next.job);
	tree->next.job = NULL;
}

/* At once, or after what has to be prepared. */
static void open_row(struct view *view, size_t place)
{
	struct tree *tree = view->data;
	const struct table *table = tree->table;
	size_t row = tree->fold.at[place].row;
	if (table->takes_long && table->takes_long(tree->rows, row)) {
		tree->next = (struct preparation){.rows = tree->rows, .place = place, .row = row};
		tree->next.job = job_start(prepare, &tree->next);
		if (!job_wait(tree->next.job, AT_ONCE_MS))
			return;
		end_preparation(tree);
	}
	fold_open(&tree->fold, tree->rows, place);
}

/* Opens the row, or goes on to the first row below it. */
static bool right(struct view *view, struct err *err)
{
	struct tree *tree = view->data;
	if (fold_can_open(&tree->fold, tree->rows, view->cursor))
		open_row(view, view->cursor);
	else if (place_at(view, view->cursor)->open)
		view->cursor++;
	else
		return err_set(err, "There is nothing below this row");
	return true;
}

/* Closes the row, or goes to the one above that it belongs to. */
static bool left(struct view *view, struct err *err)
{
	struct tree *tree = view->data;
	const struct fold_place *place = place_at(view, view->cursor);
	if (place->open)
		fold_close(&tree->fold, view->cursor);
	else if (place->depth == 0)
		return err_set(err, "This is a topmost row");
	else
		view->cursor = fold_above(&tree->fold, view->cursor);
	return true;
}

static bool toggle(struct view *view, struct err *err)
{
	if (place_at(view, view->cursor)->open)
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
	struct tree *tree = view->data;
	if (view->cursor >= tree->fold.count)
		return err_set(err, tree->rows ? "There are no rows" : "The rows are not there yet");
	end_preparation(tree); /* its place may move */
	set_side(view);
	bool done = false;
	for (size_t i = 0; i < sizeof tree_commands / sizeof *tree_commands; i++)
		if (strcmp(tree_commands[i].word, word) == 0)
			done = tree_commands[i].run(view, err);
	set_side(view);
	return done;
}

static void tree_close(struct view *view)
{
	struct tree *tree = view->data;
	if (!tree)
		return;
	end_preparation(tree);
	rows_close(opening_end(tree->opening, NULL));
	rows_close(tree->rows);
	page_fini(&tree->empty);
	fold_fini(&tree->fold);
	free(tree);
	view->data = NULL;
}

/* What has been opened is shown; on failure, why it has not. */
static bool take_rows(struct view *view, struct err *err)
{
	struct tree *tree = view->data;
	tree->rows = opening_end(tree->opening, err);
	tree->opening = NULL;
	if (!tree->rows)
		return false;
	tree->topmost = tree->rows->count;
	fold_insert(&tree->fold, 0, 0, tree->topmost, 0);
	buf_clear(&view->title);
	buf_add(&view->title, buf_text(&tree->rows->title));
	say(tree, STYLE_PLAIN, tree->rows->note.len ? buf_text(&tree->rows->note)
	                                            : "There are none in this dump.");
	if (tree->fold.count == 1 && fold_can_open(&tree->fold, tree->rows, 0))
		open_row(view, 0);
	return true;
}

static bool tree_open(struct view *view, struct err *err)
{
	const char *argument = view->argument + strcspn(view->argument, " ");
	argument += strspn(argument, " ");
	struct tree *tree = view->data = mem_alloc(sizeof *tree);
	tree->table = view_table_shown(view->ops, view->argument);
	tree->opening = opening_begin(tree->table, view->analysis, *argument ? argument : NULL);
	if (!opening_wait(tree->opening, AT_ONCE_MS)) {
		buf_add(&view->title, tree->table->name);
		say(tree, STYLE_FAINT, "This table takes a moment to put together. Esc gives it up.");
	} else if (!take_rows(view, err)) {
		tree_close(view);
		return false;
	}
	set_side(view);
	return true;
}

static void opened(struct view *view)
{
	struct tree *tree = view->data;
	struct err err = {0};
	if (take_rows(view, &err))
		return;
	struct buf sentence = {0};
	buf_addf(&sentence, "%s.", err.text);
	say(tree, STYLE_WARNING, buf_text(&sentence));
	buf_free(&sentence);
}

static bool tree_busy(const struct view *view)
{
	const struct tree *tree = view->data;
	return tree->opening || tree->next.job;
}

static void tree_work(struct view *view)
{
	struct tree *tree = view->data;
	if (tree->opening && opening_wait(tree->opening, SLICE_MS)) {
		opened(view);
	} else if (tree->next.job && job_wait(tree->next.job, SLICE_MS)) {
		end_preparation(tree);
		fold_open(&tree->fold, tree->rows, tree->next.place);
	}
	set_side(view);
}

static void tree_cancel(struct view *view)
{
	struct tree *tree = view->data;
	end_preparation(tree);
	if (tree->opening)
		say(tree, STYLE_PLAIN, "Given up. Open the table again to try once more.");
	rows_close(opening_end(tree->opening, NULL));
	tree->opening = NULL;
	set_side(view);
}

static size_t tree_rows(const struct view *view)
{
	const struct tree *tree = view->data;
	return tree->fold.count ? tree->fold.count : tree->empty.count;
}

static bool tree_selectable(const struct view *view, size_t place)
{
	const struct tree *tree = view->data;
	return place < tree->fold.count;
}

static int tree_head(const struct view *view, struct canvas *canvas, int y)
{
	const struct tree *tree = view->data;
	int lines = tree->icicle && tree->fold.count ? ICICLE_LINES : 0;
	if (canvas && lines)
		icicle_draw(tree->rows, tree->topmost, tree->fold.at[view->cursor].row, canvas, y,
		            lines - 1);
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
	if (!tree->fold.count) {
		page_draw(&tree->empty, place, canvas, y);
		return;
	}
	const struct fold_place *at = &tree->fold.at[place];
	for (uint32_t i = 0; i < at->depth && i < (uint32_t)canvas->width; i++)
		buf_add(&before, "  ");
	bool marked = at->open || fold_can_open(&tree->fold, tree->rows, place);
	buf_add(&before, marked ? marks[canvas->ascii][at->open] : "  ");
	grid_row_after(tree->rows, at->row, buf_text(&before), canvas, y);
	buf_free(&before);
}

static void tree_link(const struct view *view, size_t place, struct buf *command)
{
	const struct tree *tree = view->data;
	if (place >= tree->fold.count)
		return;
	if (tree->table->link)
		tree->table->link(tree->rows, tree->fold.at[place].row, command);
	if (!command->len && tree->table->has_below(tree->rows, tree->fold.at[place].row))
		buf_add(command, "toggle");
}

static uint64_t tree_address(const struct view *view, size_t place)
{
	const struct tree *tree = view->data;
	if (place >= tree->fold.count || !tree->table->address)
		return 0;
	return tree->table->address(tree->rows, tree->fold.at[place].row);
}

static bool tree_matches(const struct view *view, size_t place, const char *needle)
{
	const struct tree *tree = view->data;
	return place < tree->fold.count
	       && grid_matches(tree->rows, tree->fold.at[place].row, needle);
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
	.busy = tree_busy,
	.work = tree_work,
	.cancel = tree_cancel,
	.explain = tree_explain,
};
