/* Times and durations as Go prints them. Private to src/types/govalue*.c. */
#ifndef TYPES_GOVALUE_TIME_H
#define TYPES_GOVALUE_TIME_H

#include "base/buf.h"

#include <stdint.h>

/* The fields of time.Time (time/time.go, from Go 1.9 on): RFC 3339 in UTC, with what is below a
   second when there is any, and a mark when a reading of the monotonic clock is in it. */
void govalue_time_add(uint64_t wall, int64_t ext, struct buf *out);
/* time.Duration: "1.5s", "2h0m0s", "300ms". */
void govalue_duration_add(int64_t nanoseconds, struct buf *out);

#endif
