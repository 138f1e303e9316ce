/* Any table as a list: sorted by any of its columns, filtered by an expression. */
#include "ui/views/list.h"

#include "base/mem.h"
#include "base/text.h"
#include "ui/grid.h"

#include <stdlib.h>
#include <string.h>

enum {
	AT_ONCE_MS = 40, /* what takes no longer is waited for */
	SLICE_MS = 20
};

static bool list_view_is_empty(const struct list *list)
{
	return list->order.count == 0;
}

static void list_view_set_side(struct view *view)
{
	const struct list *list = view->data;
	buf_clear(&view->side);
	if (list->loader)
		table_loader_progress(list->loader, &view->side);
	else
		order_progress(&list->order, &view->side);
	if (view->side.len)
		return;
	text_add_count(&view->side, list->order.count);
	if (list->order.count != list->rows->count) {
		buf_add(&view->side, " of ");
		text_add_count(&view->side, list->rows->count);
	}
}

static void set_title(struct view *view)
{
	const struct list *list = view->data;
	const char *filter = list->order.by.filter;
	buf_clear(&view->title);
	buf_add(&view->title, buf_text(&list->rows->title));
	if (filter) {
		buf_add(&view->title, " where ");
		text_add_escaped(&view->title, filter, strlen(filter), 60);
	}
}

static void say_why_empty(struct list *list)
{
	const char *why = "There are none in this dump.";
	if (list->rows->count)
		why = "No row is like that. Esc takes the filter off, & asks for another one.";
	else if (list->rows->note.len)
		why = buf_text(&list->rows->note);
	page_clear(&list->empty);
	page_line(&list->empty, NULL);
	page_paragraph(&list->empty, 1, STYLE_PLAIN, why);
}

/* The rows have another order. The cursor stays on its row, but for the first one: who is at the
   top wants to see the new top. When it has been moved since, it stays where it is. */
static void ordered(struct view *view)
{
	struct list *list = view->data;
	if (view->cursor == list->begun_at && view->cursor > 0)
		view->cursor = order_place(&list->order, list->begun_row);
	set_title(view);
	list_view_set_side(view);
	if (list_view_is_empty(list))
		say_why_empty(list);
}

bool list_natural_direction(const struct table *table, int column)
{
	enum value_kind kind = column >= 0 ? table->columns[column].kind : VALUE_NONE;
	return grid_is_number(kind) && kind != VALUE_OFFSET;
}

bool list_reorder(struct view *view, const struct order_by *by)
{
	struct list *list = view->data;
	list->begun_at = view->cursor;
	list->begun_row = list_view_is_empty(list) ? 0 : order_row(&list->order, view->cursor);
	if (order_begin(&list->order, by))
		ordered(view);
	else
		list_view_set_side(view);
	return true;
}

bool list_sort(struct view *view, int column, bool descending)
{
	const struct list *list = view->data;
	struct order_by by = *order_wanted(&list->order);
	by.sort = column;
	by.descending = descending;
	return list_reorder(view, &by);
}

static void close_rows(struct list *list)
{
	order_fini(&list->order);
	if (list->rows != &list->none)
		rows_close(list->rows);
	rows_close(table_loader_end(list->loader, NULL));
	list->loader = NULL;
}

static void use_rows(struct view *view, struct rows *rows)
{
	struct list *list = view->data;
	close_rows(list);
	list->rows = rows;
	order_init(&list->order, rows, list->argument);
	ordered(view);
}

/* The rows have come: they are put in the order that was asked for meanwhile. */
static void list_view_opened(struct view *view)
{
	struct list *list = view->data;
	const struct order_by *wanted = order_wanted(&list->order);
	struct order_by by = *wanted;
	struct err err = {0};
	struct rows *rows = table_loader_end(list->loader, &err);
	list->loader = NULL;
	by.filter = wanted->filter ? mem_strdup(wanted->filter) : NULL;
	if (rows) {
		use_rows(view, rows);
		list_reorder(view, &by);
	} else {
		buf_clear(&list->none.note);
		buf_addf(&list->none.note, "%s.", err.text);
		use_rows(view, &list->none);
	}
	free(by.filter);
}

static void begin_loading(struct list *list, const char *argument)
{
	list->none.table = list->table;
	buf_clear(&list->none.title);
	buf_add(&list->none.title, list->table->name);
	if (argument) {
		buf_add_char(&list->none.title, ' ');
		text_add_escaped(&list->none.title, argument, strlen(argument), 60);
	}
	buf_clear(&list->none.note);
	buf_add(&list->none.note, "The rows are being looked for. Esc stops that.");
}

/* What takes long goes on behind the screen: *opening is that, and the rows are list->none until it
   is done. NULL: *err. */
