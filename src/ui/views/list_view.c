/* Any table as a list or a tree: sorted by any column, filtered by an expression. */
#include "ui/views/list.h"

#include "base/mem.h"
#include "base/text.h"
#include "table/query/filter.h"

#include <string.h>

enum { AT_ONCE = 100000 }; /* rows that are sorted without a task, in about 20 ms */

static bool list_view_is_empty(const struct list *list)
{
	return list->order.count == 0;
}

/* Appends that a filter which matches no row reads what a redacted file does not have. */
static void list_view_add_redaction(const struct list *list, struct buf *out)
{
	const char *text = list->order.by.filter;
	struct filter *filter = text ? filter_new(list->rows->table, text, NULL) : NULL;
	if (filter)
		filter_add_redaction(filter, list->rows, out);
	filter_free(filter);
}

/* Takes up a new order. The cursor stays on its row, except on the first row, where users want to
   see the new top. If it has moved since, it stays where it is. */
static void ordered(struct view *view)
{
	struct list *list = view->data;
	if (view->cursor == list->begun_at && view->cursor > 0) {
		size_t place = order_of(&list->order, list->begun_row);
		view->cursor = place == SIZE_MAX ? 0 : place;
	}
	const char *filter = list->order.by.filter;
	buf_clear(&view->title);
	buf_clear(&view->side);
	buf_add(&view->title, buf_text(&list->rows->title));
	if (filter) {
		buf_add(&view->title, " where ");
		text_add_escaped(&view->title, filter, strlen(filter), 60);
	}
	if (!list->table->tree)
		text_add_count(&view->side, list->order.count);
	if (!list->table->tree && list->order.count != list->rows->count)
		buf_addf(&view->side, " of %s", text_count(list->rows->count).text);
	if (list_view_is_empty(list)) {
		SCOPED_BUF why = {0};
		if (list->topmost)
			buf_add(&why, "No row matches. Esc removes the filter, & changes it.");
		else if (!list->rows->note.len)
			buf_add(&why, "There are none in this dump.");
		if (list->rows->note.len && (!list->topmost || list->rows->unknown))
			buf_addf(&why, "%s%s", why.len ? " " : "", buf_text(&list->rows->note));
		if (list->topmost)
			rows_doubt(list->rows, &why);
		list_view_add_redaction(list, &why);
		page_clear(&list->empty);
		page_line(&list->empty, NULL);
		page_paragraph(&list->empty, 1, STYLE_PLAIN, buf_text(&why));
	}
}

bool list_natural_direction(const struct table *table, int column)
{
	enum value_kind kind = column >= 0 ? table->columns[column].kind : VALUE_NONE;
	return grid_is_number(kind) && kind != VALUE_OFFSET;
}

const struct order_by *list_wanted(const struct list *list)
{
	return list->ordering ? &list->next.by : &list->order.by;
}

/* Sorts in a task, on its own rows, because cells may cache data in them. */
static void list_order_work(void *self, struct progress *progress)
{
	struct list *list = ((struct view *)self)->data;
	progress_begin(progress, "sorting", 0);
	struct rows *rows =
		rows_open_watched(list->table, list->rows->analysis, list->argument, progress, NULL);
	list->made = rows && order_make(&list->next, rows, rows->count, progress);
	rows_close(rows);
}

static void list_order_ended(void *self)
{
	struct view *view = self;
	struct list *list = view->data;
	struct order *old = list->made ? &list->order : &list->next;
	list->ordering = false;
	order_fini(old);
	if (!list->made)
		return;
	list->order = list->next;
	list->next = (struct order){0};
	ordered(view);
}

static const struct task_kind list_order_task = {list_order_work, list_order_ended};

bool list_reorder(struct view *view, const struct order_by *by)
{
	struct list *list = view->data;
	struct order next = {.by = order_by_copy(by)}; /* `by` may belong to the task */
	view_drop(view);
	list->opening = false;
	order_fini(&list->next);
	list->next = next;
	list->ordering = true;
	list->begun_at = view->cursor;
	/* When commands are replayed, there may be fewer rows than there were. */
	list->begun_row = view->cursor < list->order.count ? order_row(&list->order, view->cursor) : 0;
	if (!list->table->tree && list->topmost > AT_ONCE) {
		view_begin(view, &list_order_task);
	} else {
		list->next.open = list->order.open;
		list->next.opens = list->order.opens;
		list->next.fold = list->order.fold;
		list->order.open = NULL;
		list->made = order_make(&list->next, list->rows, list->topmost, NULL);
		list_order_ended(view);
	}
	return true;
}

