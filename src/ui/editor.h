/* The editor that the user has chosen, at a line of source. */
#ifndef UI_EDITOR_H
#define UI_EDITOR_H

#include "base/buf.h"
#include "base/err.h"

#include <stdint.h>

/* Where a file of the source is: as it is recorded, else by the end of its path, as long as
   possible, in the current folder. False: nowhere. */
bool editor_find(const char *recorded, struct buf *path);

/* Runs $VISUAL, $EDITOR or vi and waits for it: EDITOR +LINE PATH, without a shell where the
   variable is one word. False: *err. */
bool editor_run(const char *path, uint64_t line, int *status, struct err *err);

#endif
