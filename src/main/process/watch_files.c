/* The files of goheapx watch: their names, and how many are kept. */
#include "main/process/watch.h"

#include "base/mem.h"
#include "base/pack.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool watch_folder_check(const char *folder, struct err *err)
{
	struct stat info;
	bool there = stat(folder, &info) == 0;
	if (there && !S_ISDIR(info.st_mode))
		return err_set(err, "%.200s is not a folder: -o names the folder for snapshots", folder);
	if (!there || access(folder, W_OK | X_OK) != 0)
		return err_set(err, "No snapshot can be written into %.200s: %s", folder, strerror(errno));
	return true;
}

/* Appends a bound as a part of a file name: "85pct", "50MB-min". */
static void watch_files_add_bound(const char *bound, struct buf *out)
{
	for (; *bound; bound++) {
		if (*bound == '%')
			buf_add(out, "pct");
		else
			buf_add_char(out, isalnum((unsigned char)*bound) || *bound == '.' ? *bound : '-');
	}
}

void watch_files_name(const struct watch_files *files, pid_t pid, const char *bound,
                      const char *suffix, struct buf *out)
{
	char text[32];
	time_t now = time(NULL);
	struct tm parts;
	strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", gmtime_r(&now, &parts));
	buf_addf(out, "%s/", files->folder);
	process_add_name(pid, out);
	buf_addf(out, "-%d-%s-", (int)pid, text);
	watch_files_add_bound(bound, out);
	buf_addf(out, ".core%s", suffix);
}

void watch_files_beside(const char *core, const char *suffix, struct buf *out)
{
	size_t length = strlen(core) - strlen(pack_suffix(pack_of(core)));
	buf_add_bytes(out, core, length);
	buf_add(out, suffix);
}

/* Removes the oldest core file, its executable and its report. */
static void watch_files_remove(struct watch_files *files)
{
	static const char *const beside[] = {".exe", ".html"};
	for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
		SCOPED_BUF path = {0};
		watch_files_beside(files->core[0], beside[i], &path);
		unlink(buf_text(&path));
	}
	unlink(files->core[0]);
	free(files->core[0]);
	memmove(files->core, files->core + 1, --files->count * sizeof *files->core);
}

void watch_files_add(struct watch_files *files, const char *core)
{
	if (files->count && files->count == files->most)
		watch_files_remove(files);
	files->core[files->count++] = mem_strdup(core);
}

void watch_files_free(struct watch_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->core[i]);
	files->count = 0;
}
