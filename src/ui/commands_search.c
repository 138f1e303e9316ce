/* Commands that search and filter rows. */
#include "base/text.h"
#include "format/runtime.h"
#include "heap/heap.h"
#include "table/naming/argument.h"
#include "table/naming/typed.h"
#include "ui/state.h"

#include <string.h>

enum { FOUND_MOST = 64 /* bytes of what was found that n looks for */ };

static bool ask(struct explorer *explorer, char kind)
{
	explorer->wants_line = kind;
	buf_clear(&explorer->line);
	return true;
}

/* Searches forward or backward. */
static bool search_command_search(const struct call *call)
{
	int by = call->command->by;
	if (!*call->argument)
		return by > 0 ? ask(call->explorer, '/')
		              : err_set(call->err, "Search for what? N after a search goes backward");
	search_start(&call->explorer->search, call->view, call->argument, by);
	search_task_begin(call->explorer);
	return true;
}

/* Makes what has been found the target of n: as rows show it, so that each of them has it. */
static bool find_note(struct explorer *explorer, const char *argument, struct err *err)
{
	SCOPED_BUF bytes = {0}, shown = {0};
	if (!argument_bytes(argument, &bytes, err))
		return false;
	text_add_escaped(&shown, buf_text(&bytes), bytes.len < FOUND_MOST ? bytes.len : FOUND_MOST,
	                 FOUND_MOST);
	search_note(&explorer->search, buf_text(&shown));
	return true;
}

/* Opens the table find, and makes its text the target of n in it and in views opened from it. */
static bool search_command_find(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	SCOPED_BUF line = {0};
	if (!*call->argument)
		return err_set(call->err, "Find what? A text, or bytes as 0x0a1b");
	buf_addf(&line, "find %s", call->argument);
	return explorer_show(explorer, view_find("list"), buf_text(&line), call->err)
	       && find_note(explorer, call->argument, call->err);
}

/* Goes to the next match, or the one before. */
static bool again(const struct call *call)
{
	struct search *search = &call->explorer->search;
	if (search->needle.len == 0)
		return err_set(call->err, "Nothing has been searched for yet: / asks for a text");
	search_again(search, call->view, call->command->by < 0);
	search_task_begin(call->explorer);
	return true;
}

/* Appends the name after the number in "40 × main.T", without the mark of a guess. */
static void same_add(const char *text, struct buf *out)
{
	static const char times[] = " × ";
	const char *at = strstr(text, times);
	at = at ? at + strlen(times) : text;
	buf_add(out, at + (*at == '~'));
}

/* Appends what the row is a case of: its type, else what names it. */
static void same_add_row(const struct view *view, struct buf *out)
{
	SCOPED_BUF text = {0};
	size_t number;
	uint64_t address = view->ops->address ? view->ops->address(view, view->cursor) : 0;
	const struct rows *rows =
		view->ops->table_row ? view->ops->table_row(view, view->cursor, &number) : NULL;
	if (view->ops->type)
		view->ops->type(view, view->cursor, &text);
	uint32_t object = address ? heap_find(analysis_heap(view->analysis), address) : OBJECT_NONE;
	if (!text.len && object != OBJECT_NONE)
		typed_add_part(view->analysis, object, &text);
	for (int i = 0; rows && !text.len && i < rows->table->column_count; i++)
		if (!rows->table->columns[i].width)
			rows_text(rows, number, i, &text);
	same_add(buf_text(&text), out);
}

/* Searches for what the row is a case of. */
static bool search_same(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	SCOPED_BUF text = {0};
	if (call->view->cursor < call->view->ops->rows(call->view))
		same_add_row(call->view, &text);
	if (!text.len)
		return err_set(call->err, "This row has neither a type nor a name: / asks for a text");
	search_start(&explorer->search, call->view, buf_text(&text), 1);
	search_task_begin(explorer);
	return true;
}

static bool search_repeat(const struct call *call)
{
	return explorer_repeat(call->explorer, call->err);
}

