/* Commands of trees: views take them as what is done to which row, so that they can be repeated. */
#include "ui/command_groups.h"

#include "ui/state.h"

static bool no_tree(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)explorer, (void)argument;
	return err_set(err, "This is no tree: breakdown shows heaps as one");
}

static bool on_row(struct explorer *explorer, const char *action, struct err *err)
{
	const struct view *view = explorer_view(explorer);
	struct buf argument = {0};
	if (!command_of_view(view, "node"))
		return no_tree(explorer, "", err);
	buf_addf(&argument, "%s %zu", action, view->cursor);
	bool done = explorer_run(explorer, "node", buf_text(&argument), err);
	buf_free(&argument);
	return done;
}

static bool expand(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument;
	return on_row(explorer, "open", err);
}

static bool collapse(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument;
	return on_row(explorer, "close", err);
}

static bool by_type(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument;
	return on_row(explorer, "turn", err);
}

const struct command commands_tree[] = {
	{"expand", NULL, "Shows the parts of the row", expand},
	{"collapse", NULL, "Hides the parts of the row, or goes to the row that it is a part of",
	 collapse},
	{"by-type", NULL, "Breaks the row down by type, or by stack again", by_type},
	{"node", "ACTION", "Does to a row what ACTION says: \"open 3\", \"close 3\", \"toggle 3\", "
	                   "\"turn 3\"", no_tree},
	{"bottom-up", NULL, "Begins stacks with what allocates, or with their root again", no_tree},
	{"cutoff", "[BYTES|P%]", "Folds parts that are smaller into <other>; alone: the next usual "
	                         "share", no_tree},
	{0},
};
