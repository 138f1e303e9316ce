/* The Go version that built an executable. */
#ifndef EXE_BUILDINFO_H
#define EXE_BUILDINFO_H

#include "base/buf.h"
#include "exe/image.h"

/* Appends it, made visible: "go1.24.4". False: the file does not tell it; then what is appended is
   the only release that is named by a variable, or nothing. */
bool buildinfo_version(const struct image *image, struct buf *out);

#endif
