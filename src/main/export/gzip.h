/* Output compressed with gzip. */
#pragma once

#include "base/buf.h"

#include <stdbool.h>

struct gzip {
	void *stream;
	struct buf plain; /* input: append to it */
	struct buf *out;
};

/* Begins a stream. Ends the program if memory runs out. */
void gzip_begin(struct gzip *gzip, struct buf *out);
/* Compresses and writes if there is enough input. False once the output has failed. */
bool gzip_some(struct gzip *gzip);
/* Writes the rest. False: the output has failed. */
bool gzip_end(struct gzip *gzip);
