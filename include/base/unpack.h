/* Compressed dumps: unpacked through libarchive into a temporary file without a name. */
#ifndef BASE_UNPACK_H
#define BASE_UNPACK_H

#include "base/buf.h"
#include "base/err.h"
#include "base/progress.h"

/* "gzip", "zstd" or "xz" by the first bytes of the file, NULL when it is none of them. */
const char *unpack_filter(int fd);

/* A new descriptor with the unpacked content, or -1 and *err. `path` is for messages. The file lies
   in $TMPDIR or /tmp, has mode 0600 and no name, so that it is gone with the process, however that
   ends. Of an archive that is cut or damaged it holds what could be unpacked, and *damage a sentence
   that says what is wrong; otherwise *damage stays empty. */
int unpack(int fd, const char *path, struct progress *progress, struct buf *damage,
           struct err *err);

#endif
