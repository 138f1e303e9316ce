/* A way of compression: a library behind one struct. Its streams verify the sums and lengths that
   they carry, and give every byte that they could decode before an error. */
#ifndef BASE_DECODER_H
#define BASE_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a step may read and fill; it moves both on. */
struct decoder_piece {
	const uint8_t *in;
	size_t in_len;
	uint8_t *out;
	size_t out_len;
};

enum decoded {
	DECODED_SOME,       /* goes on with more input, or with more room */
	DECODED_END,        /* the end of a member, verified; another one may follow */
	DECODED_UNVERIFIED, /* goes on, but the library does not know the kind of the sums */
	DECODED_BROKEN
};

struct decoder {
	const char *name, *library; /* for sentences */
	/* Does a member begin here? */
	bool (*begins)(const uint8_t *data, size_t len);
	/* A stream for any number of members, one after the other; NULL: out of memory. */
	void *(*open)(void);
	enum decoded (*step)(void *stream, struct decoder_piece *piece);
	const char *(*complaint)(const void *stream); /* of the library, after DECODED_BROKEN */
	void (*close)(void *stream);
};

extern const struct decoder decoder_gzip, decoder_zstd, decoder_xz, decoder_bzip2, decoder_lz4;

#endif
