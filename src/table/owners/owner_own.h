/* Owners that are registries: variables of other packages, and threads in their functions, may lead
   to nearly everything. The first object of a type of the program's own packages below one says
   more. */
#pragma once

#include "analysis/analysis.h"
#include "base/buf.h"

/* Appends that object and " by ", before the name of the owner: "main.server 0xc000124000 by "; not
   for small owners, and nothing without types. An object is the first if it retains nearly all that
   the owner does. Names without addresses, which are compared between dumps, are without it. */
void owner_own_add(const struct analysis *analysis, uint32_t root_node, struct buf *out);
/* Returns the name of the owner in a name that begins so; the name itself if it does not. */
const char *owner_own_skip(const char *name);
