/* Descriptions of common terminals that are built in, for containers that have none of their own:
   curses takes one in the environment. */
#ifndef UI_TERMINFO_H
#define UI_TERMINFO_H

#include <stdbool.h>

/* Puts the description of terminals of a type there, until it is taken back. False: none is built
   in, or the user has said which to take. */
bool terminfo_lend(const char *type);
void terminfo_take_back(void);

#endif
