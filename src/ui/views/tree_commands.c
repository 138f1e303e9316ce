/* Commands of the tree view. */
#include "ui/command_groups.h"
#include "ui/views/tree.h"

#include <string.h>

enum { OPENED_AT_ONCE = 2000 }; /* rows */

static const struct outline_place *place_at(const struct view *view, size_t place)
{
	return &((const struct tree *)view->data)->outline.at[place];
}

/* Prepares a command on the cursor's row. False: there is none. */
static bool tree_has_row(const struct call *call)
{
	struct tree *tree = call->view->data;
	if (call->view->cursor >= tree->outline.count)
		return err_set(call->err, "There are no rows");
	view_drop(call->view); /* the place of the row that a task opens may move */
	tree->opening = false;
	return true;
}

/* Opens the row, or moves to its first child. */
static bool tree_right(const struct call *call)
{
	struct view *view = call->view;
	struct tree *tree = view->data;
	if (!tree_has_row(call))
		return false;
	if (outline_can_open(&tree->outline, tree->rows, view->cursor))
		tree_open_row(view, view->cursor);
	else if (place_at(view, view->cursor)->open)
		view->cursor++;
	else
		return err_set(call->err, "There is nothing below this row");
	return true;
}

/* Closes the row, or moves to its parent. */
static bool tree_left(const struct call *call)
{
	struct view *view = call->view;
	struct tree *tree = view->data;
	const struct outline_place *place = place_at(view, view->cursor);
	if (!tree_has_row(call))
		return false;
	if (place->open)
		outline_close(&tree->outline, view->cursor);
	else if (place->depth > 0)
		view->cursor = outline_above(&tree->outline, view->cursor);
	return true;
}

static bool toggle(const struct call *call)
{
	struct view *view = call->view;
	if (!tree_has_row(call))
		return false;
	if (place_at(view, view->cursor)->open)
		return tree_left(call);
	return tree_right(call);
}

/* Opens the row and its descendants, up to OPENED_AT_ONCE rows; a search then covers them. */
static bool open_all(const struct call *call)
{
	struct view *view = call->view;
	struct tree *tree = view->data;
	struct outline *outline = &tree->outline;
	if (!tree_has_row(call))
		return false;
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
static bool tree_turn(const struct call *call)
{
	struct view *view = call->view;
	struct tree *tree = view->data;
	if (!tree_has_row(call))
		return false;
	size_t row = place_at(view, view->cursor)->row, turned;
	if (!tree->table->tree->turn)
		return err_set(call->err, "The rows of this tree have only one set of parts");
	if (!tree->table->tree->turn(tree->rows, row, &turned, call->err))
		return false;
	outline_close(&tree->outline, view->cursor);
	tree->outline.at[view->cursor].row = turned;
	tree_open_row(view, view->cursor);
	return true;
}

static bool icicle(const struct call *call)
{
	struct tree *tree = call->view->data;
	if (!tree_has_row(call))
		return false;
	tree->icicle = !tree->icicle;
	return true;
}

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

static const char no_tree[] = "This is no tree: owners and breakdown show one";

const struct command commands_tree[] = {
	{"toggle", NULL, 0, "Opens or closes a row of a tree", .run = toggle, .of = COMMANDS_TREE,
     .elsewhere = no_tree},
	{"open-all", NULL, 0, "Opens a row of a tree, and all that is below it", .run = open_all,
     .of = COMMANDS_TREE, .elsewhere = no_tree},
	{"icicle", NULL, 0,
     "Draws the tree above its rows, as blocks as wide as their bytes; with earlier dumps, those "
     "that have grown, are new or have shrunk by 2 % or more have colours, and say by how much",
     .run = icicle, .of = COMMANDS_TREE, .elsewhere = no_tree},
	{"by-type", NULL, 0, "Opens a row of a breakdown by type, or by stack again", .run = tree_turn,
     .of = COMMANDS_TREE, .elsewhere = no_tree},
	{"right", NULL, 0, NULL, .run = tree_right, .of = COMMANDS_TREE},
	{"left", NULL, 0, NULL, .run = tree_left, .of = COMMANDS_TREE},
	{0},
};