bool list_sort(struct view *view, int column, bool descending)
{
	const struct list *list = view->data;
	struct order_by by = *list_wanted(list);
	by.sort = column;
	by.descending = descending;
	return list_reorder(view, &by);
}

/* Parses "TABLE [ARG]": returns the table, and where its argument begins. */
static const struct table *parse_argument(const char *argument, const char **rest, struct err *err)
{
	size_t len = strcspn(argument, " ");
	SCOPED_BUF name = {0};
	buf_add_bytes(&name, argument, len);
	const struct table *table = table_find(buf_text(&name));
	if (!table)
		err_set(err,
		        len ? "There is no table \"%s\": press : and Tab for those there are"
		            : "Name a table: list TABLE%s",
		        buf_text(&name));
	*rest = argument + len + strspn(argument + len, " ");
	return table;
}

static void list_close(struct view *view)
{
	struct list *list = view->data;
	order_fini(&list->order);
	order_fini(&list->next);
	rows_close(list->rows);
	field_columns_fini(&list->fields);
	page_fini(&list->empty);
}

static bool list_load(struct view *view, struct progress *progress, struct err *err)
{
	const char *words = view->argument ? view->argument : "", *argument;
	const struct table *table = parse_argument(words, &argument, err);
	if (!table)
		return false;
	struct list *list = view->data = mem_alloc(sizeof *list);
	int sort = table->tree ? -1 : table_column(table, table->sort);
	list->table = table;
	field_columns_init(&list->fields, table);
	list->argument = *argument ? argument : NULL;
	list->order.by =
		(struct order_by){.sort = sort, .descending = list_natural_direction(table, sort)};
	list->rows = rows_open_watched(table, view->analysis, list->argument, progress, err);
	if (list->rows)
		list->table = list->rows->table; /* a query has its own table */
	list->topmost = list->rows ? list->rows->count : 0;
	if (list->rows && list->table->tree && list->table->tree->fold)
		list->order.fold = list->table->tree->fold(list->rows) + 1;
	if (list->rows && list->rows->is_set) {
		field_columns_choose(&list->fields, list->rows);
		list->table = list->rows->table = field_columns_table(&list->fields);
	}
	return list->rows && order_make(&list->order, list->rows, list->topmost, progress);
}

static bool list_open(struct view *view, struct err *err)
{
	(void)err;
	struct list *list = view->data;
	ordered(view);
	list->grid.heaviest = grid_heaviest(list->rows, list->topmost);
	if (list->table->tree)
		tree_open_first(view);
	return true;
}

static size_t list_rows(const struct view *view)
{
	const struct list *list = view->data;
	return list_view_is_empty(list) ? list->empty.count : list->order.count;
}

static bool list_selectable(const struct view *view, size_t row)
{
	(void)row;
	return !list_view_is_empty(view->data);
}

static int list_head(const struct view *view, struct canvas *canvas, int y)
{
	struct list *list = view->data;
	int lines = list->icicle ? tree_draw_icicle(view, canvas, y) : 0;
	if (!canvas)
		return lines + 1;
	/* The columns fit the rows on the screen. */
	size_t end = view->top + (size_t)canvas->height;
	for (size_t place = view->top; place < end && place < list->order.count; place++) {
		uint32_t depth = list->order.depth ? list->order.depth[place] : 0;
		int before = depth < (uint32_t)canvas->width ? (int)depth : canvas->width;
		grid_see(&list->grid, list->rows, order_row(&list->order, place),
		         list->order.depth ? 2 * before + 2 : 0, canvas->width);
	}
	grid_fit(&list->grid, list->rows, canvas->width, view->left);
	grid_heads(&list->grid, list->rows, canvas, y + lines, list->order.by.sort,
	           list->order.by.descending);
	return lines + 1;
}

static const struct rows *list_table_row(const struct view *view, size_t row, size_t *number)
{
	const struct list *list = view->data;
	if (row >= list->order.count)
		return NULL;
	*number = order_row(&list->order, row);
	return list->rows;
}

static bool list_wider(const struct view *view)
{
	return !list_view_is_empty(view->data) && ((const struct list *)view->data)->grid.more;
}

