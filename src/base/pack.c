#include "base/pack.h"

#include "base/encoder.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 18 };

static const struct encoder *const encoders[] = {
	[PACK_GZIP] = &encoder_gzip,
	[PACK_ZSTD] = &encoder_zstd,
};

const char *pack_suffix(enum pack_kind kind)
{
	return kind == PACK_NOT ? "" : encoders[kind]->suffix;
}

enum pack_kind pack_of(const char *path)
{
	size_t length = strlen(path);
	for (enum pack_kind kind = PACK_GZIP; kind < sizeof encoders / sizeof *encoders; kind++) {
		size_t end = strlen(encoders[kind]->suffix);
		if (length > end && strcmp(path + length - end, encoders[kind]->suffix) == 0)
			return kind;
	}
	return PACK_NOT;
}

/* State of compressing one file. */
struct packing {
	const struct encoder *encoder;
	void *stream;
	int from, to;
	uint8_t *in, *out; /* PIECE bytes each */
	struct encoder_piece piece;
	uint64_t read;
	bool last; /* the end of the input was read */
};

static bool pack_refill(struct packing *p, struct err *err)
{
	if (p->piece.in_len || p->last)
		return true;
	ssize_t got;
	do
		got = pread(p->from, p->in, PIECE, (off_t)p->read);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return err_set(err, "%s", strerror(errno));
	p->last = got == 0;
	p->read += (uint64_t)got;
	p->piece.in = p->in;
	p->piece.in_len = (size_t)got;
	return true;
}

static bool pack_flush(struct packing *p, struct err *err)
{
	size_t len = PIECE - p->piece.out_len;
	for (size_t done = 0; done < len;) {
		ssize_t wrote = write(p->to, p->out + done, len - done);
		if (wrote < 0 && errno != EINTR)
			return err_set(err, "%s", strerror(errno));
		done += wrote > 0 ? (size_t)wrote : 0;
	}
	p->piece.out = p->out;
	p->piece.out_len = PIECE;
	return true;
}

static bool pack_all(struct packing *p, struct err *err)
{
	for (enum encoded encoded = ENCODED_SOME; encoded != ENCODED_END;) {
		if (!pack_refill(p, err))
			return false;
		encoded = p->encoder->step(p->stream, &p->piece, p->last);
		if (encoded == ENCODED_BROKEN)
			return err_set(err, "%s cannot compress it", p->encoder->library);
		if (!pack_flush(p, err))
			return false;
	}
	return true;
}

bool pack_file(int from, int to, enum pack_kind kind, struct err *err)
{
	struct packing p = {
		.encoder = encoders[kind],
		.stream = encoders[kind]->open(),
		.from = from,
		.to = to,
		.in = mem_alloc(PIECE),
		.out = mem_alloc(PIECE),
	};
	p.piece = (struct encoder_piece){p.in, 0, p.out, PIECE};
	bool done = p.stream ? pack_all(&p, err)
	                     : err_set(err, "%s has not enough memory", p.encoder->library);
	if (p.stream)
		p.encoder->close(p.stream);
	free(p.in);
	free(p.out);
	return done;
}
