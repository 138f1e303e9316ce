#include "ui/history_file.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/user_file.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { KEPT = 64 * 1024, TOO_LONG = 2 * KEPT };

/* Opens the history, and creates its folder. Symbolic links are not followed. */
static int open_file(int flags)
{
	SCOPED_BUF path = {0};
	int fd = -1;
	if (user_folder(&path, USER_STATE)) {
		user_folder_make(&path);
		buf_add(&path, "/history");
		fd = user_file_open(path.data, flags | O_CREAT | O_NOFOLLOW, NULL);
	}
	return fd;
}

/* Reads the last KEPT bytes of the file, from the start of a line on. */
static void read_tail(int fd, struct buf *text)
{
	SCOPED_FREE char *piece = mem_alloc(KEPT);
	off_t size = lseek(fd, 0, SEEK_END);
	off_t start = size > KEPT ? size - KEPT : 0;
	ssize_t len = pread(fd, piece, KEPT, start);
	char *from = piece;
	if (len > 0 && start > 0) {
		from = memchr(piece, '\n', (size_t)len);
		from = from ? from + 1 : piece + len;
	}
	if (len > 0)
		buf_add_bytes(text, from, (size_t)(piece + len - from));
	if (size > TOO_LONG && ftruncate(fd, 0) == 0 && pwrite(fd, buf_text(text), text->len, 0) < 0)
		buf_clear(text);
}

void history_file_load(void (*line)(void *self, char kind, const char *text), void *self)
{
	int fd = open_file(O_RDWR);
	if (fd < 0)
		return;
	SCOPED_BUF text = {0};
	read_tail(fd, &text);
	close(fd);
	char *at = text.data;
	for (char *end; at && (end = strchr(at, '\n')) != NULL; at = end + 1) {
		*end = '\0';
		if (end - at > 1)
			line(self, *at, at + 1);
	}
}

void history_file_add(char kind, const char *text)
{
	int fd = open_file(O_WRONLY | O_APPEND);
	if (fd < 0)
		return;
	SCOPED_BUF line = {0};
	buf_addf(&line, "%c%s\n", kind, text);
	ssize_t wrote = write(fd, line.data, line.len); /* one write: other sessions append, too */
	(void)wrote;
	close(fd);
}
