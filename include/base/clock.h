/* A clock that never goes back. */
#pragma once

#include <stdint.h>

/* Returns nanoseconds since a moment that is the same for all processes of the machine. */
uint64_t clock_now(void);
