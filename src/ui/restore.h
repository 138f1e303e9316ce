/* Restores the terminal when a signal ends the program. Independent of curses. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* restore_install is called once, before the terminal is changed: it saves the modes and installs
   handlers. Signals that end the program, or report a fault, then write `reset` (copied; it must
   undo what curses does), restore the modes and have their default effect. They never wait for a
   terminal that nobody reads: what is still on the way to it is dropped. Others (window size, stop,
   continue) make restore_fd() readable. So does the first SIGHUP or SIGTERM, which leaves a second
   to save what is to be saved, until restore_end_by_signal. */
void restore_install(void);
void restore_set(const char *reset, size_t len);
/* Sets whether goheapx controls the terminal: only then handlers write to it. */
void restore_arm(bool armed);

/* Sets a file that such a signal removes, too; "": none. A longer path is not removed. */
void restore_remove(const char *path);

int restore_fd(void);
/* Returns the next signal received, 0 if there is none. */
int restore_next(void);
/* Ends the program as SIGHUP or SIGTERM does, if one was received. */
void restore_end_by_signal(void);

/* Stops this process and its group, as ^Z does. */
void restore_stop(void);
