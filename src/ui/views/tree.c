/* The view of a table that is a tree: its rows open and close and have a mark, an icicle stands
   above them, and a search covers closed rows. */
#include "ui/views/list.h"

#include "ui/command.h"

#include <string.h>

enum { ICICLE_LINES = 5 };
enum { OPENED_FIRST = 16, OPENED_FEW = 8, OPENED_AT_ONCE = 2000 }; /* maximum number of rows */

static void tree_prepare_work(void *self, struct progress *progress)
{
	struct list *list = ((struct view *)self)->data;
	size_t row = order_row(&list->order, list->opens);
	progress_begin(progress, "opening", 0);
	list->prepared = list->table->tree->prepare(list->rows, row, progress);
}

static void tree_prepare_ended(void *self)
{
	struct list *list = ((struct view *)self)->data;
	list->opening = false;
	if (list->prepared)
		order_open(&list->order, list->rows, list->opens);
}

static const struct task_kind tree_prepare_task = {tree_prepare_work, tree_prepare_ended};

void tree_open_row(struct view *view, size_t place)
{
	struct list *list = view->data;
	if (rows_take_long(list->rows, order_row(&list->order, place))) {
		list->opens = place;
		list->opening = true;
		view_begin(view, &tree_prepare_task);
	} else {
		order_open(&list->order, list->rows, place);
	}
}

/* Returns true if a row that is opened at first would leave room for the rows after it: it is the
   only topmost one, or has few children, which need no preparation. */
static bool tree_opens_small(const struct list *list, size_t row)
{
	size_t first;
	return list->topmost == 1 || list->table->tree->all
	       || (!rows_take_long(list->rows, row)
	           && list->table->tree->below(list->rows, row, &first) <= OPENED_FEW);
}

void tree_open_first(struct view *view)
{
	struct list *list = view->data;
	uint64_t half = 0;
	for (size_t row = 0; row < list->topmost; row++)
		half += rows_weight(list->rows, row) / 2;
	for (size_t place = 0; place < OPENED_FIRST && place < list->order.count && !list->opening;
	     place++) {
		size_t row = order_row(&list->order, place);
		if (!order_can_open(&list->order, list->rows, place) || rows_weight(list->rows, row) <= half
		    || row + 1 == list->order.fold || !tree_opens_small(list, row))
			break;
		tree_open_row(view, place);
	}
}

/* Draws from the topmost rows, or from an ancestor of the cursor's row that leaves a line for its
   children. */
int tree_draw_icicle(const struct view *view, struct canvas *canvas, int y)
{
	const struct list *list = view->data;
	const struct order *order = &list->order;
	if (!order->count)
		return 0;
	if (!canvas)
		return ICICLE_LINES;
	size_t top = view->cursor;
	while (order->depth[top] + ICICLE_LINES > order->depth[view->cursor] + 3 && order->depth[top])
		top = order_above(order, top);
	bool all = order->depth[top] == 0;
	icicle_draw(list->rows, all ? 0 : order->row[top], all ? list->topmost : 1,
	            order->row[view->cursor], canvas, y, ICICLE_LINES - 1);
	return ICICLE_LINES;
}

/* Two columns of indentation per level, then the mark. */
void tree_add_mark(const struct list *list, size_t place, bool ascii, struct buf *out)
{
	static const char *const marks[2][2] = {{"▸ ", "▾ "}, {"+ ", "- "}};
	enum { DEEPEST = 1000 };
	bool open = order_is_open(&list->order, place);
	for (uint32_t i = 0; i < list->order.depth[place] && i < DEEPEST; i++)
		buf_add(out, "  ");
	bool marked = open || order_can_open(&list->order, list->rows, place);
	buf_add(out, marked ? marks[ascii][open] : "  ");
}

bool tree_passes(const struct view *view, const char *word)
{
	const struct list *list = view->data;
	const struct order *order = &list->order;
	bool left = strcmp(word, "left") == 0, there = view->cursor < order->count;
	if (left && (view->left > 0 || !there))
		return true;
	if (!there || order_is_open(order, view->cursor))
		return false;
	if (left)
		return order->depth[view->cursor] == 0;
	return strcmp(word, "right") == 0 && list->grid.more
	       && !order_can_open(order, list->rows, view->cursor);
}

/* ---- Rows that are not open: a search covers them, too, unless there is a filter */

static size_t tree_more_count(const struct view *view)
{
	const struct list *list = view->data;
	const struct table_tree *ops = list->table->tree;
	if (!list->order.count || list->order.by.filter)
		return 0;
	return ops->all ? ops->all(list->rows) : list->order.topmost;
}

static bool tree_more_whole(const struct view *view)
{
	const struct list *list = view->data;
	return list->table->tree->all && list->order.count && !list->order.by.filter;
}

static bool tree_more_matches(const struct view *view, size_t row, struct row_search *search)
{
	const struct list *list = view->data;
	return row_search_matches(search, list->rows, row) && order_of(&list->order, row) == SIZE_MAX;
}

