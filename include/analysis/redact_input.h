/* Redacts an opened dump or core file in memory: every text, key and number of the program becomes
   zero; addresses, sizes, pointers, types, lengths and the runtime's own numbers stay. */
#pragma once

#include "base/input.h"
#include "base/progress.h"

/* Reads the input, finds the types of its objects, and zeroes the rest. `exe` is the executable
   that the user has named, or NULL. The caller frees *redaction with redaction_fini() in any case.
   Returns false with *err: the input is not usable, or has no memory to redact. */
bool redact_input(struct input *input, const char *exe, struct redaction *redaction,
                  struct progress *progress, struct err *err);
