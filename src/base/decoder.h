/* A decompressor: a library behind one struct. Its streams verify the checksums and lengths in the
   data, and deliver every byte that they could decode before an error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Input and output of one step, which advances both. */
struct decoder_piece {
	const uint8_t *in;
	size_t in_len;
	uint8_t *out;
	size_t out_len;
};

enum decoded {
	DECODED_SOME, /* call again with more input or more room */
	DECODED_END,  /* end of a member, verified; another member may follow */
	/* like DECODED_SOME, but the library does not support the type of checksum */
	DECODED_UNVERIFIED,
	DECODED_BROKEN
};

struct decoder {
	const char *name, *library; /* for messages */
	/* Returns true if the data begins with a member of this format. */
	bool (*begins)(const uint8_t *data, size_t len);
	/* Creates a stream that decodes any number of consecutive members. Returns NULL if out of
	   memory. */
	void *(*open)(void);
	enum decoded (*step)(void *stream, struct decoder_piece *piece);
	const char *(*complaint)(const void *stream); /* the library's message after DECODED_BROKEN */
	void (*close)(void *stream);
};

extern const struct decoder decoder_gzip, decoder_zstd, decoder_xz, decoder_bzip2, decoder_lz4;
