/* Compresses output files. */
#pragma once

#include "base/err.h"

#include <stdbool.h>

enum pack_kind { PACK_NOT, PACK_GZIP, PACK_ZSTD };

/* Returns the file name suffix, such as ".gz"; "" for PACK_NOT. */
const char *pack_suffix(enum pack_kind kind);
/* Returns the kind whose suffix a file name has. */
enum pack_kind pack_of(const char *path);

/* Compresses the whole file `from`, with holes as zeros, and writes it at the position of `to`.
   `kind` must not be PACK_NOT. Returns false with *err, a part of a sentence. */
bool pack_file(int from, int to, enum pack_kind kind, struct err *err);
