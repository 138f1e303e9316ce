/* zstd compression with libzstd. */
#include "base/encoder.h"

#include <zstd.h>

enum { LEVEL = 3 };

static void *compress_open(void)
{
	ZSTD_CStream *z = ZSTD_createCStream();
	if (z && !ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, LEVEL))
	    && !ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1)))
		return z;
	ZSTD_freeCStream(z);
	return NULL;
}

static enum encoded compress_step(void *stream, struct encoder_piece *piece, bool last)
{
	ZSTD_inBuffer in = {piece->in, piece->in_len, 0};
	ZSTD_outBuffer out = {piece->out, piece->out_len, 0};
	size_t left = ZSTD_compressStream2(stream, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
	piece->in += in.pos;
	piece->in_len -= in.pos;
	piece->out += out.pos;
	piece->out_len -= out.pos;
	if (ZSTD_isError(left))
		return ENCODED_BROKEN;
	return last && left == 0 ? ENCODED_END : ENCODED_SOME;
}

static void compress_close(void *stream)
{
	ZSTD_freeCStream(stream);
}

const struct encoder encoder_zstd = {".zst", "libzstd", compress_open, compress_step,
                                     compress_close};
