/* Compressed dumps: unpacked into a temporary file without a name. */
#ifndef BASE_UNPACK_H
#define BASE_UNPACK_H

#include "base/buf.h"
#include "base/err.h"
#include "base/progress.h"

/* Is a file that begins with these bytes (a block, or all of it) of any use? False: *err says why
   not. It is asked before the rest of an archive is unpacked, which may be very much of nothing. */
typedef bool unpack_known(const uint8_t *start, size_t size, struct err *err);

/* *name becomes "gzip", "zstd", "xz", "bzip2" or "lz4" by the first bytes of the file, NULL when it
   is none of them. False and *err: it cannot be read. */
bool unpack_filter(int fd, const char **name, struct err *err);

/* A new descriptor with the unpacked content, or -1 and *err. The file lies in $TMPDIR or /tmp, has
   mode 0600 and no name, so that it is gone with the process, however that ends. Every sum and
   length is verified. Of an archive that is cut or damaged, or that something else follows, it
   holds every byte that could be unpacked, and *damage a sentence that says what is wrong;
   otherwise *damage stays empty. `known` may be NULL: everything is. */
int unpack(int fd, unpack_known *known, struct progress *progress, struct buf *damage,
           struct err *err);

/* What an archive may unpack to in this process; without it 1 GB, or 100 times its own size where
   that is more. */
void unpack_set_limit(uint64_t bytes);

#endif
