#include "ui/file.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static bool file_fail(const char *path, int why, struct err *err)
{
	SCOPED_BUF visible = {0};
	text_add_escaped(&visible, path, strlen(path), 200);
	if (why == EEXIST)
		err_set(err, "%s is there already: give another name", buf_text(&visible));
	else
		err_set(err, "%s cannot be written: %s", buf_text(&visible), strerror(why));
	return false;
}

bool file_write(void *unused, const char *path, const struct buf *text, struct err *err)
{
	(void)unused;
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), why = 0;
	if (fd < 0)
		return file_fail(path, errno, err);
	for (size_t done = 0; done < text->len && !why;) {
		ssize_t wrote = write(fd, text->data + done, text->len - done);
		if (wrote >= 0)
			done += (size_t)wrote;
		else if (errno != EINTR)
			why = errno;
	}
	if (close(fd) != 0 && !why)
		why = errno;
	if (!why)
		return true;
	unlink(path);
	return file_fail(path, why, err);
}
