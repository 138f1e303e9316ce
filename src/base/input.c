#include "base/input.h"

#include "base/mem.h"
#include "base/rescue.h"
#include "base/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode)
{
	static const struct { mode_t mode; const char *name; } kinds[] = {
		{S_IFDIR, "a directory"}, {S_IFCHR, "a device"}, {S_IFBLK, "a device"},
		{S_IFIFO, "a pipe"}, {S_IFSOCK, "a socket"},
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if ((mode & S_IFMT) == kinds[i].mode)
			return kinds[i].name;
	return "no regular file";
}

/* The descriptor of a regular file that is not empty, or -1. O_NONBLOCK: a pipe without a writer
   must not hold us up. */
static int open_regular(const char *path, struct err *err)
{
	struct stat info;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0) {
		err_set(err, "Cannot open %s: %s", path, strerror(errno));
		return -1;
	}
	if (fstat(fd, &info) != 0)
		err_set(err, "Cannot read %s: %s", path, strerror(errno));
	else if (!S_ISREG(info.st_mode))
		err_set(err, "%s is %s, not a heap dump; give the file that was written", path,
		        kind_of(info.st_mode));
	else if (info.st_size == 0)
		err_at(err, 0, "The file is empty: nothing was written into it");
	else
		return fd;
	close(fd);
	return -1;
}

static bool map(struct input *input, struct err *err)
{
	struct stat info;
	if (fstat(input->fd, &info) != 0)
		return err_set(err, "Cannot read %s: %s", input->path, strerror(errno));
	if (info.st_size == 0)
		return err_at(err, 0, "The file has no content once it is unpacked");
	input->size = (size_t)info.st_size;
	void *data = mmap(NULL, input->size, PROT_READ, MAP_PRIVATE, input->fd, 0);
	if (data == MAP_FAILED)
		return err_set(err, "Cannot map %s into memory: %s", input->path, strerror(errno));
	input->data = data;
	if (!rescue_add(data, input->size))
		return err_set(err, "Too many files are open at the same time");
	return true;
}

bool input_open(struct input *input, const char *path, struct progress *progress, struct err *err)
{
	*input = (struct input){.path = mem_strdup(path)};
	input->fd = open_regular(path, err);
	if (input->fd < 0)
		return input_close(input), false;
	input->filter = unpack_filter(input->fd);
	if (input->filter) {
		int unpacked = unpack(input->fd, path, progress, err);
		close(input->fd);
		input->fd = unpacked;
	}
	if (input->fd < 0 || !map(input, err))
		return input_close(input), false;
	return true;
}

void input_close(struct input *input)
{
	if (input->data) {
		rescue_remove(input->data);
		munmap((void *)(uintptr_t)input->data, input->size);
	}
	if (input->fd >= 0)
		close(input->fd);
	free(input->path);
	*input = (struct input){.fd = -1};
}

/* The last page of a shortened file reads as zero without any signal, hence the second look. */
uint64_t input_shrunk(const struct input *input)
{
	struct stat info;
	uint64_t lost = rescue_lost(input->data);
	if (fstat(input->fd, &info) == 0 && (uint64_t)info.st_size < input->size &&
	    (uint64_t)info.st_size < lost)
		lost = (uint64_t)info.st_size;
	return lost;
}

/* Whole pages only. A part that a shortened file has lost would come back as a fault, not as zeros:
   it stays. */
void input_forget(const struct input *input, uint64_t from, uint64_t to)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	from = (from + page - 1) / page * page;
	to = to / page * page;
	if (input->fd >= 0 && from < to && rescue_lost(input->data) == UINT64_MAX)
		madvise((void *)(uintptr_t)(input->data + from), (size_t)(to - from), MADV_DONTNEED);
}

bool input_rescue(const void *address)
{
	return rescue(address);
}
