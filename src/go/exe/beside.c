/* Finds the executable of a dump, or its debug file, in the folder of the dump. */
#include "base/input.h"
#include "base/mem.h"
#include "go/exe/exe.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool exe_is_program(const uint8_t *start, size_t size)
{
	if (size < EI_NIDENT + 2 || memcmp(start, ELFMAG, SELFMAG) != 0)
		return false;
	unsigned type = start[EI_NIDENT + (start[EI_DATA] == ELFDATA2MSB)];
	return type == ET_EXEC || type == ET_DYN;
}

/* Called with the beginning of an archive. Records whether it is of something else, and fails so
   that the rest is not unpacked. */
static bool beside_look(void *self, const uint8_t *start, size_t size, struct err *err)
{
	bool *other = self;
	*other = !exe_is_program(start, size);
	return err_set(err, "Seen");
}

/* Returns true also for a file that cannot be read: opening it later reports the error. */
static bool beside_may_hold_program(const char *path)
{
	struct input input;
	struct err err = {0};
	bool other = false;
	const struct input_options looking = {.unpack = {.known = beside_look, .self = &other}};
	if (input_open(&input, path, &looking, NULL, &err))
		input_close(&input);
	return !other;
}

bool exe_may_be(const char *path)
{
	uint8_t start[EI_NIDENT + 2];
	const char *filter = NULL;
	struct stat info;
	struct err err = {0};
	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
		return false;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd >= 0 ? pread(fd, start, sizeof start, 0) : -1;
	bool read = len >= 0 && unpack_filter(fd, &filter, &err);
	if (fd >= 0)
		close(fd);
	return !read || exe_is_program(start, (size_t)len) || (filter && beside_may_hold_program(path));
}

/* Removes the last extension from the last part of a path. */
static void cut_extension(char *path)
{
	char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
	if (dot && dot != path && (!slash || dot > slash + 1))
		*dot = '\0';
}

/* Calls `use` with STEM.SUFFIX, plain or compressed, unless the path is `but`. Returns true if it
   was accepted. */
static bool beside_use(const char *stem, const char *suffix, const char *but, exe_use *use,
                       void *self)
{
	static const char *const packed[] = {"", ".xz", ".gz", ".zst", ".bz2", ".lz4"};
	bool used = false;
	for (size_t i = 0; !used && i < sizeof packed / sizeof *packed; i++) {
		SCOPED_BUF path = {0};
		buf_addf(&path, "%s%s%s", stem, suffix, packed[i]);
		used = strcmp(buf_text(&path), but) != 0 && exe_may_be(buf_text(&path))
		       && use(self, buf_text(&path));
	}
	return used;
}

bool exe_try_packed(const char *path, exe_use *use, void *self)
{
	return beside_use(path, "", "", use, self);
}

bool exe_beside(const char *file, const char *suffix, bool packed, exe_use *use, void *self)
{
	SCOPED_FREE char *stem = mem_strdup(file);
	bool used = beside_use(stem, suffix, file, use, self);
	if (!used && packed) {
		cut_extension(stem); /* extension of the compression */
		used = beside_use(stem, suffix, file, use, self);
	}
	if (!used) {
		cut_extension(stem);
		used = beside_use(stem, suffix, file, use, self);
	}
	if (!used && strcmp(suffix, ".exe") == 0)
		used = beside_use(stem, "", file, use, self);
	return used;
}
