/* gzip compression with zlib. */
#include "base/encoder.h"

#include "base/mem.h"

#include <stdlib.h>
#include <zlib.h>

/* A heap is mostly zeros and addresses: higher levels take much longer and gain little. */
enum { LEVEL = 3, WINDOW = 15, GZIP_FORM = 16, MEMORY_LEVEL = 8 };

static void *deflate_open(void)
{
	z_stream *z = mem_alloc(sizeof *z);
	*z = (z_stream){0};
	if (deflateInit2(z, LEVEL, Z_DEFLATED, WINDOW + GZIP_FORM, MEMORY_LEVEL, Z_DEFAULT_STRATEGY)
	    == Z_OK)
		return z;
	free(z);
	return NULL;
}

static enum encoded deflate_step(void *stream, struct encoder_piece *piece, bool last)
{
	z_stream *z = stream;
	z->next_in = (z_const Bytef *)(uintptr_t)piece->in;
	z->avail_in = (uInt)piece->in_len;
	z->next_out = piece->out;
	z->avail_out = (uInt)piece->out_len;
	int status = deflate(z, last ? Z_FINISH : Z_NO_FLUSH);
	piece->in = z->next_in;
	piece->in_len = z->avail_in;
	piece->out = z->next_out;
	piece->out_len = z->avail_out;
	if (status == Z_STREAM_END)
		return ENCODED_END;
	return status == Z_OK || status == Z_BUF_ERROR ? ENCODED_SOME : ENCODED_BROKEN;
}

static void deflate_close(void *stream)
{
	deflateEnd(stream);
	free(stream);
}

const struct encoder encoder_gzip = {".gz", "zlib", deflate_open, deflate_step, deflate_close};
