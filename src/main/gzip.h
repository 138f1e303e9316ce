/* What is exported, compressed on its way. */
#ifndef MAIN_GZIP_H
#define MAIN_GZIP_H

#include "base/buf.h"

#include <stdbool.h>

struct gzip {
	void *stream;
	struct buf plain; /* what is to be compressed: append to it */
	struct buf *out;
};

/* Running out of memory ends the program. */
void gzip_begin(struct gzip *gzip, struct buf *out);
/* Compresses and writes when there is much. False once the output has failed. */
bool gzip_some(struct gzip *gzip);
/* The rest. */
bool gzip_end(struct gzip *gzip);

#endif