static size_t tree_above(const struct list *list, size_t row)
{
	return order_is_folded(&list->order, list->rows, row)
	           ? list->order.fold - 1
	           : list->table->tree->above(list->rows, row);
}

/* Opens the ancestors of a row, from the nearest open one down. */
static size_t tree_reveal(struct view *view, size_t row)
{
	struct list *list = view->data;
	size_t place;
	while ((place = order_of(&list->order, row)) == SIZE_MAX) {
		size_t above = tree_above(list, row);
		while ((place = order_of(&list->order, above)) == SIZE_MAX)
			above = tree_above(list, above);
		order_open(&list->order, list->rows, place);
	}
	return place;
}

const struct view_more tree_more = {
	.count = tree_more_count,
	.matches = tree_more_matches,
	.reveal = tree_reveal,
	.whole = tree_more_whole,
};

/* ---- Commands */

/* Prepares a command on the cursor's row. False: there is none. */
static bool tree_has_row(const struct call *call)
{
	struct list *list = call->view->data;
	if (call->view->cursor >= list->order.count)
		return err_set(call->err, "There are no rows");
	view_drop(call->view); /* the place of the row that a task opens may move */
	list->opening = false;
	return true;
}

/* Opens the row, or moves to its first child. */
static bool tree_right(const struct call *call)
{
	struct view *view = call->view;
	struct list *list = view->data;
	if (!tree_has_row(call))
		return false;
	if (order_can_open(&list->order, list->rows, view->cursor))
		tree_open_row(view, view->cursor);
	else if (view->cursor + 1 < list->order.count
	         && list->order.depth[view->cursor + 1] > list->order.depth[view->cursor])
		view->cursor++;
	else
		return err_set(call->err, "There is nothing below this row");
	return true;
}

/* Closes the row, or moves to its parent. */
static bool tree_left(const struct call *call)
{
	struct view *view = call->view;
	struct list *list = view->data;
	if (!tree_has_row(call))
		return false;
	if (order_is_open(&list->order, view->cursor))
		order_close(&list->order, view->cursor);
	else
		view->cursor = order_above(&list->order, view->cursor);
	return true;
}

static bool toggle(const struct call *call)
{
	struct view *view = call->view;
	const struct list *list = view->data;
	if (!tree_has_row(call))
		return false;
	if (order_is_open(&list->order, view->cursor))
		return tree_left(call);
	return tree_right(call);
}

/* Opens the row and its descendants, up to OPENED_AT_ONCE rows; a search then covers them. */
static bool open_all(const struct call *call)
{
	struct view *view = call->view;
	struct list *list = view->data;
	struct order *order = &list->order;
	if (!tree_has_row(call))
		return false;
	uint32_t depth = order->depth[view->cursor];
	size_t most = order->count + OPENED_AT_ONCE;
	for (size_t place = view->cursor; place < order->count && order->count < most; place++) {
		if (place > view->cursor && order->depth[place] <= depth)
			break;
		if (order_can_open(order, list->rows, place)
		    && !rows_take_long(list->rows, order->row[place]))
			order_open(order, list->rows, place);
	}
	return true;
}

/* Replaces the row by the same row with other parts below it. */
static bool tree_turn(const struct call *call)
{
	struct view *view = call->view;
	struct list *list = view->data;
	if (!tree_has_row(call))
		return false;
	size_t row = order_row(&list->order, view->cursor), turned;
	if (!list->table->tree->turn)
		return err_set(call->err, "The rows of this tree have only one set of parts");
	if (!list->table->tree->turn(list->rows, row, &turned, call->err))
		return false;
	order_turn(&list->order, view->cursor, turned);
	tree_open_row(view, view->cursor);
	return true;
}

static bool icicle(const struct call *call)
{
	struct list *list = call->view->data;
	if (!tree_has_row(call))
		return false;
	list->icicle = !list->icicle;
	return true;
}

static const char no_tree[] = "This is no tree: owners and breakdown show one";

const struct command commands_tree[] = {
	{"toggle", NULL, 0, "Opens or closes a row of a tree", .run = toggle, .of = COMMANDS_TREE,
     .elsewhere = no_tree},
	{"toggle-all", NULL, 0, "Opens a row of a tree, and all that is below it", .run = open_all,
     .of = COMMANDS_TREE, .elsewhere = no_tree, .pair = true},
	{"icicle", NULL, 0,
     "Draws the tree above its rows, as blocks as wide as their bytes; with earlier dumps, those "
     "that have grown, are new or have shrunk by 2 % or more have colours, and say by how much",
     .run = icicle, .of = COMMANDS_TREE, .elsewhere = no_tree},
	{"turn-by-type", NULL, 0, "Opens a row of a breakdown by type, or by stack again",
     .run = tree_turn, .of = COMMANDS_TREE, .elsewhere = no_tree, .pair = true},
	{"right", NULL, 0, NULL, .run = tree_right, .of = COMMANDS_TREE},
	{"left", NULL, 0, NULL, .run = tree_left, .of = COMMANDS_TREE},
	{0},
};
