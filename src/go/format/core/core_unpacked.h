/* Programs that unpack themselves, as those of UPX do: the process began to run in what unpacks it,
   and its own code lies in memory without a file. */
#pragma once

#include "core_runtime.h"

/* Finds where the code of the executable lies in memory, and stores the load bias. Returns false
   unless its build id, and pieces of all that is only read, are there as they are in the file. */
bool core_unpacked_find(const struct core_runtime *rt, uint64_t *bias);
