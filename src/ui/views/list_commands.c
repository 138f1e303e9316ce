/* What a list does by command: sort, filter, group. */
#include "ui/views/list.h"

#include "base/buf.h"
#include "table/argument.h"
#include "table/filter.h"
#include "ui/explorer.h"

#include <string.h>

/* The next column to the right or left that is there; beyond the last one the table's own order. */
static bool sort_step(struct view *view, int step)
{
	const struct list *list = view->data;
	int places = list->table->column_count + 1, column = list_wanted(list)->sort;
	do
		column = (column + 1 + step + places) % places - 1;
	while (column >= 0 && rows_column_waits(list->rows, column));
	return list_sort(view, column, list_natural_direction(list->table, column));
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
	const struct order_by *by = list_wanted(list);
	if (by->sort < 0)
		return err_set(err, "Sort the rows by a column first");
	return list_sort(view, by->sort, !by->descending);
}

static bool list_no_such_column(const struct table *table, struct err *err)
{
	struct buf names = {0};
	for (int i = 0; i < table->column_count; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", table->columns[i].name);
	err_set(err, "Sort by one of: %s", buf_text(&names));
	buf_free(&names);
	return false;
}

static bool list_is_there(const struct view *view, unsigned needs, struct err *err)
{
	return analysis_has(view->analysis, needs)
	       || err_set(err, "Wait for the %s: they are on their way",
	                  stage_name(analysis_lacks(view->analysis, needs)));
}

/* A column again turns the order around. */
static bool sort_by(struct view *view, const char *name, const char *direction, struct err *err)
{
	const struct list *list = view->data;
	int column = table_column(list->table, name);
	if (column < 0)
		return list_no_such_column(list->table, err);
	if (!list_is_there(view, list->table->columns[column].stages, err))
		return false;
	const struct order_by *by = list_wanted(list);
	bool descending = column == by->sort ? !by->descending
	                                     : list_natural_direction(list->table, column);
	if (*direction) {
		descending = strcmp(direction, "desc") == 0;
		if (!descending && strcmp(direction, "asc") != 0)
			return err_set(err, "The direction of a sort is asc or desc");
	}
	return list_sort(view, column, descending);
}

/* sort [COL [asc|desc]] */
static bool list_do_sort(struct view *view, const char *argument, struct err *err)
{
	struct buf name = {0}, direction = {0};
	argument_split(argument, &name, &direction);
	bool done = name.len ? sort_by(view, name.data, buf_text(&direction), err) : sort_step(view, 1);
	buf_free(&name);
	buf_free(&direction);
	return done;
}

/* False: it cannot be read or run yet; the rows stay as they are. */
static bool filter_is_good(const struct view *view, const char *text, struct err *err)
{
	const struct list *list = view->data;
	struct filter *filter = filter_new(list->table, text, err);
	bool good = filter && list_is_there(view, filter_needs(filter), err);
	filter_free(filter);
	return good;
}

/* filter [EXPR]: without one, all rows. */
static bool filter(struct view *view, const char *argument, struct err *err)
{
	const struct list *list = view->data;
	struct buf text = {0};
	argument += strspn(argument, " ");
	if (*argument && !filter_is_good(view, argument, err))
		return false;
	buf_add(&text, argument);
	struct order_by by = *list_wanted(list);
	by.filter = text.data;
	list_reorder(view, &by);
	buf_free(&text);
	return true;
}

/* From goroutines to their groups, from types to their packages, and back. */
static bool group(struct view *view, const char *argument, struct err *err)
{
	static const char *const others[][2] = {
		{"goroutines", "groups"},
		{"groups", "goroutines"},
		{"types", "packages"},
		{"packages", "types"},
	};
	(void)argument;
	const struct list *list = view->data;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(list->table->name, others[i][0]) == 0)
			return explorer_open(view->explorer, "list", others[i][1]);
	return err_set(err, "Only goroutines and types can be grouped");
}

static const struct {
	const char *word;
	bool (*run)(struct view *view, const char *argument, struct err *err);
} list_commands[] = {
	{"sort", list_do_sort},   {"sort-previous", sort_previous},
	{"sort-next", sort_next}, {"reverse", reverse},
	{"filter", filter},       {"where", filter},
	{"group", group},
};

const char *const list_words[] = {
	"sort", "sort-previous", "sort-next", "reverse", "filter", "where", "group", NULL,
};

bool list_command(struct view *view, const char *word, const char *argument, struct err *err)
{
	for (size_t i = 0; i < sizeof list_commands / sizeof *list_commands; i++)
		if (strcmp(list_commands[i].word, word) == 0)
			return list_commands[i].run(view, argument ? argument : "", err);
	return false;
}
