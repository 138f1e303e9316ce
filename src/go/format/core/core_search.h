/* Finds runtime variables by their content, if there are no symbols. */
#pragma once

#include "core_runtime.h"

/* Returns true if runtime.mheap_ is at an address: the first spans in use must be found again
   through their own pages. Sets rt->mheap. */
bool core_is_mheap(struct core_runtime *rt, uint64_t mheap);
/* Return addresses within the variables of rt->module; 0: not found. */
uint64_t core_search_mheap(struct core_runtime *rt);
uint64_t core_search_allgs(struct core_runtime *rt);
uint64_t core_search_wait_reasons(struct core_runtime *rt);
uint64_t core_search_allp(struct core_runtime *rt);
/* Returns the first thread of the runtime's list of all, the newest one, which no variable names;
   0: not found. */
uint64_t core_search_allm(struct core_runtime *rt);
