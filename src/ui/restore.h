/* Giving the terminal back when a signal ends the program. Knows no curses. */
#ifndef UI_RESTORE_H
#define UI_RESTORE_H

#include <stdbool.h>
#include <stddef.h>

/* Once, before the terminal is changed: remembers its modes and installs handlers. Signals that
   ask the program to end, and those that tell of a fault, then write `reset` (copied; it must
   undo all that curses does), put the modes back and go on as usual. Others (window size, stop,
   continue) make restore_fd() readable. */
void restore_install(void);
void restore_set(const char *reset, size_t len);
/* Is the terminal ours at the moment? Only then signals write to it. */
void restore_arm(bool armed);

int restore_fd(void);
/* The next signal that came, 0 when there is no more. */
int restore_next(void);

/* Stops this process and its group, as the terminal's ^Z would. */
void restore_stop(void);

#endif
