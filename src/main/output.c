#include "main/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

static int failure; /* errno of the first write that failed */

static void output_write_all(struct buf *out)
{
	size_t done = 0;
	while (done < out->len && !failure) {
		ssize_t written = write(STDOUT_FILENO, out->data + done, out->len - done);
		if (written >= 0)
			done += (size_t)written;
		else if (errno != EINTR)
			failure = errno;
	}
	buf_clear(out);
}

bool output_some(struct buf *out)
{
	if (out->len >= PIECE)
		output_write_all(out);
	return !failure;
}

enum status output_end(struct buf *out, enum status status)
{
	output_write_all(out);
	buf_free(out);
	if (!failure)
		return status;
	struct err err = {0};
	err_set(&err, "The output cannot be written: %s", strerror(failure));
	return failure == EPIPE ? STATUS_FAILED : complain(NULL, &err);
}

enum status output_none(enum output output, const char *none, const struct err *err)
{
	struct buf out = {0};
	enum status status = complain(NULL, err);
	if (status == STATUS_NONE && output == OUTPUT_JSON)
		buf_addf(&out, "%s\n", none);
	return output_end(&out, status);
}
