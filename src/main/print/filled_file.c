#include "main/print/filled_file.h"

#include "base/temporary.h"
#include "main/print/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_BYTES = 1 << 30 }; /* bytes per call */

bool filled_file_is_printed(const char *path)
{
	return strcmp(path, "-") == 0 || whole_file_is_other(path);
}

bool filled_file_is_terminal(const char *path)
{
	struct stat info;
	if (strcmp(path, "-") == 0)
		return isatty(STDOUT_FILENO);
	bool device = stat(path, &info) == 0 && S_ISCHR(info.st_mode);
	int fd = device ? open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY) : -1;
	bool terminal = fd >= 0 && isatty(fd);
	if (fd >= 0)
		close(fd);
	return terminal;
}

/* For devices that sendfile() does not know. */
static ssize_t copy_part(int from, int to)
{
	char bytes[1 << 16];
	ssize_t got = read(from, bytes, sizeof bytes), put = 0;
	for (ssize_t at = 0; at < got && put >= 0; at += put)
		put = write(to, bytes + at, (size_t)(got - at));
	return put < 0 ? put : got;
}

bool filled_file_copy(int from, int to)
{
	ssize_t done;
	while ((done = sendfile(to, from, NULL, COPY_BYTES)) > 0)
		;
	if (done < 0 && errno == EINVAL)
		while ((done = copy_part(from, to)) > 0)
			;
	return done == 0;
}

/* Returns false with *err, from errno. */
static bool filled_file_failed(const char *path, struct err *err)
{
	return err_set(err, "%.200s cannot be written: %s",
	               strcmp(path, "-") == 0 ? "The standard output" : path, strerror(errno));
}

/* Fills an unnamed file first, so that a process can continue before the slow compression. */
static bool fill_packed(struct filled_file *file, int to, struct err *err)
{
	struct err why = {0};
	struct stat info;
	int fd = temporary_open(err);
	bool done = fd >= 0 && file->fill(file->self, fd, err);
	if (done && (!pack_file(fd, to, file->pack, &why) || fstat(to, &info) != 0))
		done = err_set(err, "%.200s cannot be written: %s", file->path,
		               why.set ? why.text : strerror(errno));
	if (done)
		file->packed = (uint64_t)info.st_size;
	if (fd >= 0)
		close(fd);
	return done;
}

/* Fills a temporary file, and prints that: the output may not support seeking. */
static bool fill_through(struct filled_file *file, int to, struct err *err)
{
	if (file->pack != PACK_NOT)
		return fill_packed(file, to, err);
	int fd = temporary_open(err);
	bool done = fd >= 0 && file->fill(file->self, fd, err);
	if (done && (lseek(fd, 0, SEEK_SET) != 0 || !filled_file_copy(fd, to)))
		done = filled_file_failed(file->path, err);
	if (fd >= 0)
		close(fd);
	return done;
}

int filled_file_print(const char *path, struct err *err)
{
	int to = strcmp(path, "-") == 0 ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (to < 0)
		filled_file_failed(path, err);
	return to;
}

bool filled_file_printed(const char *path, int fd, bool done, struct err *err)
{
	bool closed = fd == STDOUT_FILENO || close(fd) == 0;
	return done && (closed || filled_file_failed(path, err));
}

static bool fill_printed(struct filled_file *file, struct err *err)
{
	int to = filled_file_print(file->path, err);
	return to >= 0 && filled_file_printed(file->path, to, fill_through(file, to, err), err);
}

bool filled_file_write(struct filled_file *file, struct err *err)
{
	if (filled_file_is_printed(file->path))
		return fill_printed(file, err);
	int fd = whole_file_open(file->path, err);
	bool done = fd >= 0;
	if (done)
		done = file->pack != PACK_NOT ? fill_packed(file, fd, err)
		                              : file->fill(file->self, fd, err);
	if (done && !whole_file_name(fd, file->path))
		done = err_set(err, "%.200s cannot be written: %s", file->path, strerror(errno));
	if (fd >= 0 && !whole_file_close(fd) && done)
		done = err_set(err, "%.200s cannot be written: %s", file->path, strerror(errno));
	return done;
}
