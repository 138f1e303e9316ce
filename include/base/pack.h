/* Files that are written compressed. */
#ifndef BASE_PACK_H
#define BASE_PACK_H

#include "base/err.h"

#include <stdbool.h>

enum pack_way { PACK_NOT, PACK_GZIP, PACK_ZSTD };

/* What names of such files end with: ".gz"; "" of PACK_NOT. */
const char *pack_suffix(enum pack_way way);

/* Writes all of the file `from`, holes as zeros, to where `to` stands. PACK_NOT is no way here.
   False: *err, as a part of a sentence. */
bool pack_file(int from, int to, enum pack_way way, struct err *err);

#endif
