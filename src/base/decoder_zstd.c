/* zstd decompression with libzstd. */
#include "base/decoder.h"

#include "base/mem.h"

#include <stdlib.h>
#include <zstd.h>

struct zstd {
	ZSTD_DStream *z;
	size_t status; /* an error, or the bytes that the library requests next */
	bool full;     /* the output was full: the library may still hold decoded bytes */
};

enum { BLOCK_HEADER = 3 };

/* Accepts a frame or a skippable frame; some tools write skippable frames before each frame and at
   the end. */
static bool zstd_begins(const uint8_t *data, size_t len)
{
	if (len < 4)
		return false;
	uint32_t magic = data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16
	                 | (uint32_t)data[3] << 24;
	return magic == ZSTD_MAGICNUMBER
	       || (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
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

static void zstd_feed(struct zstd *zstd, size_t len, struct decoder_piece *piece)
{
	ZSTD_inBuffer in = {piece->in, len, 0};
	ZSTD_outBuffer out = {piece->out, piece->out_len, 0};
	zstd->status = ZSTD_decompressStream(zstd->z, &out, &in);
	piece->in += in.pos;
	piece->in_len -= in.pos;
	piece->out += out.pos;
	piece->out_len -= out.pos;
	zstd->full = piece->out_len == 0;
}

/* On an error the library discards the output of the same call. So a call gets at most one block,
   without the header of the next block, which the library requests together with it; and no input
   while output of the previous call is pending. */
static enum decoded zstd_step(void *stream, struct decoder_piece *piece)
{
	struct zstd *zstd = stream;
	size_t room = piece->out_len, wanted = zstd->status;
	if (zstd->full)
		zstd_feed(zstd, 0, piece);
	if (room == piece->out_len) {
		wanted -= wanted > BLOCK_HEADER ? BLOCK_HEADER : 0;
		zstd_feed(zstd, wanted < piece->in_len ? wanted : piece->in_len, piece);
	}
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
