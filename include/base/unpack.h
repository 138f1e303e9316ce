/* Unpacks compressed dumps into an unnamed temporary file. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/progress.h"

/* Returns true if a file that begins with these bytes (the first block or the whole file) is
   usable, false with *err otherwise. It is called before the rest of a possibly very large archive
   is unpacked. */
typedef bool unpack_known(void *self, const uint8_t *start, size_t size, struct err *err);

/* What is unpacked; all zero: everything, up to 1 GB or 100 times the size of the archive,
   whichever is larger. */
struct unpack_options {
	unpack_known *known; /* called with `self` */
	void *self;
	uint64_t limit; /* bytes of unpacked content; 0: the default */
};

/* Sets *name to "gzip", "zstd", "xz", "bzip2" or "lz4" by the first bytes of the file, or to NULL.
   Returns false with *err if it cannot be read. */
bool unpack_filter(int fd, const char **name, struct err *err);

/* Returns a new descriptor with the unpacked content, or -1 with *err. The file is in $TMPDIR or
   /tmp, has mode 0600 and no name, so that it disappears with the process. All checksums and
   lengths are verified. If the archive is truncated, damaged or followed by other data, the file
   holds every byte that could be unpacked, and *damage is a sentence about it; otherwise *damage
   stays empty. */
int unpack(int fd, const struct unpack_options *options, struct progress *progress,
           struct buf *damage, struct err *err);
