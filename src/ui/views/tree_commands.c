/* Commands of the tree view. */
#include "ui/views/tree.h"

#include <string.h>

enum { OPENED_AT_ONCE = 2000 }; /* rows */

static const struct outline_place *place_at(const struct view *view, size_t place)
{
	return &((const struct tree *)view->data)->outline.at[place];
}

/* Opens the row, or moves to its first child. */
static bool tree_right(struct view *view, struct err *err)
{
	struct tree *tree = view->data;
	if (outline_can_open(&tree->outline, tree->rows, view->cursor))
		tree_open_row(view, view->cursor);
	else if (place_at(view, view->cursor)->open)
		view->cursor++;
	else
		return err_set(err, "There is nothing below this row");
	return true;
}

/* Closes the row, or moves to its parent. */
static bool tree_left(struct view *view, struct err *err)
{
	(void)err;
	struct tree *tree = view->data;
	const struct outline_place *place = place_at(view, view->cursor);
	if (place->open)
		outline_close(&tree->outline, view->cursor);
	else if (place->depth > 0)
		view->cursor = outline_above(&tree->outline, view->cursor);
	return true;
}

static bool toggle(struct view *view, struct err *err)
{
	if (place_at(view, view->cursor)->open)
		return tree_left(view, err);
	return tree_right(view, err);
}

/* Opens the row and its descendants, up to OPENED_AT_ONCE rows; a search then covers them. */
static bool open_all(struct view *view, struct err *err)
{
	(void)err;
	struct tree *tree = view->data;
	struct outline *outline = &tree->outline;
	uint32_t depth = place_at(view, view->cursor)->depth;
	size_t most = outline->count + OPENED_AT_ONCE;
	for (size_t place = view->cursor; place < outline->count && outline->count < most; place++) {
		if (place > view->cursor && outline->at[place].depth <= depth)
			break;
		if (outline_can_open(outline, tree->rows, place)
		    && !rows_take_long(tree->rows, outline->at[place].row))
			outline_open(outline, tree->rows, place);
	}
	return true;
}

/* Replaces the row by the same row with other parts below it. */
static bool tree_turn(struct view *view, struct err *err)
{
	struct tree *tree = view->data;
	size_t row = place_at(view, view->cursor)->row, turned;
	if (!tree->table->tree->turn)
		return err_set(err, "The rows of this tree have only one set of parts");
	if (!tree->table->tree->turn(tree->rows, row, &turned, err))
		return false;
	outline_close(&tree->outline, view->cursor);
	tree->outline.at[view->cursor].row = turned;
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
	{"right", tree_right},  {"left", tree_left},    {"toggle", toggle},
	{"open-all", open_all}, {"by-type", tree_turn}, {"icicle", icicle},
};

const char *const tree_words[] = {
	"right", "left", "toggle", "open-all", "by-type", "icicle", NULL,
};

bool tree_passes(const struct view *view, const char *word)
{
	const struct tree *tree = view->data;
	const struct outline *outline = &tree->outline;
	if (strcmp(word, "left") == 0 && (view->left > 0 || view->cursor >= outline->count))
		return true;
	if (view->cursor >= outline->count)
		return false;
	const struct outline_place *place = place_at(view, view->cursor);
	if (strcmp(word, "left") == 0)
		return !place->open && place->depth == 0;
	return strcmp(word, "right") == 0 && !place->open && tree->grid.more
	       && !outline_can_open(outline, tree->rows, view->cursor);
}

bool tree_command(struct view *view, const char *word, const char *argument, struct err *err)
{
	(void)argument;
	struct tree *tree = view->data;
	if (view->cursor >= tree->outline.count)
		return err_set(err, "There are no rows");
	view_drop(view); /* the place of the row that a task opens may move */
	tree->opening = false;
	for (size_t i = 0; i < sizeof tree_commands / sizeof *tree_commands; i++)
		if (strcmp(tree_commands[i].word, word) == 0)
			return tree_commands[i].run(view, err);
	return false;
}
