#include "main/print/output.h"

#include "base/text.h"
#include "main/print/bounded.h"
#include "main/print/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

/* The standard output, or the file that is written instead of it: one at a time. */
static struct written {
	int failure; /* errno of the first failed write */
	int target;
	char *name;              /* final name of the output file; NULL: no file */
	bool fresh;              /* there must be no file of that name */
	struct buf temporary;    /* name of the file until it is complete */
	const atomic_bool *stop; /* NULL: output is not watched */
	struct bounded bound;    /* of the standard output */
	bool bound_rows;         /* its lines are rows */
	size_t bound_skipped;
	bool quoted;
} written = {.target = STDOUT_FILENO};

void output_is_quoted(void)
{
	written.quoted = true;
}

bool output_for_agent(void)
{
	return written.quoted;
}

void output_bound(const struct options *options, bool rows)
{
	written.bound = (struct bounded){.most = options->max_bytes,
	                                 .skip = rows ? 0 : options->skip,
	                                 .output = options->output,
	                                 .quoted = written.quoted};
	written.bound_rows = rows;
	written.bound_skipped = options->skip;
}

void output_watch(const atomic_bool *stopped)
{
	written.stop = stopped;
}

static bool output_goes_on(void)
{
	return !written.failure && !(written.stop && *written.stop);
}

/* Replaces what is to be written by what of it is within the bounds. */
static void output_keep_bounds(struct buf *out, bool ends)
{
	struct buf kept = {0}, told = {0};
	if (written.target != STDOUT_FILENO
	    || !(written.bound.most || written.bound.skip || written.bound.lines))
		return;
	bounded_add(&written.bound, buf_text(out), out->len, &kept);
	if (ends) {
		bounded_end(&written.bound, &kept);
		bounded_tell(&written.bound, written.bound_rows, written.bound_skipped, &told);
	}
	if (told.len)
		err_tell_text(buf_text(&told), NULL);
	buf_free(&told);
	buf_free(out);
	*out = kept;
}

static void output_write_all(struct buf *out, bool ends)
{
	size_t done = 0;
	output_keep_bounds(out, ends);
	while (done < out->len && output_goes_on()) {
		ssize_t wrote = write(written.target, out->data + done, out->len - done);
		if (wrote >= 0)
			done += (size_t)wrote;
		else if (errno != EINTR)
			written.failure = errno;
	}
	buf_clear(out);
}

bool output_some(struct buf *out)
{
	if (out->len >= PIECE)
		output_write_all(out, false);
	return output_goes_on();
}

bool output_part(struct buf *out)
{
	output_write_all(out, false);
	buf_free(out);
	return output_goes_on();
}

static void output_forget(void)
{
	free(written.name);
	written.name = NULL;
	buf_free(&written.temporary);
}

static void output_interrupted(int number)
{
	if (written.name)
		unlink(written.temporary.data);
	end_signals_default(number);
}

/* Opens a temporary file in the directory of the final file, after resolving symbolic links. */
static int output_open(const char *path)
{
	written.name = realpath(path, NULL);
	if (!written.name)
		written.name = strdup(path);
	if (!written.name)
		return -1;
	buf_addf(&written.temporary, "%s.XXXXXX", written.name);
	end_signals_hold(true);
	int fd = mkostemp(written.temporary.data, O_CLOEXEC);
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

static bool output_begin_file(const char *path, struct err *err)
{
	struct stat info;
	written.failure = 0;
	bool other = stat(path, &info) == 0 && !S_ISREG(info.st_mode);
	written.target = other ? open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY) : output_open(path);
	if (written.target >= 0)
		return true;
	written.target = STDOUT_FILENO;
	err_set(err, "The file %.200s cannot be written: %s", path, strerror(errno));
	output_forget();
	return false;
}

bool output_begin(const char *path, struct err *err)
{
	written.fresh = false;
	return !path || strcmp(path, "-") == 0 || output_begin_file(path, err);
}

bool output_is_new(const char *path, struct err *err)
{
	SCOPED_BUF visible = {0};
	struct stat info;
	text_add_escaped(&visible, path, strlen(path), 200);
	return lstat(path, &info) != 0
	       || err_set(err, "%s is there already: give another name", buf_text(&visible));
}

bool output_begin_new(const char *path, struct err *err)
{
	written.fresh = output_is_new(path, err) && output_begin_file(path, err);
	return written.fresh;
}

const char *output_path(void)
{
	return written.name ? buf_text(&written.temporary) : NULL;
}

void output_drop(void)
{
	if (!written.name)
		return;
	if (written.target != STDOUT_FILENO)
		close(written.target);
	written.target = STDOUT_FILENO;
	end_signals_hold(true);
	unlink(written.temporary.data);
	output_forget();
	end_signals_hold(false);
}

/* Gives the complete file its final name. A link never replaces a file, but not every file system
   has links. */
static bool output_name(void)
{
	struct stat info;
	if (!written.fresh)
		return rename(written.temporary.data, written.name) == 0;
	if (link(written.temporary.data, written.name) == 0)
		return unlink(written.temporary.data) == 0;
	if (errno != EEXIST && lstat(written.name, &info) != 0)
		return rename(written.temporary.data, written.name) == 0;
	errno = EEXIST;
	return false;
}

static void output_close(void)
{
	if (written.failure || written.target == STDOUT_FILENO)
		return;
	end_signals_hold(true);
	if (close(written.target) != 0 || (written.name && !output_name()))
		written.failure = errno;
	else
		output_forget();
	written.target = STDOUT_FILENO;
	end_signals_hold(false);
}

bool output_finish(struct buf *out, struct err *err)
{
	output_write_all(out, true);
	buf_free(out);
	output_close();
	if (written.failure)
		output_drop();
	return !written.failure
	       || err_set(err, "The output cannot be written: %s", strerror(written.failure));
}

enum status output_end(struct buf *out, enum status status)
{
	struct err err = {0};
	if (output_finish(out, &err))
		return status;
	return written.failure == EPIPE ? STATUS_FAILED : complain(NULL, &err);
}

enum status output_none(enum output output, const char *none, const struct err *err)
{
	struct buf out = {0};
	enum status status = complain(NULL, err);
	if (status == STATUS_NONE && output == OUTPUT_JSON)
		buf_addf(&out, "%s\n", none);
	return output_end(&out, status);
}
