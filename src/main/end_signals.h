/* The signals by which users end a program, for code that must not leave partial files. */
#ifndef MAIN_END_SIGNALS_H
#define MAIN_END_SIGNALS_H

#include <stdbool.h>

/* With true, blocks these signals; with false, unblocks them. */
void end_signals_hold(bool hold);
/* Installs a handler for these signals, except for those that are ignored. */
void end_signals_handle(void (*handler)(int number));
/* Called in a handler: restores the default action and repeats the signal. */
void end_signals_default(int number);

#endif
