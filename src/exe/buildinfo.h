/* Go version of an executable. */
#pragma once

#include "base/buf.h"
#include "exe/image.h"

/* Appends the version, escaped: "go1.24.4". Returns false if the file does not record it; the
   appended text is then the only release that a variable names, or nothing. */
bool buildinfo_version(const struct image *image, struct buf *out);
