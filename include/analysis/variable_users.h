/* Functions that use variables without a name in the executable. The first request scans the code;
   the index saves the result. */
#pragma once

#include "analysis/analysis.h"
#include "exe/variable_uses.h"

/* Finds a user of the variable at an address of the dump that no symbol names. False: there is no
   executable, its architecture is not supported, or no code refers to the address. */
bool variable_user_find(const struct analysis *analysis, uint64_t address,
                        struct variable_user *user);
