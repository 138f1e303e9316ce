/* Commands that search and filter rows. */
#include "ui/command_groups.h"

#include "ui/state.h"

static bool ask(struct explorer *explorer, char kind)
{
	explorer->wants_line = kind;
	buf_clear(&explorer->line);
	return true;
}

static bool search_command_search(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)err;
	if (!*argument)
		return ask(explorer, '/');
	search_start(&explorer->search, explorer_view(explorer), argument, 1);
	search_task_begin(explorer);
	return true;
}

static bool search_back(struct explorer *explorer, const char *argument, struct err *err)
{
	if (!*argument)
		return err_set(err, "Search for what? N after a search goes backward");
	search_start(&explorer->search, explorer_view(explorer), argument, -1);
	search_task_begin(explorer);
	return true;
}

/* Opens the table find, and makes its text the target of n in it and in views opened from it. */
static bool search_command_find(struct explorer *explorer, const char *argument, struct err *err)
{
	struct buf line = {0};
	if (!*argument)
		return err_set(err, "Find what? A text, or bytes as 0x0a1b");
	buf_addf(&line, "find %s", argument);
	bool done = explorer_show(explorer, view_find("list"), buf_text(&line), err);
	buf_free(&line);
	if (done)
		search_note(&explorer->search, argument);
	return done;
}

static bool again(struct explorer *explorer, bool reverse, struct err *err)
{
	if (explorer->search.needle.len == 0)
		return err_set(err, "Nothing has been searched for yet: / asks for a text");
	search_again(&explorer->search, explorer_view(explorer), reverse);
	search_task_begin(explorer);
	return true;
}

static bool next(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument;
	return again(explorer, false, err);
}

static bool previous(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument;
	return again(explorer, true, err);
}

static bool ask_filter(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument;
	if (!command_of_view(explorer_view(explorer), "filter"))
		return err_set(err, "This view cannot be filtered: / searches in it");
	return ask(explorer, '&');
}

static bool ask_column(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument;
	if (!command_of_view(explorer_view(explorer), "column"))
		return err_set(err, "This is no list of objects: only these have fields");
	return ask(explorer, '.');
}

static bool ask_place(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	return ask(explorer, '=');
}

static bool ask_command(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	return ask(explorer, ':');
}

static bool cancel(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument;
	struct view *view = explorer_view(explorer);
	bool busy = explorer->tasks.running || explorer->search.running;
	bool marked = explorer->search.shown;
	if (explorer->search.running)
		explorer_message(explorer, "The search was stopped.");
	search_task_stop(explorer);
	explorer->search.shown = false;
	tasks_cancel(&explorer->tasks);
	if (view_stack_waits(&explorer->view_stack))
		return view_stack_go(&explorer->view_stack, -1, err);
	if (!busy && !marked && view->ops->filtered && view->ops->filtered(view))
		return explorer_run(explorer, "filter", "", err);
	if (!busy && !marked)
		explorer_message(explorer, "There is nothing to stop. q goes back, Q leaves the explorer.");
	return true;
}

/* Handles Esc: goes back if there is nothing to stop or remove. */
static bool search_leave(struct explorer *explorer, const char *argument, struct err *err)
{
	const struct view *view = explorer_view(explorer);
	bool busy = explorer->tasks.running || explorer->search.running || explorer->search.shown
	            || view_stack_waits(&explorer->view_stack);
	bool filtered = view->ops->filtered && view->ops->filtered(view);
	if (busy || filtered || explorer->view_stack.at == 0)
		return cancel(explorer, argument, err);
	return explorer_run(explorer, "back", "", err);
}

const struct command commands_search[] = {
	{"search", "[TEXT]", TAKES_FUNCTION, "Goes to the next row that contains the text",
     search_command_search},
	{"search-back", "TEXT", TAKES_FUNCTION, "Goes to the row before that contains the text",
     search_back},
	{"find", "TEXT|0xBYTES", 0, "Lists the places in objects, data and stacks that have them",
     search_command_find},
	{"next", NULL, 0, "Goes to the next row with the text searched for", next},
	{"previous", NULL, 0, "Goes to the row before with the text searched for", previous},
	{"ask-filter", NULL, 0, "Asks which rows are wanted", ask_filter},
	{"ask-column", NULL, 0, "Asks for a field of the objects, and adds a column with it",
     ask_column},
	{"ask-place", NULL, 0, "Asks for an address, a path or a goroutine, and goes there", ask_place},
	{"ask-command", NULL, 0, "Asks for a command", ask_command},
	{"cancel", NULL, 0,
     "Stops a search, a sort or waiting, unmarks what was found, or takes the filter off", cancel},
	{"leave", NULL, 0, "Does what cancel does, and goes back where there is nothing of that",
     search_leave},
	{0},
};