/* Asks for a line of a kind, unless the view lacks the command that takes it. */
static bool ask_line(const struct call *call)
{
	char kind = (char)call->command->by;
	const char *word = kind == '&' || kind == '.' || kind == 's' ? line_kind_find(kind)->command
	                                                             : NULL;
	if (word && !command_in(call->view, word))
		return explorer_run(call->explorer, word, "", call->err);
	return ask(call->explorer, kind);
}

static bool cancel(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	struct view *view = explorer_view(explorer);
	bool busy = explorer->tasks.running || explorer->search.running;
	bool marked = explorer->search.shown;
	if (explorer->search.running)
		explorer_message(explorer, "The search was stopped.");
	search_task_stop(explorer);
	explorer->search.shown = false;
	tasks_cancel(&explorer->tasks);
	if (view_stack_waits(&explorer->view_stack))
		return view_stack_go(&explorer->view_stack, -1, call->err);
	if (!busy && !marked && view->ops->filtered && view->ops->filtered(view))
		return explorer_run(explorer, "filter", "", call->err);
	if (!busy && !marked)
		explorer_message(explorer, "There is nothing to stop. q goes back, Q leaves the explorer.");
	return true;
}

/* Handles Esc: goes back if there is nothing to stop or remove. */
static bool search_leave(const struct call *call)
{
	struct explorer *explorer = call->explorer;
	const struct view *view = explorer_view(explorer);
	bool busy = explorer->tasks.running || explorer->search.running || explorer->search.shown
	            || view_stack_waits(&explorer->view_stack);
	bool filtered = view->ops->filtered && view->ops->filtered(view);
	if (busy || filtered || explorer->view_stack.at == 0)
		return cancel(call);
	return explorer_run(explorer, "back", "", call->err);
}

const struct command commands_search[] = {
	{"search", "[TEXT]", TAKES_FUNCTION,
     "Goes to the next row that contains the text; the first one is shown while it is typed, and "
     "Esc goes back",
     .run = search_command_search, .by = 1, .pace = PACE_PROMPTS},
	{"search-back", "TEXT", TAKES_FUNCTION, "Goes to the row before that contains the text",
     .run = search_command_search, .by = -1},
	{"find", "TEXT|0xBYTES", 0, "Lists the places in objects, data and stacks that have them",
     .run = search_command_find},
	{"next", NULL, 0, "Goes to the next row with the text searched for", .run = again, .by = 1},
	{"previous", NULL, 0, "Goes to the row before with the text searched for", .run = again,
     .by = -1},
	{"next-same", NULL, 0, "Goes to the next row that has the type of this one, or else its name",
     .run = search_same, .pair = true},
	{"repeat", NULL, 0, "Does again what was typed at a prompt last, such as :down 3 or a filter",
     .run = search_repeat},
	{"ask-sort", NULL, 0, "Shows the columns, and asks by which to sort; Enter alone: by the next",
     .run = ask_line, .by = 's', .pace = PACE_PROMPTS, .pair = true},
	{"ask-filter", NULL, 0, "Asks which rows are wanted", .run = ask_line, .by = '&',
     .pace = PACE_PROMPTS, .pair = true},
	{"ask-column", NULL, 0, "Asks for a field of the objects, and adds a column with it",
     .run = ask_line, .by = '.', .pace = PACE_PROMPTS, .pair = true},
	{"ask-place", NULL, 0, "Asks for an address, a path or a " THREAD_WORD ", and goes there",
     .run = ask_line, .by = '=', .pace = PACE_PROMPTS, .pair = true},
	{"ask-palette", NULL, 0, "Asks for words, and shows the commands and views that are about them",
     .run = ask_line, .by = '?', .pace = PACE_PROMPTS_AT_ONCE, .pair = true},
	{"ask-command", NULL, 0, "Asks for a command", .run = ask_line, .by = ':',
     .pace = PACE_PROMPTS_AT_ONCE, .pair = true},
	{"cancel", NULL, 0,
     "Stops a search, a sort or waiting, unmarks what was found, or takes the filter off",
     .run = cancel, .pace = PACE_AT_ONCE},
	{"leave", NULL, 0, "Does what cancel does, and goes back where there is nothing of that",
     .run = search_leave, .pace = PACE_AT_ONCE},
	{0},
};
