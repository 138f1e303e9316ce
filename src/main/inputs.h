/* The files of a command line: dumps, core files and processes, and the executable, distinguished
   by content. */
#ifndef MAIN_INPUTS_H
#define MAIN_INPUTS_H

#include "main/subcommand.h"

struct inputs {
	const char **dump; /* in the order of the command line */
	size_t count;
	const char *exe;             /* NULL: not named */
	const struct options *every; /* set: snapshots of one process at intervals; NULL: not */
};
/* Classifies operands. The last of several that is neither a dump nor an executable counts as the
   executable, too. */
void inputs_init(struct inputs *inputs, char *const *operands, const struct options *options);
/* Repeats the single process among them as --every and --count say. False: an error was printed. */
bool inputs_repeat(struct inputs *inputs, const struct options *options);
void inputs_fini(struct inputs *inputs);

/* Opens all inputs and links the older dumps to the newest, in any order; with --since, also those
   dumps. `strict`: a dump that cannot be compared is an error; else it is omitted with a message.
   NULL: an error was printed. */
struct analysis *inputs_open(const struct inputs *inputs, const struct options *options,
                             unsigned stages, bool strict);

#endif
