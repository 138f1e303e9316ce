#include "base/unpack.h"

#include "base/decoder.h"
#include "base/mem.h"
#include "base/temporary.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	HEAD = 10, /* bytes that identify an archive */
	IN = 1 << 18,
	BLOCK = 1 << 20,       /* write unit; the first block identifies the content */
	TIMES = 100,           /* limit as a multiple of the archive's size, */
	LEAST_LIMIT = 1 << 30, /* but at least this much */
};

static const struct decoder *const decoders[] = {&decoder_gzip, &decoder_zstd, &decoder_xz,
                                                 &decoder_bzip2, &decoder_lz4};

/* State of unpacking one archive. */
struct unpacking {
	const struct decoder *decoder;
	void *stream;
	int from, to;
	uint8_t *in, *out;          /* IN and BLOCK bytes */
	struct decoder_piece piece; /* remaining input, and free output */
	uint64_t read, written, size, limit;
	const struct unpack_options *options;
	struct buf *damage;
};

static const struct decoder *decoder_for(const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++)
		if (decoders[i]->begins(data, len))
			return decoders[i];
	return NULL;
}

/* Returns the number of bytes read, fewer than `len` only at the end of the file, or -1 with
 *err. */
static ssize_t read_some(int fd, uint8_t *bytes, size_t len, uint64_t offset, struct err *err)
{
	size_t done = 0;
	while (done < len) {
		ssize_t count = pread(fd, bytes + done, len - done, (off_t)(offset + done));
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return err_at(err, offset + done, "The file cannot be read: %s", strerror(errno)), -1;
		if (count == 0)
			break;
		done += (size_t)count;
	}
	return (ssize_t)done;
}

bool unpack_filter(int fd, const char **name, struct err *err)
{
	uint8_t head[HEAD];
	ssize_t len = read_some(fd, head, sizeof head, 0, err);
	const struct decoder *decoder = len < 0 ? NULL : decoder_for(head, (size_t)len);
	*name = decoder ? decoder->name : NULL;
	return len >= 0;
}

static bool within_limit(const struct unpacking *u, size_t len, struct err *err)
{
	if (u->written + len <= u->limit)
		return true;
	SCOPED_BUF text = {0};
	text_add_size(&text, u->limit);
	return err_set(err,
	               "It unpacks to more than %s; if that is right, say how much it may be, such as "
	               "--max-unpacked 20G",
	               buf_text(&text));
}

/* Writes the decoded bytes. */
static bool flush(struct unpacking *u, struct err *err)
{
	size_t len = BLOCK - u->piece.out_len;
	if (u->written == 0 && len && u->options->known
	    && !u->options->known(u->options->self, u->out, len, err))
		return false;
	if (!within_limit(u, len, err) || !temporary_add(u->to, u->out, len, err))
		return false;
	u->written += len;
	u->piece.out = u->out;
	u->piece.out_len = BLOCK;
	return true;
}

/* Makes at least HEAD bytes of input available, unless the file ends. */
static bool refill(struct unpacking *u, struct err *err)
{
	size_t left = u->piece.in_len;
	if (left >= HEAD)
		return true;
	memmove(u->in, u->piece.in, left);
	ssize_t len = read_some(u->from, u->in + left, IN - left, u->read, err);
	if (len < 0)
		return false;
	u->read += (size_t)len;
	u->piece.in = u->in;
	u->piece.in_len = left + (size_t)len;
	return true;
}

static void tell_damage(struct unpacking *u, const char *how, const char *why)
{
	buf_addf(u->damage, "%sThe %s archive %s after the first %s bytes that it holds: %s",
	         u->damage->len ? ". " : "", u->decoder->name, how,
	         text_count(u->written + BLOCK - u->piece.out_len).text, why);
}

