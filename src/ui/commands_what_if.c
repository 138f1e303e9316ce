/* Commands that compute what would be freed if something were removed. */
#include "ui/state.h"

#include <inttypes.h>
#include <string.h>

/* Adds a cut; without an argument, what is on the row. */
static bool what_if_command_cut(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	struct buf text = {0};
	const struct view *view = explorer_view(explorer);
	uint64_t address = explorer_address(explorer);
	if (*call->argument)
		buf_add(&text, call->argument);
	else if (view->ops->cut)
		view->ops->cut(view, view->cursor, &text);
	else if (view->ops->holder)
		view->ops->holder(view, view->cursor, &text);
	if (!text.len && address)
		buf_addf(&text, "0x%" PRIx64, address);
	bool done =
		text.len ? what_if_list_add(explorer, buf_text(&text), call->err)
				 : err_set(call->err,
	                       "There is no object on this row: cut main.cache, or cut goroutine=17");
	buf_free(&text);
	return done;
}

static bool uncut(const struct call *call)
{
	bool all = strcmp(call->argument, "all") == 0;
	if (*call->argument && !all)
		return err_set(call->err, "uncut restores the part removed last, uncut all restores every "
		                          "one");
	return what_if_list_undo(call->explorer, all, call->err);
}

static bool list_what_if(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	const struct table *table = table_find("what-if");
	struct buf text = {0};
	const char *all = *call->argument ? call->argument : buf_text(&explorer->what_if_list.cuts);
	buf_addf(&text, "%s %s", table->name, all);
	bool done = *all ? explorer_show(explorer, view_of_table(table), buf_text(&text), call->err)
	                 : err_set(call->err,
	                           "No part is removed: X on an object or on a step of a path "
	                           "removes it");
	buf_free(&text);
	return done;
}

const struct command commands_what_if[] = {
	{"cut", "[CUT ...]", TAKES_PLACE,
     "Shows what would be freed without the object of the row or the named parts, and without all "
     "parts removed before",
     .run = what_if_command_cut},
	{"uncut", "[all]", 0, "Restores the part removed last, or all", .run = uncut},
	{"what-if", "[CUT ...]", TAKES_PLACE,
     "Lists the removed parts, with the bytes that would be "
     "freed",
     .run = list_what_if},
	{0},
};
