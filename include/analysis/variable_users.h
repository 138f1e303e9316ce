/* Variables that the executable has no names of, by the functions that use them. The code is
   scanned once, by whoever asks first; an index keeps the result. */
#ifndef ANALYSIS_VARIABLE_USERS_H
#define ANALYSIS_VARIABLE_USERS_H

#include "analysis/analysis.h"
#include "exe/variable_uses.h"

/* Finds the user of the variable at an address of the dump that no symbol names. False: there is no
   executable, the code of its machine is not read, or nothing refers to the address. */
bool variable_user_find(const struct analysis *analysis, uint64_t address,
                        struct variable_user *user);

#endif
