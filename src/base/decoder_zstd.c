/* zstd, by libzstd. */
#include "base/decoder.h"

#include "base/mem.h"

#include <stdlib.h>
#include <zstd.h>

struct zstd {
	ZSTD_DStream *z;
	size_t status; /* an error, or how much it wants to read next */
};

/* A frame, or one to be skipped, as some tools put in front of each and at the end. */
static bool zstd_begins(const uint8_t *data, size_t len)
{
	if (len < 4)
		return false;
	uint32_t magic = data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 |
	                 (uint32_t)data[3] << 24;
	return magic == ZSTD_MAGICNUMBER ||
	       (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

static void zstd_close(void *stream)
{
	struct zstd *zstd = stream;
	ZSTD_freeDStream(zstd->z);
	free(zstd);
}

static void *zstd_open(void)
{
	struct zstd *zstd = mem_alloc(sizeof *zstd);
	zstd->z = ZSTD_createDStream();
	if (zstd->z && !ZSTD_isError(zstd->status = ZSTD_initDStream(zstd->z)))
		return zstd;
	zstd_close(zstd);
	return NULL;
}

/* An error takes back what the same call has decoded: no call gets more than the library asks for,
   which is never more than one block. */
static enum decoded zstd_step(void *stream, struct decoder_piece *piece)
{
	struct zstd *zstd = stream;
	size_t wanted = zstd->status < piece->in_len ? zstd->status : piece->in_len;
	ZSTD_inBuffer in = {piece->in, wanted, 0};
	ZSTD_outBuffer out = {piece->out, piece->out_len, 0};
	zstd->status = ZSTD_decompressStream(zstd->z, &out, &in);
	piece->in += in.pos;
	piece->in_len -= in.pos;
	piece->out += out.pos;
	piece->out_len -= out.pos;
	if (ZSTD_isError(zstd->status))
		return DECODED_BROKEN;
	if (zstd->status > 0)
		return DECODED_SOME;
	zstd->status = ZSTD_initDStream(zstd->z);
	return DECODED_END;
}

static const char *zstd_complaint(const void *stream)
{
	const struct zstd *zstd = stream;
	return ZSTD_getErrorName(zstd->status);
}

const struct decoder decoder_zstd = {
	"zstd", "libzstd", zstd_begins, zstd_open, zstd_step, zstd_complaint, zstd_close,
};
