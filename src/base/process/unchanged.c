#include "unchanged.h"

#include "base/buf.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ = 1 << 16 };

void unchanged_add(struct unchanged *unchanged, const struct region *region, uint64_t address,
                   uint64_t size, uint64_t offset)
{
	struct unchanged_part part = {.address = region->start,
	                              .end = region->end,
	                              .inode = region->inode,
	                              .from = region->file_offset + (address - region->start),
	                              .size = size,
	                              .offset = offset,
	                              .path = mem_strdup(region->path)};
	MEM_PUSH(unchanged->part, unchanged->count, unchanged->capacity, part);
}

static int unchanged_open_below(pid_t pid, const char *folder, const char *path)
{
	SCOPED_BUF full = {0};
	buf_addf(&full, "/proc/%d/%s%s", (int)pid, folder, path);
	return open(buf_text(&full), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

int unchanged_open_exe(pid_t pid)
{
	return process_executable_open(pid);
}

/* Returns true if it is a file of ELF. `inode`: it must have that one; 0: any. */
static bool unchanged_is_image(int fd, uint64_t inode)
{
	struct stat info;
	char magic[4];
	return fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)
	       && (!inode || info.st_ino == inode) && pread(fd, magic, sizeof magic, 0) == sizeof magic
	       && memcmp(magic, "\177ELF", sizeof magic) == 0;
}

/* Opens the file of a part. The kernel's own list of mappings leads to it even if it has been
   removed; only root may use that. A path may lead to another file meanwhile: the number of the
   file tells. */
static int unchanged_open(const struct unchanged *unchanged, const struct unchanged_part *part,
                          pid_t pid)
{
	SCOPED_BUF range = {0};
	buf_addf(&range, "%" PRIx64 "-%" PRIx64, part->address, part->end);
	int fd = unchanged_open_below(pid, "map_files/", buf_text(&range));
	if (unchanged_is_image(fd, 0))
		return fd;
	if (fd >= 0)
		close(fd);
	if (unchanged_is_image(unchanged->exe, part->inode))
		return fcntl(unchanged->exe, F_DUPFD_CLOEXEC, 0);
	fd = unchanged_open_below(pid, "root", part->path);
	if (unchanged_is_image(fd, part->inode))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static bool unchanged_write_part(const struct unchanged_part *part, int from, int to,
                                 struct process_copy *copy, struct progress *progress,
                                 struct err *err)
{
	uint8_t bytes[READ];
	posix_fadvise(from, 0, 0, POSIX_FADV_RANDOM); /* reads no page ahead */
	for (uint64_t at = 0; at < part->size;) {
		uint64_t left = part->size - at;
		ssize_t got = pread(from, bytes, left < READ ? left : READ, (off_t)(part->from + at));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return true;
		if (pwrite(to, bytes, (size_t)got, (off_t)(part->offset + at)) != got)
			return err_set(err, "The memory of the process cannot be written: %s", strerror(errno));
		at += (uint64_t)got;
		copy->bytes += (uint64_t)got;
		if (!progress_step(progress, copy->bytes))
			return err_set(err, "Cancelled while the copy was written");
	}
	return true;
}

bool unchanged_write(struct unchanged *unchanged, pid_t pid, int fd, struct process_copy *copy,
                     struct progress *progress, struct err *err)
{
	int from = -1;
	bool done = true;
	for (size_t i = 0; i < unchanged->count && done; i++) {
		const struct unchanged_part *part = &unchanged->part[i];
		if (i && part->address != part[-1].address && from >= 0) {
			close(from);
			from = -1;
		}
		if (!i || part->address != part[-1].address)
			from = unchanged_open(unchanged, part, pid);
		done = from < 0 || unchanged_write_part(part, from, fd, copy, progress, err);
	}
	if (from >= 0)
		close(from);
	return done;
}

void unchanged_free(struct unchanged *unchanged)
{
	for (size_t i = 0; i < unchanged->count; i++)
		free(unchanged->part[i].path);
	free(unchanged->part);
	*unchanged = (struct unchanged){.exe = unchanged->exe};
}
