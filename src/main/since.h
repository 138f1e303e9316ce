/* The dumps that --since names. */
#ifndef MAIN_SINCE_H
#define MAIN_SINCE_H

#include "main/subcommand.h"

/* Says on stderr what only one of two dumps tells, if they are of different formats. */
void since_tell_kind(const struct analysis *newer, const struct analysis *older);
/* Opens them with the same stages and puts them behind the one that is asked about. False after a
   complaint: one cannot be read, or is of another process. */
bool open_since(struct analysis *analysis, const struct options *options, const char *exe,
                unsigned stages);

#endif
