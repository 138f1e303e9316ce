/* Records of a heap dump that no intact dump has: what is read of one is not what the program had.
 */
#pragma once

#include <stdint.h>

struct heap;

typedef void records_warn(void *self, uint64_t offset, const char *text);
/* Calls `warn` for what is wrong with the records of a Go heap dump that were read to their end:
   several at one address where there is one, or none where there must be one. */
void records_check(const struct heap *heap, records_warn *warn, void *self);
