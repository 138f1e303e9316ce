/* Any table as a list: sorted by any of its columns, filtered by an expression. */
#include "ui/view.h"

#include "base/mem.h"
#include "base/text.h"
#include "table/argument.h"
#include "table/filter.h"
#include "ui/grid.h"
#include "ui/opening.h"
#include "ui/order.h"
#include "ui/page.h"

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE_MS = 40, SLICE_MS = 20 }; /* longer, and an opening table is waited for in slices */

struct list {
	const struct table *table;
	struct rows *rows;  /* NULL: the first ones are still to come, or have failed */
	struct opening *opening; /* of the next rows, on their way; or NULL */
	char *argument;     /* of the table, or NULL */
	struct order order;
	size_t begun_at;    /* the cursor's place and row when the next order was begun */
	size_t begun_row;
	struct page empty;  /* what is shown in place of rows: why there are none */
};

static bool is_empty(const struct list *list)
{
	return list->order.count == 0;
}

static void set_side(struct view *view)
{
	const struct list *list = view->data;
	buf_clear(&view->side);
	if (list->opening)
		opening_progress(list->opening, &view->side);
	else
		order_progress(&list->order, &view->side);
	if (view->side.len || !list->rows)
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
		text_add_visible(&view->title, filter, strlen(filter), 60);
	}
}

static void say(struct list *list, enum style style, const char *sentence)
{
	page_clear(&list->empty);
	page_line(&list->empty, NULL);
	page_paragraph(&list->empty, 1, style, sentence);
}

static void say_why_empty(struct list *list)
{
	const char *why = "There are none in this dump.";
	if (list->rows->count)
		why = "No row is like that. Esc takes the filter off, & asks for another one.";
	else if (list->rows->note.len)
		why = buf_text(&list->rows->note);
	say(list, STYLE_PLAIN, why);
}

/* The rows have another order. The cursor stays on its row, but for the first one: who is at the top
   wants to see the new top. When it has been moved since, it stays where it is. */
static void ordered(struct view *view)
{
	struct list *list = view->data;
	if (view->cursor == list->begun_at && view->cursor > 0)
		view->cursor = order_place(&list->order, list->begun_row);
	set_title(view);
	set_side(view);
	if (is_empty(list))
		say_why_empty(list);
}

/* Numbers tell most from the biggest down. */
static bool natural_direction(const struct table *table, int column)
{
	enum value_kind kind = column >= 0 ? table->columns[column].kind : VALUE_NONE;
	return grid_is_number(kind) && kind != VALUE_OFFSET;
}

static bool reorder(struct view *view, const struct order_by *by)
{
	struct list *list = view->data;
	list->begun_at = view->cursor;
	list->begun_row = is_empty(list) ? 0 : order_row(&list->order, view->cursor);
	if (order_begin(&list->order, by))
		ordered(view);
	else
		set_side(view);
	return true;
}

static bool sort_column(struct view *view, int column, bool descending)
{
	const struct list *list = view->data;
	struct order_by by = *order_wanted(&list->order);
	by.sort = column;
	by.descending = descending;
	return reorder(view, &by);
}

/* What has been opened takes the place of what was shown; on failure that stays. */
static bool take_rows(struct view *view, struct err *err)
{
	struct list *list = view->data;
	const struct table *table = opening_table(list->opening);
	const char *given = opening_argument(list->opening);
	char *argument = given ? mem_strdup(given) : NULL;
	struct rows *rows = opening_end(list->opening, err);
	list->opening = NULL;
	if (!rows) {
		free(argument);
		return false;
	}
	order_fini(&list->order);
	rows_close(list->rows);
	free(list->argument);
	list->argument = argument;
	list->table = table;
	list->rows = rows;
	view->cursor = 0;
	order_init(&list->order, rows, list->argument);
	ordered(view);
	return table->sort < 0 || sort_column(view, table->sort, natural_direction(table, table->sort));
}

/* Shows a table in place of the one that was shown, at once or, if that takes long, later. */
static bool show_table(struct view *view, const struct table *table, const char *argument,
                       struct err *err)
{
	struct list *list = view->data;
	rows_close(opening_end(list->opening, NULL));
	list->opening = opening_begin(table, view->analysis, argument);
	if (opening_wait(list->opening, AT_ONCE_MS))
		return take_rows(view, err);
	if (!list->rows) {
		list->table = table;
		buf_add(&view->title, table->name);
		say(list, STYLE_FAINT, "This table takes a moment to put together. Esc gives it up.");
	}
	set_side(view);
	return true;
}

