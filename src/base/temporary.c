#include "base/temporary.h"

#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
	ROOM_LEFT = 64 << 20, /* stays free in the folder; on a small file system 1 / ROOM_PART of it */
	ROOM_PART = 16,
};

static const char *temporary_folder(void)
{
	const char *folder = getenv("TMPDIR");
	return folder && *folder ? folder : "/tmp";
}

int temporary_open(struct err *err)
{
	const char *folder = temporary_folder();
	int fd = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0) { /* the file system lacks O_TMPFILE: use a name and remove it at once */
		SCOPED_BUF name = {0};
		buf_addf(&name, "%s/goheapx-XXXXXX", folder);
		fd = mkostemp(name.data, O_CLOEXEC);
		if (fd >= 0)
			unlink(name.data);
	}
	/* no usable temporary folder, as in some containers: use memory */
	if (fd < 0 && !getenv("TMPDIR"))
		fd = memfd_create("goheapx", MFD_CLOEXEC);
	if (fd < 0)
		err_set(err, "No temporary file can be made in %.99s: %s; set TMPDIR to a folder with room",
		        folder, strerror(errno));
	return fd;
}

static bool temporary_write_all(int fd, const uint8_t *bytes, size_t len, struct err *err)
{
	while (len) {
		ssize_t written = write(fd, bytes, len);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return err_set(err,
			               "What is unpacked cannot be written into %.99s: %s; set TMPDIR to a "
			               "folder with room",
			               temporary_folder(), strerror(errno));
		bytes += written;
		len -= (size_t)written;
	}
	return true;
}

/* Returns false with *err if the file system would be filled up, which would affect other
   programs. */
static bool temporary_has_room(int fd, size_t len, struct err *err)
{
	struct statvfs info;
	if (fstatvfs(fd, &info) != 0 || info.f_blocks == 0)
		return true; /* a failed write will report it */
	uint64_t unit = info.f_frsize, left = unit * info.f_blocks / ROOM_PART;
	if (left > ROOM_LEFT)
		left = ROOM_LEFT;
	if (unit * info.f_bavail >= len + left)
		return true;
	return err_set(err,
	               "There is no room left in %.99s to unpack it; set TMPDIR to a folder with "
	               "room",
	               temporary_folder());
}

bool temporary_add(int fd, const void *bytes, size_t len, struct err *err)
{
	return temporary_has_room(fd, len, err) && temporary_write_all(fd, bytes, len, err);
}
