/* Any table as a list: sorted by any of its columns, filtered by a text. */
#include "ui/view.h"

#include "base/mem.h"
#include "base/text.h"
#include "table/argument.h"
#include "ui/grid.h"
#include "ui/order.h"
#include "ui/page.h"

#include <stdlib.h>
#include <string.h>

struct list {
	const struct table *table;
	struct rows *rows;
	struct order order;
	int sort;          /* column, -1: as the table has them */
	bool descending;
	struct buf filter;
	struct page empty; /* what is shown in place of rows: why there are none */
};

static void set_title(struct view *view)
{
	const struct list *list = view->data;
	buf_clear(&view->title);
	buf_clear(&view->side);
	buf_add(&view->title, buf_text(&list->rows->title));
	if (list->filter.len) {
		buf_add(&view->title, ", only those with ");
		text_add_visible(&view->title, list->filter.data, list->filter.len, 60);
	}
	text_add_count(&view->side, list->order.count);
	if (list->order.count != list->rows->count) {
		buf_add(&view->side, " of ");
		text_add_count(&view->side, list->rows->count);
	}
}

static bool is_empty(const struct list *list)
{
	return list->order.count == 0;
}

static void say_why_empty(struct list *list)
{
	const char *why = "There are none in this dump.";
	if (list->rows->count)
		why = "No row contains the text of the filter. :filter without a text shows all rows.";
	else if (list->rows->note.len)
		why = buf_text(&list->rows->note);
	page_clear(&list->empty);
	page_line(&list->empty, NULL);
	page_paragraph(&list->empty, 1, STYLE_PLAIN, why);
}

/* Numbers tell most from the biggest down. */
static bool natural_direction(const struct table *table, int column)
{
	enum value_kind kind = column >= 0 ? table->columns[column].kind : VALUE_NONE;
	return grid_is_number(kind) && kind != VALUE_OFFSET;
}

/* Orders anew. The cursor stays on its row, but for the first one: who is at the top wants to see the new
   top. */
static bool reorder(struct view *view, int sort, bool descending, const char *filter,
                    struct err *err)
{
	struct list *list = view->data;
	size_t row = view->cursor < list->order.count ? order_row(&list->order, view->cursor) : 0;
	if (!order_make(&list->order, list->rows, sort, descending, filter, NULL))
		return err_set(err, "Cancelled: the list is as it was");
	list->sort = sort;
	list->descending = descending;
	if (filter != list->filter.data) {
		buf_clear(&list->filter);
		buf_add(&list->filter, filter);
	}
	if (view->cursor > 0)
		view->cursor = order_place(&list->order, row);
	set_title(view);
	if (is_empty(list))
		say_why_empty(list);
	return true;
}

/* Shows a table in place of the one that was shown; on failure that one stays. */
static bool show_table(struct view *view, const struct table *table, const char *argument,
                       struct err *err)
{
	struct list *list = view->data;
	struct rows *rows = rows_open(table, view->analysis, argument, err);
	if (!rows)
		return false;
	if (list->rows)
		rows_close(list->rows);
	order_fini(&list->order);
	list->table = table;
	list->rows = rows;
	view->cursor = 0;
	bool descending = natural_direction(table, table->sort);
	return reorder(view, table->sort, descending, buf_text(&list->filter), err);
}

/* The table of "TABLE [ARG]", and where its argument begins. */
static const struct table *parse_argument(const char *argument, const char **rest, struct err *err)
{
	size_t len = strcspn(argument, " ");
	struct buf name = {0};
	buf_add_bytes(&name, argument, len);
	const struct table *table = table_find(buf_text(&name));
	if (!table)
		err_set(err, len ? "There is no table \"%s\": press : and Tab for those there are"
		                 : "Say which table: list TABLE%s", buf_text(&name));
	buf_free(&name);
	*rest = argument + len + strspn(argument + len, " ");
	return table;
}

static void list_close(struct view *view)
{
	struct list *list = view->data;
	if (!list)
		return;
	if (list->rows)
		rows_close(list->rows);
	order_fini(&list->order);
	buf_free(&list->filter);
	page_fini(&list->empty);
	free(list);
	view->data = NULL;
}

static bool list_open(struct view *view, struct err *err)
{
	const char *words = view->argument ? view->argument : "", *argument;
	const struct table *table = parse_argument(words, &argument, err);
	if (!table)
		return false;
	view->data = mem_alloc(sizeof(struct list));
	if (show_table(view, table, *argument ? argument : NULL, err))
		return true;
	list_close(view);
	return false;
}

static size_t list_rows(const struct view *view)
{
	const struct list *list = view->data;
	return is_empty(list) ? list->empty.count : list->order.count;
}

static bool list_selectable(const struct view *view, size_t row)
{
	(void)row;
	return !is_empty(view->data);
}

static int list_head(const struct view *view, struct canvas *canvas, int y)
{
	const struct list *list = view->data;
	if (canvas)
		grid_heads(list->table, canvas, y, list->sort, list->descending);
	return 1;
}

