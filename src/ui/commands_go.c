/* Commands that open views, follow links, and go back. */
#include "table/naming/argument.h"
#include "table/naming/entity.h"
#include "table/naming/typed.h"
#include "ui/locate.h"
#include "ui/scroll.h"
#include "ui/state.h"

#include <inttypes.h>
#include <string.h>

/* Runs the command of a link: "object 0xc000012340", "objects; filter size = 64". */
static bool go_run_link(struct explorer *explorer, const struct buf *link, struct err *err)
{
	SCOPED_BUF word = {0}, rest = {0};
	const char *more = command_split(buf_text(link), &word, &rest);
	const struct table *table = more ? table_find(buf_text(&word)) : NULL;
	SCOPED_BUF line = {0};
	buf_addf(&line, "%s%s%s", buf_text(&word), rest.len ? " " : "", buf_text(&rest));
	return more ? table
	                  && explorer_show_filtered(explorer, view_of_table(table), buf_text(&line),
	                                            more + strlen(" filter "), err)
	       : word.len ? explorer_run(explorer, buf_text(&word), buf_text(&rest), err)
	                  : err_set(err, "There is nothing to follow on this row");
}

/* Follows the row. A row that leads to this command, as one of the palette does, is refused. */
static bool go_follow(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	struct view *view = call->view;
	SCOPED_BUF link = {0};
	if (explorer->following)
		return err_set(call->err, "This row leads to itself: follow opens what the row of a list "
		                          "names");
	if (view->ops->link && view->cursor < view->ops->rows(view))
		view->ops->link(view, view->cursor, &link);
	explorer->following = true;
	bool done = go_run_link(explorer, &link, call->err);
	explorer->following = false;
	return done;
}

/* Goes back or forward in the history. */
static bool go(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	long count = 0;
	if (!command_count(call->argument, &count, call->err))
		return false;
	search_task_stop(explorer);
	explorer->search.shown = false;
	for (long i = 0; i < count; i++)
		if (!view_stack_go(&explorer->view_stack, call->command->by, i ? NULL : call->err))
			return i > 0;
	return true;
}

static bool go_close_view(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	if (explorer->view_stack.at > 0)
		return view_stack_go(&explorer->view_stack, -1, call->err);
	explorer->quit = true;
	return true;
}

static bool goto_address(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	SCOPED_BUF where = {0}, note = {0};
	bool done = locate_text(explorer->analysis, call->argument, &where, &note, call->err)
	            && (!where.len || go_run_link(explorer, &where, call->err));
	if (done && note.len)
		explorer_message(explorer, "%s", buf_text(&note));
	return done;
}

/* Opens the dominator of an object. */
static bool dominator(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	const struct analysis *analysis = explorer->analysis;
	const struct dominators *dominators = analysis_retained(analysis);
	uint64_t address = explorer_address(explorer);
	uint32_t id = OBJECT_NONE;
	if (*call->argument ? !argument_object(analysis, call->argument, &id, call->err) : !address)
		return err_set(call->err, "There is no object on this row: go to one, or give an address");
	if (!*call->argument)
		id = heap_find(analysis_heap(analysis), address);
	if (!dominators)
		return err_set(call->err, "Its dominators are not known yet");
	if (id == OBJECT_NONE || !dominators_has(dominators, id)) {
		err_set(call->err, "It is unreachable from any %s",
		        damage_any_root(analysis_heap(analysis)));
		return argument_absent(analysis_heap(analysis), DAMAGE_ROOTS, call->err);
	}
	SCOPED_BUF link = {0};
	entity_link(analysis, entity_of_node(analysis, dominators_above(dominators, id)), &link);
	return go_run_link(explorer, &link, call->err);
}

/* Opens the fields of a type: the named one, or that of the row. */
static bool layout(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	const struct view *view = explorer_view(explorer);
	uint64_t address = explorer_address(explorer);
	uint32_t object = address ? heap_find(analysis_heap(explorer->analysis), address) : OBJECT_NONE;
	SCOPED_BUF line = {0};
	buf_add(&line, "layout ");
	size_t before = line.len;
	buf_add(&line, call->argument);
	if (line.len == before && view->ops->type)
		view->ops->type(view, view->cursor, &line);
	else if (line.len == before && object != OBJECT_NONE)
		typed_add_part(explorer->analysis, object, &line);
	return line.len > before
	           ? explorer_show(explorer, view_find("list"), buf_text(&line), call->err)
	           : err_set(call->err, "No type is known on this row: go to one, or name it");
}

static bool go_mark(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	if (*call->argument)
		return marks_set(explorer, call->argument, call->err);
	explorer->wants_key = "mark";
	explorer_message(explorer, "Mark this place with which letter?");
	return true;
}

