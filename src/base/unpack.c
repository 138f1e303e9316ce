#include "base/unpack.h"

#include "base/buf.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct filter {
	const char *name;
	size_t len;
	uint8_t magic[6];
	int (*support)(struct archive *);
} filters[] = {
	{"gzip", 3, {0x1f, 0x8b, 0x08}, archive_read_support_filter_gzip},
	{"zstd", 4, {0x28, 0xb5, 0x2f, 0xfd}, archive_read_support_filter_zstd},
	{"xz", 6, {0xfd, '7', 'z', 'X', 'Z', 0x00}, archive_read_support_filter_xz},
};

static const struct filter *find(int fd)
{
	uint8_t head[6] = {0};
	ssize_t len = pread(fd, head, sizeof head, 0);
	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
		if (len >= (ssize_t)filters[i].len && memcmp(head, filters[i].magic, filters[i].len) == 0)
			return &filters[i];
	return NULL;
}

const char *unpack_filter(int fd)
{
	const struct filter *filter = find(fd);
	return filter ? filter->name : NULL;
}

static int temporary_file(struct err *err)
{
	const char *folder = getenv("TMPDIR");
	if (!folder || !*folder)
		folder = "/tmp";
	int fd = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0) { /* a file system without O_TMPFILE: a name for an instant */
		struct buf name = {0};
		buf_addf(&name, "%s/goheapx-XXXXXX", folder);
		fd = mkostemp(name.data, O_CLOEXEC);
		if (fd >= 0)
			unlink(name.data);
		buf_free(&name);
	}
	if (fd < 0)
		err_set(err, "Cannot create a temporary file in %s: %s; set TMPDIR to a folder with room",
		        folder, strerror(errno));
	return fd;
}

static bool write_all(int fd, const char *bytes, size_t len, struct err *err)
{
	while (len) {
		ssize_t written = write(fd, bytes, len);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return err_set(err, "Cannot write the unpacked dump: %s; set TMPDIR to a folder with room",
			               strerror(errno));
		bytes += written;
		len -= (size_t)written;
	}
	return true;
}

/* What could be unpacked before an error stays: a cut archive holds a cut dump. */
static bool copy(struct archive *archive, int fd, const char *path, struct progress *progress,
                 struct buf *damage, struct err *err)
{
	const void *bytes;
	size_t len, copied = 0;
	la_int64_t offset;
	int status;
	while ((status = archive_read_data_block(archive, &bytes, &len, &offset)) == ARCHIVE_OK) {
		if (!write_all(fd, bytes, len, err))
			return false;
		copied += len;
		if (!progress_step(progress, (uint64_t)archive_filter_bytes(archive, -1)))
			return err_set(err, "Cancelled while unpacking %s", path);
	}
	if (status != ARCHIVE_EOF && copied == 0)
		return err_set(err, "Cannot unpack %s: %s", path, archive_error_string(archive));
	if (status != ARCHIVE_EOF)
		buf_addf(damage, "The archive is damaged after its first %zu unpacked bytes: %s", copied,
		         archive_error_string(archive));
	return true;
}

int unpack(int fd, const char *path, struct progress *progress, struct buf *damage, struct err *err)
{
	const struct filter *filter = find(fd);
	struct stat info;
	struct archive *archive = archive_read_new();
	struct archive_entry *entry;
	int out = -1;
	progress_begin(progress, "unpacking", fstat(fd, &info) == 0 ? (uint64_t)info.st_size : 0);
	if (archive && filter && filter->support(archive) >= ARCHIVE_WARN &&
	    archive_read_support_format_raw(archive) == ARCHIVE_OK &&
	    archive_read_open_fd(archive, fd, 1 << 20) == ARCHIVE_OK &&
	    archive_read_next_header(archive, &entry) == ARCHIVE_OK &&
	    archive_filter_code(archive, 0) != ARCHIVE_FILTER_NONE) /* a head too short to be one is raw */
		out = temporary_file(err);
	else
		err_set(err, "Cannot unpack %s: %s", path,
		        archive && archive_error_string(archive) ? archive_error_string(archive)
		                                                 : "it is cut or damaged at its start");
	if (out >= 0 && !copy(archive, out, path, progress, damage, err)) {
		close(out);
		out = -1;
	}
	archive_read_free(archive);
	return out;
}