static void list_draw(const struct view *view, size_t row, struct canvas *canvas, int y)
{
	const struct list *list = view->data;
	if (is_empty(list))
		page_draw(&list->empty, row, canvas, y);
	else
		grid_row(list->rows, order_row(&list->order, row), canvas, y);
}

static void list_link(const struct view *view, size_t row, struct buf *command)
{
	const struct list *list = view->data;
	if (!is_empty(list) && list->table->link)
		list->table->link(list->rows, order_row(&list->order, row), command);
}

static uint64_t list_address(const struct view *view, size_t row)
{
	const struct list *list = view->data;
	if (is_empty(list) || !list->table->address)
		return 0;
	return list->table->address(list->rows, order_row(&list->order, row));
}

static bool list_matches(const struct view *view, size_t row, const char *needle)
{
	const struct list *list = view->data;
	return !is_empty(list) && grid_matches(list->rows, order_row(&list->order, row), needle);
}

/* The next column to the right or left; beyond the last one the table's own order. */
static bool sort_step(struct view *view, int step, struct err *err)
{
	const struct list *list = view->data;
	int places = list->table->column_count + 1;
	int column = (list->sort + 1 + step + places) % places - 1;
	bool descending = natural_direction(list->table, column);
	return reorder(view, column, descending, buf_text(&list->filter), err);
}

static bool sort_next(struct view *view, const char *argument, struct err *err)
{
	(void)argument;
	return sort_step(view, 1, err);
}

static bool sort_previous(struct view *view, const char *argument, struct err *err)
{
	(void)argument;
	return sort_step(view, -1, err);
}

static bool reverse(struct view *view, const char *argument, struct err *err)
{
	(void)argument;
	const struct list *list = view->data;
	if (list->sort < 0)
		return err_set(err, "Sort the rows by a column first");
	return reorder(view, list->sort, !list->descending, buf_text(&list->filter), err);
}

static bool no_such_column(const struct table *table, struct err *err)
{
	struct buf names = {0};
	for (int i = 0; i < table->column_count; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", table->columns[i].name);
	err_set(err, "Sort by one of: %s", buf_text(&names));
	buf_free(&names);
	return false;
}

/* A column again turns the order around. */
static bool sort_by(struct view *view, const char *name, const char *direction, struct err *err)
{
	const struct list *list = view->data;
	int column = table_column(list->table, name);
	if (column < 0)
		return no_such_column(list->table, err);
	bool descending = natural_direction(list->table, column);
	if (column == list->sort)
		descending = !list->descending;
	if (*direction) {
		descending = strcmp(direction, "desc") == 0;
		if (!descending && strcmp(direction, "asc") != 0)
			return err_set(err, "The direction of a sort is asc or desc");
	}
	return reorder(view, column, descending, buf_text(&list->filter), err);
}

/* sort [COL [asc|desc]] */
static bool sort(struct view *view, const char *argument, struct err *err)
{
	struct buf name = {0}, direction = {0};
	argument_split(argument, &name, &direction);
	bool done = name.len ? sort_by(view, name.data, buf_text(&direction), err)
	                     : sort_step(view, 1, err);
	buf_free(&name);
	buf_free(&direction);
	return done;
}

static bool filter(struct view *view, const char *argument, struct err *err)
{
	const struct list *list = view->data;
	return reorder(view, list->sort, list->descending, argument, err);
}

/* From goroutines to their groups and back. */
static bool group(struct view *view, const char *argument, struct err *err)
{
	(void)argument;
	const struct list *list = view->data;
	bool grouped = strcmp(list->table->name, "groups") == 0;
	if (!grouped && strcmp(list->table->name, "goroutines") != 0)
		return err_set(err, "Only goroutines can be grouped");
	return show_table(view, table_find(grouped ? "goroutines" : "groups"), NULL, err);
}

static const struct {
	const char *word;
	bool (*run)(struct view *view, const char *argument, struct err *err);
} list_commands[] = {
	{"sort", sort}, {"sort-previous", sort_previous}, {"sort-next", sort_next},
	{"reverse", reverse}, {"filter", filter}, {"group", group},
};

static const char *const list_words[] = {
	"sort", "sort-previous", "sort-next", "reverse", "filter", "group", NULL,
};

static bool list_command(struct view *view, const char *word, const char *argument, struct err *err)
{
	for (size_t i = 0; i < sizeof list_commands / sizeof *list_commands; i++)
		if (strcmp(list_commands[i].word, word) == 0)
			return list_commands[i].run(view, argument ? argument : "", err);
	return false;
}

static void list_explain(const struct view *view, struct buf *out)
{
	const struct list *list = view->data;
	buf_addf(out, "%s\n", list->table->help);
	grid_explain(list->table, out);
}

const struct view_ops view_list = {
	.name = "list",
	.help = "Any table as a list that can be sorted, filtered and searched",
	.argument = "TABLE [ARG]",
	.needs = STAGE_READ,
	.open = list_open,
	.close = list_close,
	.rows = list_rows,
	.head = list_head,
	.draw = list_draw,
	.selectable = list_selectable,
	.link = list_link,
	.address = list_address,
	.command = list_command,
	.commands = list_words,
	.matches = list_matches,
	.explain = list_explain,
};
