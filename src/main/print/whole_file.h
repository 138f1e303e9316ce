/* A file that gets its name when it is complete. Until then it is unnamed if the file system
   supports that, or else has a temporary name next to the final one, and is removed if a signal
   ends the program. One file at a time. */
#pragma once

#include "base/err.h"

#include <stdbool.h>

/* Returns true if the path leads to what is there and is no file or folder, such as a device or a
   pipe: a file must not take its place. */
bool whole_file_is_other(const char *path);
/* Opens a file with mode 0600. A link leads to the file that is replaced. Returns a descriptor; -1:
 * *err. */
int whole_file_open(const char *path, struct err *err);
/* Gives the file its name, and replaces an existing file. False: errno. */
bool whole_file_name(int fd, const char *path);
/* Closes the file, and removes it unless it has its name. False: errno, the file may be partial. */
bool whole_file_close(int fd);

/* ---- The signals by which users end a program, for code that must not leave partial files */

/* With true, blocks these signals; with false, unblocks them. */
void end_signals_hold(bool hold);
/* Installs a handler for these signals, except for those that are ignored or that another part of
   the program handles: the explorer ends by itself then. */
void end_signals_handle(void (*handler)(int number));
/* Installs a handler that the functions above leave, and that interrupts what sleeps; NULL:
   restores the default actions. */
void end_signals_catch(void (*handler)(int number));
/* Called in a handler: restores the default action and repeats the signal. */
void end_signals_default(int number);
