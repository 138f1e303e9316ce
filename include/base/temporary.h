/* A temporary file without a name. */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

#include "base/err.h"

#include <stddef.h>

/* In $TMPDIR or /tmp, 0600, gone with its descriptor however the process ends; -1 and *err. */
int temporary_open(struct err *err);

/* Writes at its end. False and *err: it cannot be written, or little room would be left to others.
 */
bool temporary_add(int fd, const void *bytes, size_t len, struct err *err);

#endif
