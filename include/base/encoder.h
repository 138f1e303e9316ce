/* A way to compress: a library behind one struct. Its streams carry the sums by which a decoder
   verifies them. */
#ifndef BASE_ENCODER_H
#define BASE_ENCODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a step may read and fill; it moves both on. */
struct encoder_piece {
	const uint8_t *in;
	size_t in_len;
	uint8_t *out;
	size_t out_len;
};

enum encoded {
	ENCODED_SOME, /* goes on with more input, or with more room */
	ENCODED_END,
	ENCODED_BROKEN
};

struct encoder {
	const char *suffix, *library;
	void *(*open)(void); /* NULL: out of memory */
	/* last: nothing follows after what there is to read; it is called until the end comes. */
	enum encoded (*step)(void *stream, struct encoder_piece *piece, bool last);
	void (*close)(void *stream);
};

extern const struct encoder encoder_gzip, encoder_zstd;

#endif
