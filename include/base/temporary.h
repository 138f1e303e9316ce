/* Unnamed temporary files. */
#pragma once

#include "base/err.h"

#include <stddef.h>

/* Opens a file in $TMPDIR or /tmp with mode 0600; it disappears with its descriptor. Returns -1
   with *err. */
int temporary_open(struct err *err);

/* Appends bytes. Returns false with *err if it cannot be written, or if it would nearly fill the
   disk. */
bool temporary_add(int fd, const void *bytes, size_t len, struct err *err);
