/* What the tree view does on the words of its own. */
#include "ui/views/tree.h"

#include <string.h>

enum { OPENED_AT_ONCE = 2000 }; /* rows */

static const struct fold_place *place_at(const struct view *view, size_t place)
{
	return &((const struct tree *)view->data)->fold.at[place];
}

/* Opens the row, or goes on to the first row below it. */
static bool right(struct view *view, struct err *err)
{
	struct tree *tree = view->data;
	if (fold_can_open(&tree->fold, tree->rows, view->cursor))
		tree_open_row(view, view->cursor);
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

/* The row and whatever is below it, as far as that goes quickly; search finds it then. */
static bool open_all(struct view *view, struct err *err)
{
	(void)err;
	struct tree *tree = view->data;
	struct fold *fold = &tree->fold;
	uint32_t depth = place_at(view, view->cursor)->depth;
	size_t most = fold->count + OPENED_AT_ONCE;
	for (size_t place = view->cursor; place < fold->count && fold->count < most; place++) {
		if (place > view->cursor && fold->at[place].depth <= depth)
			break;
		if (fold_can_open(fold, tree->rows, place)
		    && !rows_take_long(tree->rows, fold->at[place].row))
			fold_open(fold, tree->rows, place);
	}
	return true;
}

/* The same row, with its other parts below it. */
static bool turn(struct view *view, struct err *err)
{
	struct tree *tree = view->data;
	size_t row = place_at(view, view->cursor)->row, turned;
	if (!tree->table->tree->turn)
		return err_set(err, "This tree opens in one way only");
	if (!tree->table->tree->turn(tree->rows, row, &turned, err))
		return false;
	fold_close(&tree->fold, view->cursor);
	tree->fold.at[view->cursor].row = turned;
	tree_open_row(view, view->cursor);
	return true;
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
} tree_commands[] = {
	{"right", right}, {"left", left}, {"toggle", toggle}, {"open-all", open_all},
	{"by-type", turn}, {"icicle", icicle},
};

const char *const tree_words[] = {
	"right", "left", "toggle", "open-all", "by-type", "icicle", NULL,
};

bool tree_command(struct view *view, const char *word, const char *argument, struct err *err)
{
	(void)argument;
	struct tree *tree = view->data;
	if (view->cursor >= tree->fold.count)
		return err_set(err, tree->rows ? "There are no rows" : "The rows are not there yet");
	tree_end_preparation(tree); /* its place may move */
	tree_set_side(view);
	bool done = false;
	for (size_t i = 0; i < sizeof tree_commands / sizeof *tree_commands; i++)
		if (strcmp(tree_commands[i].word, word) == 0)
			done = tree_commands[i].run(view, err);
	tree_set_side(view);
	return done;
}