static bool jump(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	if (*call->argument)
		return marks_jump(explorer, call->argument, call->err);
	explorer->wants_key = "jump";
	explorer_message(explorer, "Jump to which mark? ' is where the last jump began.");
	return true;
}

/* Handles a click: it selects a row, or follows the selected row; it opens the main view of a tab,
   sorts by a column head, opens what the second pane shows, or runs the hint on the bottom line. */
static bool click(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	int y, x;
	if (!command_pair(call->argument, ' ', &y, &x))
		return err_set(call->err, "Where? Give row and column of the screen");
	struct screen_layout layout = screen_layout(explorer->height);
	struct view *view = explorer_view(explorer);
	const struct key *tab = y == layout.tabs ? screen_tab_at(explorer, x) : NULL;
	if (tab)
		return explorer_run(explorer, tab->command, "", call->err);
	const struct key *hint = y == layout.bottom ? screen_hint_at(explorer, x) : NULL;
	if (hint)
		return explorer_key(explorer, hint->key);
	if (x >= pane_left(explorer, explorer->width) && y >= layout.title && y < layout.rule)
		return explorer_run(explorer, "follow", "", call->err);
	int body = layout.body + (view->ops->head ? view->ops->head(view, NULL, 0) : 0);
	if (y == body - 1 && body > layout.body) {
		SCOPED_BUF command = {0};
		if (view->ops->head_link)
			view->ops->head_link(view, x, &command);
		return !command.len || go_run_link(explorer, &command, call->err);
	}
	size_t row = view->top + (size_t)(y - body);
	if (y < body || y >= layout.body + layout.body_height || row >= view->ops->rows(view))
		return true;
	if (row == view->cursor)
		return explorer_run(explorer, "follow", "", call->err);
	scroll_in_window(view, explorer_page(explorer), row - view->top);
	return true;
}

/* Appends an argument of the table objects that selects all objects of a type or a span. False: it
   is none. */
static bool go_merge_selection(const char *argument, struct buf *chosen)
{
	static const char *const of[] = {"type=", "span="};
	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		if (strncmp(argument, of[i], strlen(of[i])) == 0)
			buf_add(chosen, argument);
	return chosen->len > 0;
}

/* Merges the paths of the row's or list's type or span, or else of the row's object. */
static bool go_merge(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	static const char objects[] = "objects ";
	struct view *view = explorer_view(explorer);
	SCOPED_BUF link = {0}, word = {0}, rest = {0}, chosen = {0};
	uint64_t address = explorer_address(explorer);
	const char *list = view->argument ? view->argument : "";
	bool of_objects = strncmp(list, objects, strlen(objects)) == 0;
	if (view->ops->link && view->cursor < view->ops->rows(view))
		view->ops->link(view, view->cursor, &link);
	command_split(buf_text(&link), &word, &rest);
	if (*call->argument)
		buf_add(&chosen, call->argument);
	else if (!(strcmp(buf_text(&word), "objects") == 0
	           && go_merge_selection(buf_text(&rest), &chosen))
	         && !(of_objects && go_merge_selection(list + strlen(objects), &chosen)) && address)
		buf_addf(&chosen, "0x%" PRIx64, address);
	return chosen.len ? explorer_run(explorer, "path-tree", buf_text(&chosen), call->err)
	                  : err_set(call->err, "There is no type and no object on this row: "
	                                       "path-tree type=NAME shows the paths of a type");
}

const struct command commands_go[] = {
	{"follow", NULL, 0, "Opens the target of the row", .run = go_follow},
	{"back", "[N]", TAKES_COUNT, "Goes back to the view before, as it was left", .run = go,
     .by = -1},
	{"forward", "[N]", TAKES_COUNT, "Goes forward again", .run = go, .by = 1},
	{"goto", "ADDR|VARIABLE", TAKES_PLACE,
     "Opens the object that the address lies in, or whatever is there", .run = goto_address},
	{"dominator", "[ADDR]", TAKES_PLACE,
     "Opens the object's immediate dominator: every path to it leads through that",
     .run = dominator},
	{"layout", "[TYPE]", TAKES_TYPE, "Lists the fields of a type, or of that of the row",
     .run = layout},
	{"close", NULL, 0, "Goes back, and leaves the explorer from its first view",
     .run = go_close_view, .pace = PACE_LEAVES},
	{"merge", "[type=NAME|span=ADDR|ADDR ...]", TAKES_PLACE,
     "Merges the paths to all objects of the type or span on the row or of the list, or to the "
     "object",
     .run = go_merge},
	{"mark", "[X]", 0, "Remembers this place under a letter", .run = go_mark, .pace = PACE_NAMES},
	{"jump", "[X]", 0, "Goes to the place with that mark; ' is where the last jump began",
     .run = jump, .pace = PACE_NAMES},
	{"click", "ROW COLUMN", 0, "Does what a mouse click there does", .run = click},
	{0},
};
