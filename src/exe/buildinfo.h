/* The Go version that built an executable. */
#ifndef EXE_BUILDINFO_H
#define EXE_BUILDINFO_H

#include "base/buf.h"
#include "exe/image.h"

/* Appends it, made visible: "go1.24.4". Nothing when the file does not tell. */
void buildinfo_version(const struct image *image, struct buf *out);

#endif
