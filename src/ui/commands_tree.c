/* Commands of trees, and of heaps that are broken down: these are opened again, with another
   argument. */
#include "ui/command_groups.h"

#include "table/choice.h"
#include "ui/state.h"

#include <string.h>

static bool no_tree(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)explorer, (void)argument;
	return err_set(err, "This is no tree: owners and breakdown show one");
}

/* What the breakdown on the screen was chosen by. False: it shows none. Give back with choice_fini
   either way. */
static bool chosen(struct explorer *explorer, struct choice *choice, struct err *err)
{
	const struct view *view = explorer_view(explorer);
	const struct table *table = view_table_shown(view->ops, view->argument);
	*choice = (struct choice){0};
	if (!table || strcmp(table->name, "breakdown") != 0)
		return err_set(err, "This is no breakdown: the key 9 shows one");
	return choice_parse(choice, view->argument + strlen(table->name), err);
}

static bool show(struct explorer *explorer, const struct choice *choice, struct err *err)
{
	struct buf argument = {0};
	choice_add(choice, &argument);
	bool done = explorer_run(explorer, "breakdown", buf_text(&argument), err);
	buf_free(&argument);
	return done;
}

static bool bottom_up(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument;
	struct choice choice;
	bool done = chosen(explorer, &choice, err);
	choice.bottom_up = !choice.bottom_up;
	done = done && show(explorer, &choice, err);
	choice_fini(&choice);
	return done;
}

static bool cutoff(struct explorer *explorer, const char *argument, struct err *err)
{
	struct choice choice;
	bool done = chosen(explorer, &choice, err);
	if (*argument)
		done = done && choice_set_least(&choice, argument, err);
	else
		choice_next_least(&choice);
	done = done && show(explorer, &choice, err);
	choice_fini(&choice);
	return done;
}

const struct command commands_tree[] = {
	{"toggle", NULL, "Opens or closes a row of a tree", no_tree},
	{"open-all", NULL, "Opens a row of a tree, and all that is below it", no_tree},
	{"icicle", NULL, "Draws the tree above its rows, as blocks as wide as their bytes", no_tree},
	{"by-type", NULL, "Opens a row of a breakdown by type, or by stack again", no_tree},
	{"bottom-up", NULL, "Begins the stacks of a breakdown with what allocates (the nearest 256 "
	                    "calls), or with their root again", bottom_up},
	{"cutoff", "[BYTES|P%]", "Folds the parts of a breakdown that are smaller into <other>; alone: "
	                         "the next usual share", cutoff},
	{0},
};