/* It has been waited for long enough: the rows are there, or never will be. */
static void opened(struct view *view)
{
	struct list *list = view->data;
	struct err err = {0};
	if (!take_rows(view, &err) && !list->rows) {
		struct buf sentence = {0};
		buf_addf(&sentence, "%s.", err.text);
		say(list, STYLE_WARNING, buf_text(&sentence));
		buf_free(&sentence);
	}
	set_side(view);
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
	rows_close(opening_end(list->opening, NULL));
	order_fini(&list->order);
	rows_close(list->rows);
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
	if (canvas && list->rows)
		grid_heads(list->rows, canvas, y, list->order.by.sort, list->order.by.descending);
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
static bool sort_step(struct view *view, int step)
{
	const struct list *list = view->data;
	int places = list->table->column_count + 1;
	int column = (order_wanted(&list->order)->sort + 1 + step + places) % places - 1;
	return sort_column(view, column, natural_direction(list->table, column));
}

static bool sort_next(struct view *view, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	return sort_step(view, 1);
}

static bool sort_previous(struct view *view, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	return sort_step(view, -1);
}

static bool reverse(struct view *view, const char *argument, struct err *err)
{
	(void)argument;
	const struct list *list = view->data;
	const struct order_by *by = order_wanted(&list->order);
	if (by->sort < 0)
		return err_set(err, "Sort the rows by a column first");
	return sort_column(view, by->sort, !by->descending);
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
	const struct order_by *by = order_wanted(&list->order);
	bool descending = column == by->sort ? !by->descending : natural_direction(list->table, column);
	if (*direction) {
		descending = strcmp(direction, "desc") == 0;
		if (!descending && strcmp(direction, "asc") != 0)
			return err_set(err, "The direction of a sort is asc or desc");
	}
	return sort_column(view, column, descending);
}

/* sort [COL [asc|desc]] */
static bool sort(struct view *view, const char *argument, struct err *err)
{
	struct buf name = {0}, direction = {0};
	argument_split(argument, &name, &direction);
	bool done = name.len ? sort_by(view, name.data, buf_text(&direction), err)
	                     : sort_step(view, 1);
	buf_free(&name);
	buf_free(&direction);
	return done;
}

/* False: it cannot be read; the rows stay as they are. */
static bool filter_is_good(const struct table *table, const char *text, struct err *err)
{
	struct filter *filter = filter_new(table, text, err);
	filter_free(filter);
	return filter != NULL;
}

/* filter [EXPR]: without one, all rows. */
static bool filter(struct view *view, const char *argument, struct err *err)
{
	const struct list *list = view->data;
	struct buf text = {0};
	argument += strspn(argument, " ");
	if (*argument && !filter_is_good(list->table, argument, err))
		return false;
	buf_add(&text, argument);
	struct order_by by = *order_wanted(&list->order);
	by.filter = text.data;
	reorder(view, &by);
	buf_free(&text);
	return true;
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
	{"reverse", reverse}, {"filter", filter}, {"where", filter}, {"group", group},
};

static const char *const list_words[] = {
	"sort", "sort-previous", "sort-next", "reverse", "filter", "where", "group", NULL,
};

static bool list_command(struct view *view, const char *word, const char *argument, struct err *err)
{
	const struct list *list = view->data;
	if (!list->rows)
		return err_set(err, "The rows are not there yet");
	for (size_t i = 0; i < sizeof list_commands / sizeof *list_commands; i++)
		if (strcmp(list_commands[i].word, word) == 0)
			return list_commands[i].run(view, argument ? argument : "", err);
	return false;
}

static bool list_busy(const struct view *view)
{
	const struct list *list = view->data;
	return list->opening || order_busy(&list->order);
}

static void list_work(struct view *view)
{
	struct list *list = view->data;
	if (list->opening && opening_wait(list->opening, SLICE_MS))
		opened(view);
	else if (!list->opening && order_work(&list->order))
		ordered(view);
	else
		set_side(view);
}

static void list_cancel(struct view *view)
{
	struct list *list = view->data;
	order_cancel(&list->order);
	if (list->opening && !list->rows)
		say(list, STYLE_PLAIN, "Given up. Open the table again to try once more.");
	rows_close(opening_end(list->opening, NULL));
	list->opening = NULL;
	set_side(view);
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
	.command = list_command,
	.commands = list_words,
	.matches = list_matches,
	.busy = list_busy,
	.work = list_work,
	.cancel = list_cancel,
	.filtered = list_filtered,
	.explain = list_explain,
};