static struct rows *open_rows(const struct view *view, const struct table *table,
                              const char *argument, struct table_loader **loader, struct err *err)
{
	struct list *list = view->data;
	*loader = table_loader_begin(table, view->analysis, argument);
	if (!table_loader_wait(*loader, AT_ONCE_MS))
		return &list->none;
	struct rows *rows = table_loader_end(*loader, err);
	*loader = NULL;
	return rows;
}

bool list_show(struct view *view, const struct table *table, const char *argument, struct err *err)
{
	struct list *list = view->data;
	struct table_loader *loader;
	struct rows *rows = open_rows(view, table, argument, &loader, err);
	if (!rows)
		return false;
	char *copy = argument ? mem_strdup(argument) : NULL; /* it may be the list's own */
	free(list->argument);
	list->argument = copy;
	list->table = table;
	view->cursor = 0;
	if (loader)
		begin_loading(list, copy);
	use_rows(view, rows);
	list->loader = loader;
	list_view_set_side(view);
	int sort = table_column(table, table->sort);
	return sort < 0 || list_sort(view, sort, list_natural_direction(table, sort));
}

/* The table of "TABLE [ARG]", and where its argument begins. */
static const struct table *parse_argument(const char *argument, const char **rest, struct err *err)
{
	size_t len = strcspn(argument, " ");
	struct buf name = {0};
	buf_add_bytes(&name, argument, len);
	const struct table *table = table_find(buf_text(&name));
	if (!table)
		err_set(err,
		        len ? "There is no table \"%s\": press : and Tab for those there are"
		            : "Say which table: list TABLE%s",
		        buf_text(&name));
	buf_free(&name);
	*rest = argument + len + strspn(argument + len, " ");
	return table;
}

static void list_close(struct view *view)
{
	struct list *list = view->data;
	if (!list)
		return;
	close_rows(list);
	buf_free(&list->none.title);
	buf_free(&list->none.note);
	free(list->argument);
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
	struct list *list = view->data = mem_alloc(sizeof *list);
	list->none.analysis = view->analysis;
	if (list_show(view, table, *argument ? argument : NULL, err))
		return true;
	list_close(view);
	return false;
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
	const struct list *list = view->data;
	if (canvas)
		grid_heads(list->rows, canvas, y, list->order.by.sort, list->order.by.descending);
	return 1;
}

static void list_draw(const struct view *view, size_t row, struct canvas *canvas, int y)
{
	const struct list *list = view->data;
	if (list_view_is_empty(list))
		page_draw(&list->empty, row, canvas, y);
	else
		grid_row(list->rows, order_row(&list->order, row), canvas, y);
}

static void list_link(const struct view *view, size_t row, struct buf *command)
{
	const struct list *list = view->data;
	if (!list_view_is_empty(list))
		rows_link(list->rows, order_row(&list->order, row), command);
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

static bool list_matches(const struct view *view, size_t row, const char *needle)
{
	const struct list *list = view->data;
	return !list_view_is_empty(list)
	       && grid_matches(list->rows, order_row(&list->order, row), needle);
}

static bool list_busy(const struct view *view)
{
	const struct list *list = view->data;
	return list->loader || order_busy(&list->order);
}

static void list_work(struct view *view)
{
	struct list *list = view->data;
	if (list->loader && table_loader_wait(list->loader, SLICE_MS))
		list_view_opened(view);
	else if (!list->loader && order_work(&list->order))
		ordered(view);
	else
		list_view_set_side(view);
}

static void list_cancel(struct view *view)
{
	struct list *list = view->data;
	order_cancel(&list->order);
	bool loader = list->loader;
	rows_close(table_loader_end(list->loader, NULL));
	if (loader) {
		buf_clear(&list->none.note);
		buf_add(&list->none.note, "This was stopped before the rows were found.");
		list->loader = NULL;
		ordered(view);
	}
	list_view_set_side(view);
}

static bool list_filtered(const struct view *view)
{
	const struct list *list = view->data;
	return order_wanted(&list->order)->filter != NULL;
}

static void list_explain(const struct view *view, struct buf *out)
{
	const struct list *list = view->data;
	buf_addf(out, "%s\n", list->table->help);
	grid_explain(list->table, out);
	buf_add(out, "& asks which rows are wanted, as in: size > 4k and type ~ Session. Esc shows "
	             "all again.\n");
}

const struct view_ops view_list = {
	.name = "list",
	.help = "Any table as a list that can be sorted, filtered and searched",
	.argument = "TABLE [ARG]",
	.of_table = true,
	.needs = STAGE_READ,
	.open = list_open,
	.close = list_close,
	.rows = list_rows,
	.head = list_head,
	.draw = list_draw,
	.selectable = list_selectable,
	.link = list_link,
	.address = list_address,
	.holder = list_holder,
	.type = list_type,
	.command = list_command,
	.commands = list_words,
	.matches = list_matches,
	.busy = list_busy,
	.work = list_work,
	.cancel = list_cancel,
	.filtered = list_filtered,
	.explain = list_explain,
};
