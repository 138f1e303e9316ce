/* Commands of trees, which views implement. The function here reports that the view is no tree. */
#include "ui/command_groups.h"

static bool no_tree(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)explorer, (void)argument;
	return err_set(err, "This is no tree: owners and breakdown show one");
}

const struct command commands_tree[] = {
	{"toggle", NULL, 0, "Opens or closes a row of a tree", no_tree},
	{"open-all", NULL, 0, "Opens a row of a tree, and all that is below it", no_tree},
	{"icicle", NULL, 0,
     "Draws the tree above its rows, as blocks as wide as their bytes; with earlier dumps, those "
     "that have grown, are new or have shrunk by 2 % or more have colours, and say by how much",
     no_tree},
	{"by-type", NULL, 0, "Opens a row of a breakdown by type, or by stack again", no_tree},
	{0},
};
