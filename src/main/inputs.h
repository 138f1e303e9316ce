/* The files that a command line names: dumps, core files and processes, and the executable, told
   apart by content. */
#ifndef MAIN_INPUTS_H
#define MAIN_INPUTS_H

#include "main/subcommand.h"

struct inputs {
	const char **dump; /* as many as there are, in the order of the command line */
	size_t count;
	const char *exe;             /* NULL: none is named */
	const struct options *every; /* snapshots of one process, with a wait between; NULL: they are
	                                not */
};
/* Of operands; the last of several that is neither is the executable, too. */
void inputs_init(struct inputs *inputs, char *const *operands, const struct options *options);
/* The one process among them as often as --every and --count say, if they do. False: a complaint.
 */
bool inputs_repeat(struct inputs *inputs, const struct options *options);
void inputs_fini(struct inputs *inputs);

/* Opens all of them and puts the older ones behind the newest, whichever stands where. With --since
   of the options, those behind it as well. `strict`: one that cannot be compared is a failure; else
   it is left out, and said. NULL after a complaint. */
struct analysis *inputs_open(const struct inputs *inputs, const struct options *options,
                             unsigned stages, bool strict);

#endif
