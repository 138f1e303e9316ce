/* xz decompression with liblzma. */
#include "base/decoder.h"

#include "base/mem.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>

/* The memory limit of a stream. xz -9 needs 65 MB. */
enum { MEMORY = 1 << 30 };

struct xz {
	lzma_stream z;
	lzma_ret status;
};

static bool xz_begins(const uint8_t *data, size_t len)
{
	return len >= 6
	       && memcmp(data,
	                 "\xfd"
	                 "7zXZ",
	                 6)
	              == 0;
}

static lzma_ret xz_reset(struct xz *xz)
{
	return lzma_stream_decoder(&xz->z, MEMORY, LZMA_TELL_UNSUPPORTED_CHECK);
}

static void xz_close(void *stream)
{
	struct xz *xz = stream;
	lzma_end(&xz->z);
	free(xz);
}

static void *xz_open(void)
{
	struct xz *xz = mem_alloc(sizeof *xz);
	xz->z = (lzma_stream)LZMA_STREAM_INIT;
	if (xz_reset(xz) == LZMA_OK)
		return xz;
	xz_close(xz);
	return NULL;
}

static enum decoded xz_step(void *stream, struct decoder_piece *piece)
{
	struct xz *xz = stream;
	xz->z.next_in = piece->in;
	xz->z.avail_in = piece->in_len;
	xz->z.next_out = piece->out;
	xz->z.avail_out = piece->out_len;
	xz->status = lzma_code(&xz->z, LZMA_RUN);
	*piece = (struct decoder_piece){xz->z.next_in, xz->z.avail_in, xz->z.next_out, xz->z.avail_out};
	if (xz->status == LZMA_STREAM_END) {
		xz->status = xz_reset(xz);
		return xz->status == LZMA_OK ? DECODED_END : DECODED_BROKEN;
	}
	if (xz->status == LZMA_UNSUPPORTED_CHECK)
		return DECODED_UNVERIFIED;
	return xz->status == LZMA_OK || xz->status == LZMA_BUF_ERROR ? DECODED_SOME : DECODED_BROKEN;
}

static const char *xz_complaint(const void *stream)
{
	static const char *const texts[] = {
		[LZMA_MEM_ERROR] = "not enough memory",
		[LZMA_MEMLIMIT_ERROR] = "more than 1 GB of memory would be needed",
		[LZMA_FORMAT_ERROR] = "file format not recognized",
		[LZMA_OPTIONS_ERROR] = "unsupported options",
		[LZMA_DATA_ERROR] = "data is corrupt, or its sum is wrong",
	};
	const struct xz *xz = stream;
	size_t status = (size_t)xz->status;
	return status < sizeof texts / sizeof *texts && texts[status] ? texts[status]
	                                                              : "internal error";
}

const struct decoder decoder_xz = {
	"xz", "liblzma", xz_begins, xz_open, xz_step, xz_complaint, xz_close,
};
