/* The signals by which people and shells end a program, for what must not leave half a file. */
#ifndef MAIN_END_SIGNALS_H
#define MAIN_END_SIGNALS_H

#include <stdbool.h>

/* None of them ends the program, nor is handled, from a call with true to the next with false. */
void end_signals_hold(bool hold);
/* They are handled from now on; those that are ignored stay so. */
void end_signals_handle(void (*handler)(int number));
/* In a handler: as if it had not been there. */
void end_signals_default(int number);

#endif
