/* The runtime's variables by what they look like, where no symbols tell where they are. */
#ifndef FORMAT_CORE_SEARCH_H
#define FORMAT_CORE_SEARCH_H

#include "core_runtime.h"

/* Is the variable runtime.mheap_ at an address: is every span in use among its first ones found
   again under its own page? It becomes rt->mheap. */
bool core_is_mheap(struct core_runtime *rt, uint64_t mheap);
/* Their addresses, within the variables of rt->module; 0: not found. */
uint64_t core_search_mheap(struct core_runtime *rt);
uint64_t core_search_allgs(struct core_runtime *rt);
uint64_t core_search_wait_reasons(struct core_runtime *rt);

#endif
