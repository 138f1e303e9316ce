/* Commands that compute what would be freed if something were removed. */
#include "ui/state.h"

#include <inttypes.h>
#include <string.h>

/* Appends the argument, or what is on the row: a step of a path, a holder, an object. */
static bool what_if_command_part(const struct call *call, struct buf *text, const char *how)
{
	const struct view *view = explorer_view(call->explorer);
	uint64_t address = explorer_address(call->explorer);
	size_t before = text->len;
	if (*call->argument)
		buf_add(text, call->argument);
	else if (view->ops->cut)
		view->ops->cut(view, view->cursor, text);
	else if (view->ops->holder)
		view->ops->holder(view, view->cursor, text);
	if (text->len == before && address)
		buf_addf(text, "0x%" PRIx64, address);
	return text->len > before || err_set(call->err, "There is no object on this row: %s", how);
}

static bool what_if_command_cut(const struct call *call)
{
	struct buf text = {0};
	bool done = what_if_command_part(call, &text, "cut main.cache, or cut goroutine=17")
	            && what_if_list_add(call->explorer, buf_text(&text), call->err);
	buf_free(&text);
	return done;
}

/* Opens the objects that are freed without the row, by type; of a row that is a set of objects,
   those that are freed without all of these. */
static bool what_if_command_retains(const struct call *call)
{
	const struct view *view = explorer_view(call->explorer);
	struct buf text = {0}, link = {0}, table = {0}, set = {0};
	if (view->ops->link && !*call->argument && view->cursor < view->ops->rows(view))
		view->ops->link(view, view->cursor, &link);
	const char *filter = command_split(buf_text(&link), &table, &set);
	bool is_set = strcmp(buf_text(&table), "objects") == 0;
	bool done = true;
	buf_add(&text, "grouped type of objects retained=");
	if (is_set && !filter)
		buf_add(&text, buf_text(&set));
	else if (is_set)
		done = err_set(call->err, "Enter opens the objects of this group; K on one of them shows "
		                          "what it retains");
	else
		done =
			what_if_command_part(call, &text, "retains main.cache, or retains type=main.Session");
	done = done && explorer_show(call->explorer, view_find("list"), buf_text(&text), call->err);
	buf_free(&table);
	buf_free(&set);
	buf_free(&link);
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
	{"retains", "[HOLDER]", TAKES_PLACE,
     "Lists by type what would be freed without the row or HOLDER: an object, a variable, a "
     "set such as type=main.Session; see the table objects",
     .run = what_if_command_retains},
	{"uncut", "[all]", 0, "Restores the part removed last, or all", .run = uncut},
	{"what-if", "[CUT ...]", TAKES_PLACE,
     "Lists the removed parts, with the bytes that would be "
     "freed",
     .run = list_what_if},
	{0},
};
