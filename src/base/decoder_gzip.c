/* gzip decompression with zlib. */
#include "base/decoder.h"

#include "base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { WINDOW = 15, GZIP_ONLY = 16 };

struct gzip {
	z_stream z;
	int status;
};

static bool gzip_begins(const uint8_t *data, size_t len)
{
	return len >= 3 && memcmp(data, "\x1f\x8b\x08", 3) == 0;
}

static void *gzip_open(void)
{
	struct gzip *gzip = mem_alloc(sizeof *gzip);
	if (inflateInit2(&gzip->z, WINDOW + GZIP_ONLY) == Z_OK)
		return gzip;
	free(gzip);
	return NULL;
}

static uInt gzip_length(size_t len)
{
	return len < UINT_MAX ? (uInt)len : UINT_MAX;
}

static enum decoded gzip_step(void *stream, struct decoder_piece *piece)
{
	struct gzip *gzip = stream;
	z_stream *z = &gzip->z;
	uInt in = z->avail_in = gzip_length(piece->in_len);
	uInt out = z->avail_out = gzip_length(piece->out_len);
	z->next_in = (z_const Bytef *)(uintptr_t)piece->in;
	z->next_out = piece->out;
	gzip->status = inflate(z, Z_NO_FLUSH);
	piece->in += in - z->avail_in;
	piece->in_len -= in - z->avail_in;
	piece->out += out - z->avail_out;
	piece->out_len -= out - z->avail_out;
	if (gzip->status == Z_STREAM_END) {
		inflateReset(z);
		return DECODED_END;
	}
	return gzip->status == Z_OK || gzip->status == Z_BUF_ERROR ? DECODED_SOME : DECODED_BROKEN;
}

static const char *gzip_complaint(const void *stream)
{
	const struct gzip *gzip = stream;
	return gzip->z.msg ? gzip->z.msg : zError(gzip->status);
}

static void gzip_close(void *stream)
{
	struct gzip *gzip = stream;
	inflateEnd(&gzip->z);
	free(gzip);
}

const struct decoder decoder_gzip = {
	"gzip", "zlib", gzip_begins, gzip_open, gzip_step, gzip_complaint, gzip_close,
};
