/* zstd, by libzstd. */
#include "base/decoder.h"

#include "base/mem.h"

#include <stdlib.h>
#include <zstd.h>

struct zstd {
	ZSTD_DStream *z;
	size_t status; /* an error, or how much it wants to read next */
	bool full;     /* there was no room left: it may still hold some of what it has decoded */
};

enum { BLOCK_HEADER = 3 };

/* A frame, or one to be skipped, as some tools put in front of each and at the end. */
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

/* An error takes back what the same call has given. So a call gets no more than one block, without
   the header of the next, for which the library asks as well; and nothing while it has something
   left from the call before. */
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
