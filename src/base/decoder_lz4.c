/* lz4 frame decompression with liblz4. */
#include "base/decoder.h"

#include "base/mem.h"

#include <lz4frame.h>
#include <stdlib.h>
#include <string.h>

struct lz4 {
	LZ4F_dctx *z;
	size_t status; /* result of the last step: bytes that the next step requests, or an error */
};

static bool lz4_begins(const uint8_t *data, size_t len)
{
	return len >= 4 && memcmp(data, "\x04\x22\x4d\x18", 4) == 0;
}

static void lz4_close(void *stream)
{
	struct lz4 *lz4 = stream;
	LZ4F_freeDecompressionContext(lz4->z);
	free(lz4);
}

static void *lz4_open(void)
{
	struct lz4 *lz4 = mem_alloc(sizeof *lz4);
	if (!LZ4F_isError(LZ4F_createDecompressionContext(&lz4->z, LZ4F_VERSION)))
		return lz4;
	free(lz4);
	return NULL;
}

static enum decoded lz4_step(void *stream, struct decoder_piece *piece)
{
	struct lz4 *lz4 = stream;
	/* Feed no more than the requested bytes: on an error a step discards everything it has
	   decoded. */
	size_t wanted = lz4->status ? lz4->status : LZ4F_HEADER_SIZE_MIN;
	size_t in = wanted < piece->in_len ? wanted : piece->in_len, out = piece->out_len;
	lz4->status = LZ4F_decompress(lz4->z, piece->out, &out, piece->in, &in, NULL);
	if (LZ4F_isError(lz4->status)) {
		LZ4F_resetDecompressionContext(lz4->z);
		return DECODED_BROKEN;
	}
	piece->in += in;
	piece->in_len -= in;
	piece->out += out;
	piece->out_len -= out;
	return lz4->status == 0 ? DECODED_END : DECODED_SOME;
}

static const char *lz4_complaint(const void *stream)
{
	const struct lz4 *lz4 = stream;
	return LZ4F_getErrorName(lz4->status);
}

const struct decoder decoder_lz4 = {
	"lz4", "liblz4", lz4_begins, lz4_open, lz4_step, lz4_complaint, lz4_close,
};
