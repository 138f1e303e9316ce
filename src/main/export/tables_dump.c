#include "main/export/tables_dump.h"

#include "base/text.h"
#include "go/exe/image.h"
#include "main/export/exporter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW = 1 << 16, WINDOWS = 16 }; /* samples that identify a dump */

/* Returns an FNV-1a hash, which is stable across runs, as a name must be. */
static uint64_t tables_dump_hash(uint64_t hash, const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ data[i]) * 0x100000001b3;
	return hash;
}

/* Hashes the size of a file and samples of its contents. False: errno. */
static bool tables_dump_sample(int fd, uint64_t size, uint64_t *hash)
{
	uint8_t window[WINDOW];
	*hash = tables_dump_hash(0xcbf29ce484222325, (const uint8_t *)&size, sizeof size);
	for (uint64_t i = 0; i < WINDOWS; i++) {
		ssize_t got = pread(fd, window, sizeof window, (off_t)(size / WINDOWS * i));
		if (got < 0)
			return false;
		*hash = tables_dump_hash(*hash, window, (size_t)got);
	}
	return true;
}

static const char *tables_dump_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static void tables_dump_add_time(time_t seconds, struct buf *out)
{
	struct tm utc;
	char text[64];
	if (gmtime_r(&seconds, &utc) && strftime(text, sizeof text, "%FT%TZ", &utc))
		buf_add(out, text);
}

bool tables_dump_name(struct tables_dump *dump, const char *path, const char *folder,
                      struct err *err)
{
	struct stat info;
	uint64_t hash;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool is_file = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
	bool read = is_file && tables_dump_sample(fd, (uint64_t)info.st_size, &hash);
	int failure = errno;
	if (fd >= 0)
		close(fd);
	if (!read)
		return err_set(err, "%s", fd >= 0 && !is_file ? "It is not a file" : strerror(failure));
	/* Dumps do not record a host: the directory that contains them stands for it. */
	char *whole = realpath(path, NULL), *slash = whole ? strrchr(whole, '/') : NULL;
	if (slash) {
		*slash = 0;
		text_add_escaped(&dump->host, tables_dump_base(whole), strlen(tables_dump_base(whole)),
		                 FILENAME_MAX);
	}
	free(whole);
	hash = tables_dump_hash(hash, (const uint8_t *)buf_text(&dump->host), dump->host.len);
	text_add_escaped(&dump->id, tables_dump_base(path), strlen(tables_dump_base(path)),
	                 FILENAME_MAX);
	buf_addf(&dump->id, "-%08x", (unsigned)(hash ^ hash >> 32));
	buf_addf(&dump->folder, "%s/%s", folder, buf_text(&dump->id));
	buf_addf(&dump->part, "%s/.%s.part", folder, buf_text(&dump->id));
	tables_dump_add_time(info.st_mtime, &dump->time);
	return true;
}

/* Appends the build ID that the Go linker stores in a note of the executable. */
static void tables_dump_add_build(const struct names *names, struct buf *out)
{
	struct image_section note;
	enum { HEADER = 16 }; /* three lengths, and "Go" */
	if (!names || !names->exe || !image_section(exe_image(names->exe), ".note.go.buildid", &note)
	    || !note.data || note.size <= HEADER)
		return;
	const char *text = (const char *)note.data + HEADER;
	text_add_escaped(out, text, strnlen(text, note.size - HEADER), FILENAME_MAX);
}

void tables_dump_complete(struct tables_dump *dump, const struct analysis *analysis)
{
	uint64_t ended = export_time(analysis_heap(analysis)) / 1000000000;
	tables_dump_add_build(analysis_names(analysis), &dump->build);
	if (!ended)
		return;
	buf_clear(&dump->time);
	tables_dump_add_time((time_t)ended, &dump->time);
}

void tables_dump_fini(struct tables_dump *dump)
{
	buf_free(&dump->id);
	buf_free(&dump->host);
	buf_free(&dump->time);
	buf_free(&dump->build);
	buf_free(&dump->folder);
	buf_free(&dump->part);
}
