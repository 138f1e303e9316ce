/* A clock that never goes back. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* Returns nanoseconds since a moment that is the same for all processes of the machine. */
uint64_t clock_now(void);

#endif
