/* Commands on sets of objects: what would be freed without them, tags. */
#include "base/text.h"
#include "format/runtime.h"
#include "table/contents/object_set.h"
#include "table/naming/argument.h"
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
	SCOPED_BUF text = {0};
	return what_if_command_part(call, &text, "cut main.cache, or cut goroutine=17")
	       && what_if_list_add(call->explorer, buf_text(&text), call->err);
}

/* Appends a set: what is named, "tagged", or the one that Enter opens on the row, as the table
   objects takes it; nothing if the row is no such set. False: *err. */
static bool add_set(const struct call *call, const char *named, struct buf *set)
{
	const struct view *view = explorer_view(call->explorer);
	SCOPED_BUF link = {0}, table = {0}, text = {0};
	bool tagged = strcmp(named, "tagged") == 0, done = true;
	if (tagged && !call->explorer->tagged.len)
		return err_set(call->err, "Nothing is tagged: T tags the row");
	if (*named) {
		object_set_add_operand(set, tagged ? buf_text(&call->explorer->tagged) : named);
		return true;
	}
	if (view->ops->link && view->cursor < view->ops->rows(view))
		view->ops->link(view, view->cursor, &link);
	const char *filter = command_split(buf_text(&link), &table, &text);
	if (filter)
		done =
			err_set(call->err, "This group is no set that can be tagged; Enter opens its objects");
	else if (strcmp(buf_text(&table), "objects") == 0 && text.len)
		object_set_add_operand(set, buf_text(&text));
	return done;
}

/* Opens the objects that are freed without the row, by type; of a row that is a set of objects,
   those that are freed without all of these. */
static bool what_if_command_retains(const struct call *call)
{
	SCOPED_BUF text = {0}, set = {0};
	bool done = add_set(call, call->argument, &set)
	            && (set.len
	                || what_if_command_part(call, &set,
	                                        "retains main.cache, or retains type=main.Session"));
	buf_addf(&text, "grouped type of objects retained=%s", buf_text(&set));
	done = done && explorer_show(call->explorer, view_find("list"), buf_text(&text), call->err);
	return done;
}

enum { TAGGED_SHOWN = 200 };

/* Combines the tagged set with one more: by default with the row's, by "or". */
static bool tag(const struct call *call)
{
	struct buf *tagged = &call->explorer->tagged, set = {0}, text = {0};
	const char *rest = call->argument, *by = object_set_operator(call->argument, &rest);
	uint64_t address;
	if (by && strcmp(by, "or") != 0 && !tagged->len)
		return err_set(call->err, "Nothing is tagged yet: T tags the row");
	struct call row = *call;
	row.argument = "";
	bool done = add_set(call, by ? rest : call->argument, &set);
	if (done && !set.len && (done = what_if_command_part(&row, &text, "tag type=main.Session")))
		buf_addf(&set, argument_address(buf_text(&text), &address) ? "object=%s" : "retained=%s",
		         buf_text(&text));
	if (done && tagged->len)
		buf_addf(tagged, " %s ", by ? by : "or");
	if (done) {
		buf_add(tagged, buf_text(&set));
		buf_clear(&text);
		text_add_escaped(&text, buf_text(tagged), tagged->len, TAGGED_SHOWN);
		explorer_message(call->explorer,
		                 "%sTagged: %s. :tag list lists these objects, :retains tagged "
		                 "what they retain, :tag none forgets them.",
		                 place_keeps_tagged(call->explorer)
		                     ? ""
		                     : "Too much is tagged to be there in the next session. ",
		                 buf_text(&text));
	}
	buf_free(&set);
	buf_free(&text);
	return done;
}

static bool untag(const struct call *call)
{
	buf_clear(&call->explorer->tagged);
	explorer_message(call->explorer, "Nothing is tagged.");
	return true;
}

static bool list_tagged(const struct call *call)
{
	SCOPED_BUF text = {0};
	buf_addf(&text, "objects %s", buf_text(&call->explorer->tagged));
	return call->explorer->tagged.len
	           ? explorer_show(call->explorer, view_find("list"), buf_text(&text), call->err)
	           : err_set(call->err, "Nothing is tagged: T tags the row");
}

static bool uncut(const struct call *call)
{
	bool all = strcmp(call->argument, "all") == 0;
	if (*call->argument && !all)
		return err_set(call->err,
		               "cut undo restores the part removed last, cut undo all restores every "
		               "one");
	return what_if_list_undo(call->explorer, all, call->err);
}

static bool list_what_if(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	const struct table *table = table_find("what-if");
	SCOPED_BUF text = {0};
	const char *all = *call->argument ? call->argument : buf_text(&explorer->what_if_list.cuts);
	buf_addf(&text, "%s %s", table->name, all);
	return *all ? explorer_show(explorer, view_of_table(table), buf_text(&text), call->err)
	            : err_set(call->err, "No part is removed: X on an object or on a step of a path "
	                                 "removes it");
}

const struct command commands_what_if[] = {
	{"cut", "[CUT ...]", TAKES_PLACE,
     "Shows what would be freed without the object of the row or the named parts, and without all "
     "parts removed before",
     .run = what_if_command_cut},
	{"retains", "[HOLDER|SET|tagged]", TAKES_PLACE | TAKES_SET,
     "Lists by type what would be freed without the row or what is named: an object, a variable, a "
     "set such as type=main.Session (see the table objects), or what is tagged",
     .run = what_if_command_retains},
	{"tag", "[or|and|minus] [SET]", TAKES_PLACE | TAKES_SET,
     "Adds the objects of the row or of SET to those tagged; and keeps only the common ones, minus "
     "takes them away; of a variable or " THREAD_WORD ", the objects that it retains",
     .run = tag},
	{"tag-list", NULL, 0, "Lists the tagged objects", .run = list_tagged, .pair = true},
	{"tag-none", NULL, 0, "Forgets what is tagged", .run = untag, .pair = true},
	{"cut-undo", "[all]", 0, "Restores the part removed last, or all", .run = uncut, .pair = true},
	{"what-if", "[CUT ...]", TAKES_PLACE,
     "Lists the removed parts, with the bytes that would be "
     "freed",
     .run = list_what_if},
	{0},
};
