/* What a word on the command line that names nothing was meant to be. */
#ifndef MAIN_MEANT_H
#define MAIN_MEANT_H

#include "table/nearest.h"

/* ", perhaps NAME is meant" of the names that were seen, or nothing: in a short word one letter may
   be wrong, in others two. */
void meant_add(struct nearest *nearest, const char *before_name, struct buf *out);

#endif
