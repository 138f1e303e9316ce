/* Interactive choice of a running process. */
#ifndef MAIN_PROCESSES_H
#define MAIN_PROCESSES_H

#include <stdbool.h>

/* Asks on the terminal for the process to open. False: none, or there is no terminal. */
bool processes_choose(char *answer, int room);

#endif
