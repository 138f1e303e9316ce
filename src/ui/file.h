/* Files that commands write. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

/* Writes a text to a new file with mode 0600. False: *err, and there is no file. */
bool file_write(void *unused, const char *path, const struct buf *text, struct err *err);
