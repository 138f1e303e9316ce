#include "main/filled_file.h"

#include "base/temporary.h"
#include "main/whole_file.h"

#include <errno.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_BYTES = 1 << 30 }; /* bytes per call */

bool filled_file_is_printed(const struct filled_file *file)
{
	return strcmp(file->path, "-") == 0;
}

bool filled_file_copy(int from, int to)
{
	ssize_t done;
	while ((done = sendfile(to, from, NULL, COPY_BYTES)) > 0)
		;
	return done == 0;
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

/* Prints to the standard output through a temporary file, because the output may not support
   seeking. */
static bool fill_printed(struct filled_file *file, struct err *err)
{
	if (file->pack != PACK_NOT)
		return fill_packed(file, STDOUT_FILENO, err);
	int fd = temporary_open(err);
	bool done = fd >= 0 && file->fill(file->self, fd, err);
	if (done && (lseek(fd, 0, SEEK_SET) != 0 || !filled_file_copy(fd, STDOUT_FILENO)))
		done = err_set(err, "The standard output cannot be written: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return done;
}

bool filled_file_write(struct filled_file *file, struct err *err)
{
	if (filled_file_is_printed(file))
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
