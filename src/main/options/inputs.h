/* The files of a command line: dumps, core files and processes, and the executable, distinguished
   by content. */
#pragma once

#include "main/subcommand.h"

#include <stdbool.h>

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

/* Removes an ELF program and its debug file from the operands of a subcommand that reads dumps, as
   if --exe and --debug-file had named them, and replaces "-" by a copy of the standard input.
   False: *err. */
bool operands_settle(struct options *options, const struct subcommand *subcommand, struct err *err);

/* ---- The dumps that --since names */

/* Prints on stderr what only one of two dumps records, if their formats differ. */
void since_tell_kind(const struct analysis *newer, const struct analysis *older);
/* Prints on stderr that, and what else cannot be compared: without roots, what was alive. */
void since_tell_limits(const struct analysis *newer, const struct analysis *older);

/* Opens them as `opening` says, and adds them as earlier dumps. False: an error was printed,
   because one is unreadable or of another process. */
bool open_since(struct analysis *analysis, const struct opening *opening);

/* Prints the dumps that were open last, and asks on the terminal which process or dump to open.
   False: none, or there is no terminal. */
bool offer_choose(char *answer, int room);
