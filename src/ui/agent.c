/* Views that an agent looks at, over the socket of the explorer (ui/listener.h), are shown unless
   the person is occupied. They only show: a command here is the name of a view or table, or a place
   to go to, with a filter and an order. */
#include "base/text.h"
#include "ui/locate.h"
#include "ui/state.h"

#include <string.h>

enum { AGENT_COMMAND_MOST = 2000, AGENT_REASON_SHOWN = 200 };

/* Appends commands of a view that it has when it opens: a filter, an order. */
static bool agent_add_words(const char *line, struct buf *words, struct err *err)
{
	static const char *const known[] = {"filter", "sort", "reverse"};
	while (line) {
		SCOPED_BUF word = {0}, argument = {0};
		size_t i = 0;
		line = command_split(line, &word, &argument);
		while (i < sizeof known / sizeof *known && strcmp(known[i], buf_text(&word)) != 0)
			i++;
		bool found = i < sizeof known / sizeof *known;
		if (found)
			buf_addf(words, "0 %s %s\n", known[i], buf_text(&argument));
		else if (word.len)
			err_set(err, "An agent cannot run this on a view; it can filter, sort and reverse");
		if (err->set)
			return false;
	}
	return true;
}

/* Fills the place that a command opens; the caller frees it. False: *err. */
static bool agent_location(struct explorer *explorer, const char *line, struct location *location,
                           struct err *err)
{
	SCOPED_BUF word = {0}, argument = {0}, link = {0}, note = {0};
	*location = (struct location){0};
	const char *rest = command_split(line, &word, &argument);
	bool done = true;
	if (strcmp(buf_text(&word), "goto") == 0)
		done = locate_text(explorer->analysis, buf_text(&argument), &link, &note, err);
	else
		buf_addf(&link, "%s%s%s", buf_text(&word), argument.len ? " " : "", buf_text(&argument));
	done = done
	       && (link_location(&link, location)
	           || err_set(err, "An agent can show views and tables, and nothing else"));
	if (done && rest)
		done = agent_add_words(rest, &location->words, err);
	return done;
}

/* Opens a place, instead of the one that an agent has opened before and nobody has used since. */
static bool agent_open(struct explorer *explorer, const char *line, struct err *err)
{
	struct view_stack *view_stack = &explorer->view_stack;
	struct location location;
	search_task_rest(explorer);
	bool done = agent_location(explorer, line, &location, err);
	bool here = done && !location.words.len
	            && location_is(view_stack_here(view_stack), location.ops, location.argument);
	if (done && !here) {
		bool instead = explorer->agent.at && view_stack->at == explorer->agent.at
		               && view_stack_go(view_stack, -1, NULL);
		search_task_stop(explorer);
		explorer->search.shown = false;
		if (!instead)
			explorer_leave(explorer);
		done = view_stack_open(view_stack, &location, err);
		if (done)
			explorer->agent.at = view_stack->at;
		else if (instead)
			view_stack_go(view_stack, 1, NULL);
	}
	location_fini(&location);
	return done;
}

/* Sets the notice that says why, with the key that shows it if it is not shown. */
static void agent_tell(struct explorer *explorer)
{
	struct agent *agent = &explorer->agent;
	buf_clear(&explorer->notice);
	buf_add(&explorer->notice, "agent: ");
	const struct buf *text = agent->reason.len ? &agent->reason : &agent->command;
	text_add_escaped(&explorer->notice, buf_text(text), text->len, AGENT_REASON_SHOWN);
	if (agent->waits)
		buf_add(&explorer->notice, " (A shows it)");
}

bool agent_show(struct explorer *explorer, const char *line, const char *reason, bool occupied,
                struct err *err)
{
	struct agent *agent = &explorer->agent;
	if (strlen(line) > AGENT_COMMAND_MOST)
		return err_set(err, "A command has %d bytes at most", AGENT_COMMAND_MOST);
	for (const char *at = line; *at; at++)
		if ((unsigned char)*at < ' ')
			return err_set(err, "A command is one line");
	struct location location;
	bool done = occupied ? agent_location(explorer, line, &location, err)
	                     : agent_open(explorer, line, err);
	if (occupied)
		location_fini(&location);
	if (!done)
		return false;
	buf_clear(&agent->command);
	buf_add(&agent->command, line);
	buf_clear(&agent->reason);
	buf_add(&agent->reason, reason);
	agent->waits = occupied;
	if (!occupied)
		explorer_message(explorer, "%s", "");
	agent_tell(explorer);
	return true;
}

void agent_person(struct explorer *explorer)
{
	explorer->agent.at = 0;
	buf_clear(&explorer->notice);
}

static bool agent_command(const struct call *call)
{
	struct agent *agent = &call->explorer->agent;
	if (!agent->command.len)
		return err_set(call->err, "No agent has looked at anything: it can, after --listen");
	if (!agent_open(call->explorer, buf_text(&agent->command), call->err))
		return false;
	agent->waits = false;
	agent->at = 0; /* the person has opened it */
	agent_tell(call->explorer);
	return true;
}

const struct command commands_agent[] = {
	{"agent", NULL, 0, "Opens what an agent has looked at last, with --listen",
     .run = agent_command},
	{0},
};
