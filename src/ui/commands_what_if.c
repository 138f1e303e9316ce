/* Commands that compute what would be freed if something were removed. */
#include "ui/command_groups.h"

#include "ui/state.h"
#include "ui/what_if_list.h"

#include <inttypes.h>
#include <string.h>

/* Adds a cut; without an argument, what is on the row. */
static bool what_if_command_cut(struct explorer *explorer, const char *argument, struct err *err)
{
	struct buf text = {0};
	const struct view *view = explorer_view(explorer);
	uint64_t address = explorer_address(explorer);
	if (*argument)
		buf_add(&text, argument);
	else if (view->ops->cut)
		view->ops->cut(view, view->cursor, &text);
	else if (view->ops->holder)
		view->ops->holder(view, view->cursor, &text);
	if (!text.len && address)
		buf_addf(&text, "0x%" PRIx64, address);
	bool done = text.len ? what_if_list_add(explorer, buf_text(&text), err)
	                     : err_set(err, "There is no object on this row: cut main.cache, or "
	                                    "cut goroutine=17");
	buf_free(&text);
	return done;
}

static bool uncut(struct explorer *explorer, const char *argument, struct err *err)
{
	bool all = strcmp(argument, "all") == 0;
	if (*argument && !all)
		return err_set(err, "uncut takes the last cut back, uncut all every one");
	return what_if_list_undo(explorer, all, err);
}

static bool list_what_if(struct explorer *explorer, const char *argument, struct err *err)
{
	const struct table *table = table_find("what-if");
	struct buf text = {0};
	const char *all = *argument ? argument : buf_text(&explorer->what_if_list.cuts);
	buf_addf(&text, "%s %s", table->name, all);
	bool done = *all ? explorer_show(explorer, view_of_table(table), buf_text(&text), err)
	                 : err_set(err, "Nothing is cut: X on an object, or on a step of a path, does");
	buf_free(&text);
	return done;
}

const struct command commands_what_if[] = {
	{"cut", "[CUT ...]", TAKES_PLACE,
     "Says what would be freed without the object on the row, or without what is named, and all "
     "that is cut already",
     what_if_command_cut},
	{"uncut", "[all]", 0, "Takes the last cut back, or all", uncut},
	{"what-if", "[CUT ...]", TAKES_PLACE, "Lists what is cut, with the bytes that would be freed",
     list_what_if},
	{0},
};