/* Handles data after the last member. Zeros are padding and are ignored. */
static bool skip_rest(struct unpacking *u, struct err *err)
{
	bool zeros = true;
	while (zeros && u->piece.in_len) {
		for (size_t i = 0; zeros && i < u->piece.in_len; i++)
			zeros = u->piece.in[i] == 0;
		u->piece.in_len = 0;
		if (!refill(u, err))
			return false;
	}
	if (!zeros)
		tell_damage(u, "ends", "what follows is no archive and was left out");
	return true;
}

static bool unpack_take_step(struct unpacking *u, bool *more, struct err *err)
{
	struct decoder_piece before = u->piece;
	errno = 0;
	enum decoded decoded = u->decoder->step(u->stream, &u->piece);
	if (decoded == DECODED_BROKEN)
		mem_check_errno(); /* out of memory is no damage of the archive */
	bool moved = before.in_len != u->piece.in_len || before.out_len != u->piece.out_len;
	*more = decoded != DECODED_BROKEN;
	if (decoded == DECODED_END) {
		if (!refill(u, err))
			return false;
		*more = u->decoder->begins(u->piece.in, u->piece.in_len);
		return *more || skip_rest(u, err);
	}
	if (decoded == DECODED_UNVERIFIED) {
		tell_damage(u, "cannot be verified", "its sums are of a kind that is not known");
	} else if (decoded == DECODED_SOME && !moved && !u->piece.in_len) {
		tell_damage(u, "is cut", "its end is missing");
		*more = false;
	} else if (decoded == DECODED_BROKEN || !moved) {
		SCOPED_BUF why = {0};
		buf_addf(&why, "%s says \"%s\"", u->decoder->library, u->decoder->complaint(u->stream));
		tell_damage(u, "is damaged", buf_text(&why));
		*more = false;
	}
	return true;
}

static bool unpack_all(struct unpacking *u, struct progress *progress, struct err *err)
{
	for (bool more = true; more;) {
		if (!refill(u, err) || !unpack_take_step(u, &more, err))
			return false;
		if (u->piece.out_len)
			continue;
		if (!flush(u, err))
			return false;
		if (!progress_step(progress, u->read))
			return err_set(err, "Cancelled while it was unpacked");
	}
	if (u->damage->len && u->written + BLOCK == u->piece.out_len)
		return err_set(err, "%s", buf_text(u->damage));
	return flush(u, err);
}

static bool unpack_begin(struct unpacking *u, struct err *err)
{
	struct stat info;
	uint8_t head[HEAD];
	ssize_t len = read_some(u->from, head, sizeof head, 0, err);
	if (len < 0 || fstat(u->from, &info) != 0)
		return err_set(err, "The file cannot be read: %s", strerror(errno));
	u->size = (uint64_t)info.st_size;
	u->limit = u->size > LEAST_LIMIT / TIMES ? TIMES * u->size : LEAST_LIMIT;
	if (u->options->limit)
		u->limit = u->options->limit;
	u->decoder = decoder_for(head, (size_t)len);
	if (!u->decoder)
		return err_set(err, "The file was changed while it was opened");
	u->stream = u->decoder->open();
	if (!u->stream)
		return err_set(err, "%s has not enough memory", u->decoder->library);
	u->to = temporary_open(err);
	return u->to >= 0;
}

int unpack(int fd, const struct unpack_options *options, struct progress *progress,
           struct buf *damage, struct err *err)
{
	struct unpacking u = {
		.from = fd,
		.to = -1,
		.options = options,
		.damage = damage,
		.in = mem_alloc(IN),
		.out = mem_alloc(BLOCK),
	};
	u.piece = (struct decoder_piece){u.in, 0, u.out, BLOCK};
	bool done = unpack_begin(&u, err);
	progress_begin(progress, "unpacking", u.size);
	done = done && unpack_all(&u, progress, err);
	if (!done && u.to >= 0) {
		close(u.to);
		u.to = -1;
	}
	if (u.stream)
		u.decoder->close(u.stream);
	free(u.in);
	free(u.out);
	return u.to;
}
