/* Which file is the executable of a dump that lies in some folder. */
#include "base/mem.h"
#include "exe/exe.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool exe_may_be(const char *path)
{
	static const char magic[] = {0x7f, 'E', 'L', 'F'};
	char start[sizeof magic];
	struct stat info;
	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
		return false;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd >= 0 ? pread(fd, start, sizeof start, 0) : -1;
	if (fd >= 0)
		close(fd);
	return len < 0 || (len == sizeof start && memcmp(start, magic, sizeof magic) == 0);
}

/* Cuts the last extension off a path, if its last part has one. */
static void cut_extension(char *path)
{
	char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
	if (dot && dot != path && (!slash || dot > slash + 1))
		*dot = '\0';
}

static bool use_if_there(const char *stem, const char *suffix, const char *dump,
                         bool (*use)(void *self, const char *path), void *self)
{
	struct buf path = {0};
	buf_addf(&path, "%s%s", stem, suffix);
	bool used = strcmp(buf_text(&path), dump) != 0 && exe_may_be(buf_text(&path))
	            && use(self, buf_text(&path));
	buf_free(&path);
	return used;
}

bool exe_beside(const char *dump, bool packed, bool (*use)(void *self, const char *path),
                void *self)
{
	char *stem = mem_strdup(dump);
	bool used = use_if_there(stem, ".exe", dump, use, self);
	if (!used && packed) {
		cut_extension(stem); /* .xz */
		used = use_if_there(stem, ".exe", dump, use, self);
	}
	if (!used) {
		cut_extension(stem);
		used = use_if_there(stem, ".exe", dump, use, self)
		       || use_if_there(stem, "", dump, use, self);
	}
	free(stem);
	return used;
}
