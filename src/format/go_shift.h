/* Lost bytes: what follows may still parse as records. */
#pragma once

#include "format/record.h"

/* Returns true if contents end in what looks like the beginning of the list of pointers behind
   them: the list has lost it if bytes of the contents are missing. `contents` has `size` bytes,
   `width` is the size of a word; the list is one of Go 1.5 and later. */
bool go_ends_in_list(const uint8_t *contents, uint64_t size, struct fields list, unsigned width);
