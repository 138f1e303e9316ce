/* Commands of a list: sort, filter, group. */
#include "ui/views/list.h"

#include "base/buf.h"
#include "format/runtime.h"
#include "table/forms.h"
#include "table/naming/argument.h"
#include "table/query/filter.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

enum { SORTED = COMMANDS_LIST | COMMANDS_TREE };

static const char no_sort[] = "This view has an order of its own: lists and trees can be sorted";
static const char no_columns[] = "This view has no columns to choose: lists and trees have";
static const char no_fields[] = "This is no list of objects: only these have fields";

/* Sorts by the next column to the right or left that is ready and visible; after the last one, by
   the table's own order. */
static bool sort_step(struct view *view, int step)
{
	const struct list *list = view->data;
	const struct grid *grid = &list->grid;
	int places = list->table->column_count + 1, column = list_wanted(list)->sort;
	for (bool shown = false; !shown;) {
		column = (column + 1 + step + places) % places - 1;
		shown = column < 0 || grid->count == 0; /* nothing is shown yet */
		for (int i = 0; i < grid->count; i++)
			shown |= grid->at[i].column == column;
		shown = shown && (column < 0 || !rows_column_waits(list->rows, column));
	}
	return list_sort(view, column, list_natural_direction(list->table, column));
}

static bool list_sort_step(const struct call *call)
{
	return sort_step(call->view, call->command->by);
}

static bool reverse(const struct call *call)
{
	const struct list *list = call->view->data;
	const struct order_by *by = list_wanted(list);
	if (by->sort < 0)
		return err_set(call->err, "Sort the rows by a column first");
	return list_sort(call->view, by->sort, !by->descending);
}

static bool list_is_there(const struct view *view, unsigned needs, struct err *err)
{
	return analysis_has(view->analysis, needs)
	       || err_set(err, "Wait for the %s: they are not known yet",
	                  stage_name(analysis_lacks(view->analysis, needs)));
}

/* Adds a column for a field of the objects, unless it exists: a field that the first rows have, or
   any row of a short list. Stops tasks that read the rows; callers that need an order in progress
   request it again. */
static bool list_add_field(struct view *view, const char *text, size_t length, struct err *err)
{
	enum { LOOKED_AT = 100000 };
	struct list *list = view->data;
	int before = list->fields.count;
	if (list->table->tree)
		return err_set(err, "%s", no_fields);
	if (!list_is_there(view, STAGE_TYPED, err))
		return false;
	struct order_by by = order_by_copy(list_wanted(list));
	bool ordering = list->ordering;
	search_task_stop(view->explorer);
	view_drop(view);
	list->ordering = false;
	bool added = field_columns_add(&list->fields, text, length, err);
	size_t count = list->order.count < LOOKED_AT ? list->order.count : LOOKED_AT;
	struct err none = {0};
	if (added && list->fields.count > before
	    && !field_columns_settle(&list->fields, list->rows, list->order.row, count, &none)) {
		added = list->rows->count > LOOKED_AT && analysis_typing(view->analysis);
		if (!added) {
			field_columns_drop(&list->fields);
			err_set(err, "%s", none.text);
		}
	}
	list->table = field_columns_table(&list->fields);
	list->rows->table = list->table;
	grid_forget(&list->grid);
	if (ordering)
		list_reorder(view, &by);
	free(by.filter);
	return added;
}

