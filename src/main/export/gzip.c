#include "main/export/gzip.h"

#include "base/encoder.h"
#include "base/mem.h"
#include "main/print/output.h"

#include <errno.h>

enum { PLAIN = 1 << 18, PACKED = 1 << 16 };

void gzip_begin(struct gzip *gzip, struct buf *out)
{
	*gzip = (struct gzip){.out = out};
	gzip->stream = encoder_gzip.open();
	if (gzip->stream)
		return;
	errno = ENOMEM;
	mem_check_errno();
}

static bool gzip_write(struct gzip *gzip, bool last)
{
	uint8_t packed[PACKED];
	struct encoder_piece piece = {.in = (const uint8_t *)buf_text(&gzip->plain),
	                              .in_len = gzip->plain.len};
	enum encoded encoded = ENCODED_SOME;
	bool ok = true;
	while (ok && (piece.in_len || (last && encoded == ENCODED_SOME))) {
		piece.out = packed;
		piece.out_len = sizeof packed;
		encoded = encoder_gzip.step(gzip->stream, &piece, last);
		buf_add_bytes(gzip->out, packed, sizeof packed - piece.out_len);
		ok = output_some(gzip->out) && encoded != ENCODED_BROKEN;
	}
	buf_clear(&gzip->plain);
	return ok;
}

bool gzip_some(struct gzip *gzip)
{
	return gzip->plain.len < PLAIN || gzip_write(gzip, false);
}

bool gzip_end(struct gzip *gzip)
{
	bool ok = gzip_write(gzip, true);
	encoder_gzip.close(gzip->stream);
	buf_free(&gzip->plain);
	return ok;
}