static void list_head_link(const struct view *view, int x, struct buf *command)
{
	const struct list *list = view->data;
	int column = grid_column_at(&list->grid, x);
	if (column >= 0)
		buf_addf(command, "sort %s", list->table->columns[column].name);
}

static void list_draw(const struct view *view, size_t row, struct canvas *canvas, int y)
{
	const struct list *list = view->data;
	SCOPED_BUF before = {0};
	if (list_view_is_empty(list)) {
		page_draw(&list->empty, row, canvas, y);
		return;
	}
	if (list->table->tree)
		tree_add_mark(list, row, canvas->ascii, &before);
	grid_row_after(&list->grid, list->rows, order_row(&list->order, row), buf_text(&before), canvas,
	               y);
}

static void list_link(const struct view *view, size_t row, struct buf *command)
{
	const struct list *list = view->data;
	if (list_view_is_empty(list))
		return;
	size_t number = order_row(&list->order, row);
	rows_link(list->rows, number, command);
	if (!command->len && list->table->tree && list->table->tree->has_below(list->rows, number))
		buf_add(command, "toggle");
}

static uint64_t list_address(const struct view *view, size_t row)
{
	const struct list *list = view->data;
	return list_view_is_empty(list) ? 0 : rows_address(list->rows, order_row(&list->order, row));
}

static void list_holder(const struct view *view, size_t row, struct buf *out)
{
	const struct list *list = view->data;
	struct entity entity = {0};
	if (!list_view_is_empty(list))
		entity = rows_entity(list->rows, order_row(&list->order, row));
	if (entity_object(view->analysis, entity) == OBJECT_NONE)
		entity_add_argument(view->analysis, entity, out);
}

static void list_type(const struct view *view, size_t row, struct buf *out)
{
	const struct list *list = view->data;
	int column = table_column(list->table, "type");
	if (!list_view_is_empty(list) && column >= 0 && !rows_column_waits(list->rows, column))
		rows_text(list->rows, order_row(&list->order, row), column, out);
}

static bool list_matches(const struct view *view, size_t row, struct row_search *search)
{
	const struct list *list = view->data;
	return !list_view_is_empty(list)
	       && row_search_matches(search, list->rows, order_row(&list->order, row));
}

static bool list_filtered(const struct view *view)
{
	const struct list *list = view->data;
	return list_wanted(list)->filter != NULL;
}

static void list_explain(const struct view *view, struct buf *out)
{
	const struct list *list = view->data;
	const struct table *shown = list->rows->table;
	const char *weight = shown->tree ? shown->columns[rows_weight_column(list->rows)].name : NULL;
	buf_addf(out, "%s\n", list->table->help);
	grid_explain(list->rows, out);
	buf_addf(out, "& filters rows, as in: %s > 4k%s. Esc shows all rows again.\n",
	         list->table->tree ? weight : "size",
	         list->table->tree ? "; rows that are open stay, and where all rows are known, those "
	                             "above a wanted one open"
	                           : " and type ~ Session");
	if (list->table->tree)
		buf_addf(out, "The bar below %s compares it with the heaviest topmost row.\n", weight);
	else if (list->grid.heaviest)
		buf_add(out, "The bars below numbers compare these with the largest of them.\n");
}

/* The members of view_ops that lists and trees share. */
#define ROWS_VIEW                                                                                 \
	.argument = "TABLE [ARG]", .of_table = true, .needs = STAGE_READ, .load = list_load,          \
	.open = list_open, .close = list_close, .rows = list_rows, .head = list_head,                 \
	.draw = list_draw, .selectable = list_selectable, .link = list_link, .address = list_address, \
	.holder = list_holder, .type = list_type, .matches = list_matches, .filtered = list_filtered, \
	.table_row = list_table_row, .wider = list_wider, .head_link = list_head_link,                \
	.explain = list_explain

DEFINE_PLUGIN(views, struct view_ops, view_list) = {
	.rank = 10,
	.name = "list",
	.help = "Any table as a list that can be sorted, filtered and searched",
	.commands = COMMANDS_LIST,
	ROWS_VIEW,
};

DEFINE_PLUGIN(views, struct view_ops, view_tree) = {
	.rank = 20,
	.name = "tree",
	.help = "A table whose rows open and close in place",
	.commands = COMMANDS_TREE,
	.more = &tree_more,
	.passes = tree_passes,
	ROWS_VIEW,
};
