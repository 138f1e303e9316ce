/* The dumps that --since names. */
#ifndef MAIN_SINCE_H
#define MAIN_SINCE_H

#include "main/subcommand.h"

/* Prints on stderr what only one of two dumps records, if their formats differ. */
void since_tell_kind(const struct analysis *newer, const struct analysis *older);
/* Prints on stderr that, and what else cannot be compared: without roots, what was alive. */
void since_tell_limits(const struct analysis *newer, const struct analysis *older);
/* Opens them with the same stages and adds them as earlier dumps. False: an error was printed,
   because one is unreadable or of another process. */
bool open_since(struct analysis *analysis, const struct options *options, const char *exe,
                unsigned stages);

#endif
