/* A compressor: a library behind one struct. Its streams contain the checksums that a decoder
   verifies. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Input and output of one step, which advances both. */
struct encoder_piece {
	const uint8_t *in;
	size_t in_len;
	uint8_t *out;
	size_t out_len;
};

enum encoded {
	ENCODED_SOME, /* call again with more input or more room */
	ENCODED_END,
	ENCODED_BROKEN
};

struct encoder {
	const char *suffix, *library;
	void *(*open)(void); /* returns NULL if out of memory */
	/* `last`: the piece holds the rest of the input; call again until ENCODED_END. */
	enum encoded (*step)(void *stream, struct encoder_piece *piece, bool last);
	void (*close)(void *stream);
};

extern const struct encoder encoder_gzip, encoder_zstd;
