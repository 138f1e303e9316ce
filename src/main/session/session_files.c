/* Which files a session has read, and if they are the same now. */
#include "main/session/session.h"

#include "go/exe/exe.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void session_add_file(const char *path, struct buf *out)
{
	struct stat info;
	buf_addf(out, "%s\t", path);
	if (stat(path, &info) != 0)
		buf_addf(out, "%d\n", errno);
	else
		buf_addf(out, "%ju.%ju %jd %jd.%ld\n", (uintmax_t)info.st_dev, (uintmax_t)info.st_ino,
		         (intmax_t)info.st_size, (intmax_t)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

static bool session_use_beside(void *self, const char *path)
{
	session_add_file(path, self);
	return false; /* all of them */
}

void session_add_files(const struct session_input *input, struct buf *out)
{
	const char *exe = input->exe ? input->exe : getenv("GOHEAPX_EXE");
	for (size_t i = 0; i < input->count; i++) {
		session_add_file(input->dump[i], out);
		if (!exe)
			exe_beside(input->dump[i], ".exe", true, session_use_beside, out);
		exe_beside(input->dump[i], ".debug", true, session_use_beside, out);
	}
	if (!input->count || !exe)
		return;
	session_add_file(exe, out);
	exe_beside(exe, ".debug", true, session_use_beside, out);
}

void session_add_mapped(pid_t process, struct buf *out)
{
	char path[64], *line = NULL;
	size_t capacity = 0;
	snprintf(path, sizeof path, "/proc/%d/maps", (int)process);
	FILE *file = fopen(path, "re");
	while (file && getline(&line, &capacity, file) > 0) {
		char *named = strchr(line, '/');
		struct stat info;
		if (!named)
			continue;
		named[strcspn(named, "\n")] = '\0';
		size_t len = strlen(named);
		bool last = out->len > len && memcmp(out->data + out->len - len - 1, named, len) == 0;
		if (!last && stat(named, &info) == 0 && S_ISREG(info.st_mode))
			buf_addf(out, "%s\n", named);
	}
	if (file)
		fclose(file);
	free(line);
}

void session_add_states(const char *paths, struct buf *out)
{
	while (*paths) {
		SCOPED_BUF path = {0};
		size_t len = strcspn(paths, "\n");
		buf_add_bytes(&path, paths, len);
		session_add_file(buf_text(&path), out);
		paths += len + (paths[len] == '\n');
	}
}

bool session_files_same(const char *then, const char *now, struct err *err)
{
	if (strcmp(then, now) == 0)
		return true;
	size_t begin = 0;
	for (size_t i = 0; then[i] && then[i] == now[i]; i++)
		if (then[i] == '\n')
			begin = i + 1;
	const char *line = now[begin] ? now + begin : then + begin;
	SCOPED_BUF path = {0};
	struct stat info;
	buf_add_bytes(&path, line, strcspn(line, "\t"));
	if (stat(buf_text(&path), &info) != 0)
		return err_set(err, "%.200s: %s", buf_text(&path), strerror(errno));
	return err_set(err, "%.200s was changed or replaced after it was read", buf_text(&path));
}