/* Returns the number of a column by its name or title; -1, and *err. */
static int list_column(const struct list *list, const char *name, const char *what, struct err *err)
{
	int column = table_column(list->table, name);
	for (int i = 0; i < list->table->column_count && column < 0; i++)
		if (strcmp(list->table->columns[i].title, name) == 0)
			column = i;
	if (column >= 0)
		return column;
	SCOPED_BUF names = {0};
	for (int i = 0; i < list->table->column_count; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", list->table->columns[i].name);
	err_set(err, "%s one of: %s", what, buf_text(&names));
	return -1;
}

/* Sorts by a column; a second time reverses the order. */
static bool sort_by(struct view *view, const char *name, const char *direction, struct err *err)
{
	const struct list *list = view->data;
	size_t length = field_columns_length(name);
	if (length == strlen(name) && length && !list_add_field(view, name, length, err))
		return false;
	int column = list_column(list, name, "Sort by", err);
	if (column < 0 || !list_is_there(view, list->table->columns[column].stages, err))
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

/* Runs column hide [COL] and column widen [COL]: without one, the columns are as they were. */
static bool list_own_column(const struct call *call)
{
	struct list *list = call->view->data;
	struct grid *grid = &list->grid;
	enum grid_own own = (enum grid_own)call->command->by;
	int shown = 0;
	if (!*call->argument) {
		for (int i = 0; i < GRID_COLUMNS; i++)
			grid->own[i] = grid->own[i] == own ? GRID_AS_FITS : grid->own[i];
		return true;
	}
	const char *what = own == GRID_HIDDEN ? "Hide" : "Widen";
	int column = list_column(list, call->argument, what, call->err);
	if (column < 0 || column >= GRID_COLUMNS)
		return false;
	for (int i = 0; i < list->table->column_count && i < GRID_COLUMNS; i++)
		shown += i != column && !rows_column_hidden(list->rows, i) && grid->own[i] != GRID_HIDDEN;
	if (own == GRID_HIDDEN && !shown)
		return err_set(call->err,
		               "The last column stays: column hide alone shows the others again");
	grid->own[column] = grid->own[column] == own ? GRID_AS_FITS : own;
	return true;
}

/* Runs sort [COL [asc|desc]]. */
static bool list_do_sort(const struct call *call)
{
	SCOPED_BUF name = {0}, direction = {0};
	argument_split(call->argument, &name, &direction);
	return name.len ? sort_by(call->view, name.data, buf_text(&direction), call->err)
	                : sort_step(call->view, 1);
}

/* Runs column FIELD. */
static bool list_do_column(const struct call *call)
{
	struct view *view = call->view;
	const char *argument = call->argument;
	const struct list *list = view->data;
	size_t length;
	argument += strspn(argument, " ");
	length = field_columns_length(argument);
	if (!length || argument[length + strspn(argument + length, " ")])
		return err_set(call->err, "Say which field, as in: column .Name, column len(.Items)");
	struct order_by by = *list_wanted(list);
	return list_add_field(view, argument, length, call->err) && list_reorder(view, &by);
}

/* Checks a filter. False: it is malformed, compares what the rows lack, or requires unfinished
   stages; the rows do not change. */
static bool filter_is_good(struct view *view, const char *text, struct err *err)
{
	const struct list *list = view->data;
	struct field_columns wanted;
	bool known = true;
	field_columns_init(&wanted, list->fields.base);
	known = field_columns_add_filter(&wanted, text, err);
	for (int i = 0; i < wanted.count && known; i++)
		known = list_add_field(view, wanted.name[i], strlen(wanted.name[i]), err);
	field_columns_fini(&wanted);
	if (!known)
		return false;
	struct filter *filter = filter_new(list->table, text, err);
	bool good = filter && list_is_there(view, filter_needs(filter), err)
	            && filter_has_columns(filter, list->rows, err);
	filter_free(filter);
	return good;
}

/* Runs filter [EXPR]: without one, shows all rows. */
static bool filter(const struct call *call)
{
	struct view *view = call->view;
	const char *argument = call->argument;
	const struct list *list = view->data;
	SCOPED_BUF text = {0};
	argument += strspn(argument, " ");
	if (*argument && !filter_is_good(view, argument, call->err))
		return false;
	buf_add(&text, argument);
	struct order_by by = *list_wanted(list);
	by.filter = text.data;
	list_reorder(view, &by);
	return true;
}

/* Opens the values of a column or a field in the visible rows. */
static bool list_group_by(struct view *view, const char *key, struct err *err)
{
	const struct list *list = view->data;
	const char *filter = list_wanted(list)->filter;
	/* Groups are grouped anew: by another column of the same rows. */
	const char *of = strcmp(list->fields.base->name, "grouped") == 0 && list->argument
	                     ? strstr(list->argument, " of ")
	                     : NULL;
	SCOPED_BUF line = {0};
	buf_addf(&line, "grouped %s of %s", key, of ? of + strlen(" of ") : list->fields.base->name);
	if (list->argument && !of)
		buf_addf(&line, " %s", list->argument);
	if (filter)
		buf_addf(&line, " where %s", filter);
	return explorer_show(view->explorer, view_find("list"), buf_text(&line), err);
}

/* Switches between threads and their groups, types and their packages; or groups by a column. */
static bool group(const struct call *call)
{
	struct view *view = call->view;
	const char *argument = call->argument;
	argument += strspn(argument, " ");
	const struct list *list = view->data;
	const struct table *form = list_wanted(list)->filter || (list->argument && *list->argument)
	                               ? NULL
	                               : table_form(list->fields.base, argument, false);
	if (form)
		return explorer_open(view->explorer, "list", form->name);
	if (*argument)
		return list_group_by(view, argument, call->err);
	if (list->table->grouped)
		return explorer_open(view->explorer, "list", list->table->grouped);
	return err_set(call->err, "Group by which column or field? As in: group type, group .Name");
}

const struct command commands_list[] = {
	{"sort", "COL", TAKES_COLUMN, "Sorts by a column; the same column again turns the order around",
     .run = list_do_sort, .of = SORTED, .elsewhere = no_sort},
	{"sort-next", NULL, 0, "Sorts by the next column", .run = list_sort_step, .by = 1, .of = SORTED,
     .elsewhere = no_sort, .pair = true},
	{"sort-previous", NULL, 0, "Sorts by the column before", .run = list_sort_step, .by = -1,
     .of = SORTED, .elsewhere = no_sort, .pair = true},
	{"reverse", NULL, 0, "Turns the order of the list around", .run = reverse, .of = SORTED,
     .elsewhere = no_sort},
	{"column-hide", "[COL]", TAKES_COLUMN,
     "Hides a column of this list, or shows it again; alone: shows all that were hidden",
     .run = list_own_column, .by = GRID_HIDDEN, .of = SORTED, .elsewhere = no_columns,
     .pair = true},
	{"column-widen", "[COL]", TAKES_COLUMN,
     "Shows a column of this list as wide as its texts before all others, or as before; alone: all "
     "as before",
     .run = list_own_column, .by = GRID_WIDE, .of = SORTED, .elsewhere = no_columns, .pair = true},
	{"filter", "[EXPR]", TAKES_FILTER,
     "Shows only the rows that match, as size > 4k; without an expression all rows. Also :where "
     "EXPR",
     .run = filter, .of = SORTED, .elsewhere = "This view cannot be filtered: / searches in it"},
	{"column", "FIELD", TAKES_FIELD,
     "Adds a column with a field of the objects, as .User.Name, len(.Items) or .Tags[\"k\"]",
     .run = list_do_column, .of = COMMANDS_LIST, .elsewhere = no_fields},
	{"group", "[COL|FIELD,...]", TAKES_COLUMN | TAKES_FIELD,
     "Shows the values of a column or field, each with how many rows have it, their bytes and "
     "sums, as in .Country,sum(len(.Items)). Without one it groups " THREADS_WORD
     " by stack and types "
     "by package, or lists them one by one",
     .run = group, .of = COMMANDS_LIST, .elsewhere = "There is nothing to group here"},
	{0},
};
