/* Functions that use variables without a name in the executable, and variables that point to static
   data, which has none either. The first request scans code and data; the index saves the
   result. */
#pragma once

#include "analysis/analysis.h"
#include "go/exe/variable_uses.h"

/* Finds the variable that points to the data at an address of the dump that no symbol names, or a
   function that uses it. False: there is no executable, or no variable points to the address and no
   code refers to it, or the code's architecture is not supported. */
bool variable_user_find(const struct analysis *analysis, uint64_t address,
                        struct variable_user *user);
