/* Go version of an executable, and the path of its program. */
#pragma once

#include "base/buf.h"
#include "go/exe/image.h"

/* Appends the version, escaped: "go1.24.4". Returns false if the file does not record it; the
   appended text is then the only release that a variable names, or nothing. */
bool buildinfo_version(const struct image *image, struct buf *out);

/* Appends the path that the program's own packages begin with: that of its main module, or the path
   of its main package without "/cmd/..." ("go.etcd.io/etcd"), since Go 1.18; nothing if the file
   does not record it. */
void buildinfo_add_program(const struct image *image, struct buf *out);
