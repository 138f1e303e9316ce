/* Times and durations in Go's format. Private to src/types/govalue*.c. */
#ifndef TYPES_GOVALUE_TIME_H
#define TYPES_GOVALUE_TIME_H

#include "base/buf.h"

#include <stdint.h>

/* Appends a time.Time from its fields (time/time.go since Go 1.9): RFC 3339 in UTC, with a fraction
   if there is one, and a mark if it has a monotonic clock reading. */
void govalue_time_add(uint64_t wall, int64_t ext, struct buf *out);
/* Appends a time.Duration: "1.5s", "2h0m0s", "300ms". */
void govalue_duration_add(int64_t nanoseconds, struct buf *out);

#endif
