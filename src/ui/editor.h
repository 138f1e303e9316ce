/* The user's editor, at a line of source. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdint.h>

/* Finds a source file: at its recorded path, or else the longest suffix of the path that exists in
   the current directory. False: not found. */
bool editor_find(const char *recorded, struct buf *path);

/* Leaves the terminal, runs $VISUAL, $EDITOR or vi and waits for it: EDITOR +LINE PATH, without a
   shell if the variable is one word; then takes the terminal again. False: *err. */
bool editor_run(const char *path, uint64_t line, int *status, struct err *err);
