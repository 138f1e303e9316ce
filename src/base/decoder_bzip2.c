/* bzip2 decompression with libbz2. */
#include "base/decoder.h"

#include "base/mem.h"

#include <bzlib.h>
#include <stdlib.h>
#include <string.h>

struct bzip2 {
	bz_stream z;
	int status;
};

/* Compares "BZh", the block size digit, and as many bytes as there are of the magic number of a
   block or, in an empty archive, of the end of the stream. */
static bool bzip2_begins(const uint8_t *data, size_t len)
{
	size_t rest = len < 10 ? len - 4 : 6;
	return len >= 6 && memcmp(data, "BZh", 3) == 0 && data[3] >= '1' && data[3] <= '9'
	       && (memcmp(data + 4, "\x31\x41\x59\x26\x53\x59", rest) == 0
	           || memcmp(data + 4, "\x17\x72\x45\x38\x50\x90", rest) == 0);
}

static void bzip2_close(void *stream)
{
	struct bzip2 *bzip2 = stream;
	BZ2_bzDecompressEnd(&bzip2->z);
	free(bzip2);
}

static void *bzip2_open(void)
{
	struct bzip2 *bzip2 = mem_alloc(sizeof *bzip2);
	if (BZ2_bzDecompressInit(&bzip2->z, 0, 0) == BZ_OK)
		return bzip2;
	free(bzip2);
	return NULL;
}

static enum decoded bzip2_step(void *stream, struct decoder_piece *piece)
{
	struct bzip2 *bzip2 = stream;
	unsigned in = piece->in_len < UINT32_MAX ? (unsigned)piece->in_len : UINT32_MAX;
	unsigned out = piece->out_len < UINT32_MAX ? (unsigned)piece->out_len : UINT32_MAX;
	bzip2->z.next_in = (char *)(uintptr_t)piece->in; /* the library only reads it */
	bzip2->z.avail_in = in;
	bzip2->z.next_out = (char *)piece->out;
	bzip2->z.avail_out = out;
	bzip2->status = BZ2_bzDecompress(&bzip2->z);
	piece->in += in - bzip2->z.avail_in;
	piece->in_len -= in - bzip2->z.avail_in;
	piece->out += out - bzip2->z.avail_out;
	piece->out_len -= out - bzip2->z.avail_out;
	if (bzip2->status == BZ_STREAM_END) {
		BZ2_bzDecompressEnd(&bzip2->z);
		memset(&bzip2->z, 0, sizeof bzip2->z);
		bzip2->status = BZ2_bzDecompressInit(&bzip2->z, 0, 0);
		return bzip2->status == BZ_OK ? DECODED_END : DECODED_BROKEN;
	}
	return bzip2->status == BZ_OK ? DECODED_SOME : DECODED_BROKEN;
}

static const char *bzip2_complaint(const void *stream)
{
	const struct bzip2 *bzip2 = stream;
	switch (bzip2->status) {
	case BZ_MEM_ERROR:
		return "not enough memory";
	case BZ_DATA_ERROR:
	case BZ_DATA_ERROR_MAGIC:
		return "data is corrupt, or its sum is wrong";
	default:
		return "internal error";
	}
}

const struct decoder decoder_bzip2 = {
	"bzip2", "libbz2", bzip2_begins, bzip2_open, bzip2_step, bzip2_complaint, bzip2_close,
};
