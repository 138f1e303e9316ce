/* Built-in descriptions of common terminals, for containers without any: curses reads one from the
   environment. */
#ifndef UI_TERMINFO_H
#define UI_TERMINFO_H

#include <stdbool.h>

/* Puts the description of a terminal type into the environment, until terminfo_take_back. False:
   none is built in, or the user has set one. */
bool terminfo_lend(const char *type);
void terminfo_take_back(void);

#endif
