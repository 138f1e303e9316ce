/* Commands that views implement. The functions here report that a view does not support one. */
#include "ui/command_groups.h"

static bool no_sort(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)explorer, (void)argument;
	return err_set(err, "This view has an order of its own: only lists can be sorted");
}

static bool no_filter(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)explorer, (void)argument;
	return err_set(err, "This view cannot be filtered: / searches in it");
}

static bool no_column(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)explorer, (void)argument;
	return err_set(err, "This is no list of objects: only these have fields");
}

static bool no_group(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)explorer, (void)argument;
	return err_set(err, "There is nothing to group here");
}

static bool no_path(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)explorer, (void)argument;
	return err_set(err, "This is no path: p shows what keeps an object alive");
}

const struct command commands_sort[] = {
	{"sort", "COL", TAKES_COLUMN, "Sorts by a column; the same column again turns the order around",
     no_sort},
	{"sort-next", NULL, 0, "Sorts by the next column", no_sort},
	{"sort-previous", NULL, 0, "Sorts by the column before", no_sort},
	{"reverse", NULL, 0, "Turns the order of the list around", no_sort},
	{"filter", "[EXPR]", TAKES_FILTER,
     "Shows only rows for which it holds, as size > 4k; all rows without one. :where EXPR, too",
     no_filter},
	{"column", "FIELD", TAKES_FIELD,
     "Adds a column with a field of the objects, as .User.Name, len(.Items) or .Tags[\"k\"]",
     no_column},
	{"group", "[COL|FIELD,...]", TAKES_COLUMN | TAKES_FIELD,
     "Shows the values of a column or field, each with how many rows have it, their bytes and "
     "sums, "
     "as in .Country,sum(len(.Items)). Without one it groups goroutines by stack and types by "
     "package, or lists them one by one",
     no_group},
	{"next-path", NULL, 0, "Shows the next different path: another variable, function or field",
     no_path},
	{"previous-path", NULL, 0, "Shows the path before", no_path},
	{"next-segment", NULL, 0, "Takes another path between two marked steps of the path", no_path},
	{"previous-segment", NULL, 0, "Takes the path before between two marked steps of the path",
     no_path},
	{"apart", NULL, 0, "Shows a path that shares only the marked steps with this one", no_path},
	{0},
};
