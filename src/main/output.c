#include "main/output.h"

#include "main/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

static int failure; /* errno of the first failed write */
static int target = STDOUT_FILENO;
static char *name;              /* final name of the output file; NULL: no file */
static struct buf temporary;    /* name of the file until it is complete */
static const atomic_bool *stop; /* NULL: output is not watched */

void output_watch(const atomic_bool *stopped)
{
	stop = stopped;
}

static bool output_goes_on(void)
{
	return !failure && !(stop && *stop);
}

static void output_write_all(struct buf *out)
{
	size_t done = 0;
	while (done < out->len && output_goes_on()) {
		ssize_t written = write(target, out->data + done, out->len - done);
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
	return output_goes_on();
}

static void output_forget(void)
{
	free(name);
	name = NULL;
	buf_free(&temporary);
}

static void output_interrupted(int number)
{
	if (name)
		unlink(temporary.data);
	end_signals_default(number);
}

/* Opens a temporary file in the directory of the final file, after resolving symbolic links. */
static int output_open(const char *path)
{
	name = realpath(path, NULL);
	if (!name)
		name = strdup(path);
	if (!name)
		return -1;
	buf_addf(&temporary, "%s.XXXXXX", name);
	end_signals_hold(true);
	int fd = mkostemp(temporary.data, O_CLOEXEC);
	if (fd >= 0)
		end_signals_handle(output_interrupted);
	end_signals_hold(false);
	return fd;
}

bool output_is_file(const char *path, const char *other)
{
	struct stat x, y;
	return path && stat(path, &x) == 0 && stat(other, &y) == 0 && x.st_dev == y.st_dev
	       && x.st_ino == y.st_ino;
}

bool output_begin(const char *path, struct err *err)
{
	struct stat info;
	if (!path || strcmp(path, "-") == 0)
		return true;
	bool other = stat(path, &info) == 0 && !S_ISREG(info.st_mode);
	target = other ? open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY) : output_open(path);
	if (target >= 0)
		return true;
	err_set(err, "The file %.200s cannot be written: %s", path, strerror(errno));
	output_forget();
	return false;
}

const char *output_path(void)
{
	return name ? buf_text(&temporary) : NULL;
}

void output_drop(void)
{
	if (!name)
		return;
	close(target);
	end_signals_hold(true);
	unlink(temporary.data);
	output_forget();
	end_signals_hold(false);
}

/* Renames the complete file to its final name. */
static void output_close(void)
{
	if (failure || target == STDOUT_FILENO)
		return;
	end_signals_hold(true);
	if (close(target) != 0 || (name && rename(temporary.data, name) != 0))
		failure = errno;
	else
		output_forget();
	end_signals_hold(false);
}

enum status output_end(struct buf *out, enum status status)
{
	output_write_all(out);
	buf_free(out);
	output_close();
	if (!failure)
		return status;
	output_drop();
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
