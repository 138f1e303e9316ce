/* goheapx snapshot: the memory of a running process as a core file. */
#include "base/buf.h"
#include "base/pack.h"
#include "base/process.h"
#include "base/temporary.h"
#include "base/text.h"
#include "format/running.h"
#include "main/commands.h"
#include "main/output.h"
#include "main/whole_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is written and where. */
struct snapshot {
	pid_t pid;
	const char *path;
	enum pack_way way;
	struct process_copy copy;
	uint64_t packed; /* bytes of the file, where it is compressed */
};

static void tell_copy(const struct snapshot *snapshot)
{
	const struct process_copy *copy = &snapshot->copy;
	pid_t pid = snapshot->pid;
	struct buf text = {0};
	text_add_escaped(&text, snapshot->path, strlen(snapshot->path), SIZE_MAX);
	buf_add(&text, ": ");
	if (snapshot->way != PACK_NOT) {
		text_add_size(&text, snapshot->packed);
		buf_add(&text, ", compressed from ");
	}
	text_add_size(&text, copy->bytes);
	buf_addf(&text, " of process %d (", (int)pid);
	process_add_name(pid, &text);
	buf_add(&text, "), ");
	text_add_number_of(&text, copy->threads, "thread", "threads");
	buf_add(&text, ", stopped for ");
	text_add_duration(&text, copy->pause);
	buf_add(&text, copy->forked ? ", copied from a fork" : "");
	if (*copy->not_forked)
		buf_addf(&text, " and not forked, as %s", copy->not_forked);
	if (copy->left)
		buf_add(&text, "; the fork has ended, but stays as a zombie until the process ends");
	buf_add(&text, ".\n");
	output_end(&text, STATUS_ANSWERED);
}

/* The process is copied into a file without a name and goes on; what takes its time comes then. */
static bool copy_packed(struct snapshot *snapshot, int to, struct err *err)
{
	struct err why = {0};
	struct stat info;
	int fd = temporary_open(err);
	bool done = fd >= 0 && process_copy(snapshot->pid, fd, &snapshot->copy, NULL, err);
	if (done && (!pack_file(fd, to, snapshot->way, &why) || fstat(to, &info) != 0))
		done = err_set(err, "%.200s cannot be written: %s", snapshot->path,
		               why.set ? why.text : strerror(errno));
	if (done)
		snapshot->packed = (uint64_t)info.st_size;
	if (fd >= 0)
		close(fd);
	return done;
}

static bool write_snapshot(struct snapshot *snapshot, struct err *err)
{
	int fd = whole_file_open(snapshot->path, err);
	bool done = fd >= 0;
	if (done && snapshot->way != PACK_NOT)
		done = copy_packed(snapshot, fd, err);
	else if (done)
		done = process_copy(snapshot->pid, fd, &snapshot->copy, NULL, err);
	if (done && !whole_file_name(fd, snapshot->path))
		done = err_set(err, "%.200s cannot be written: %s", snapshot->path, strerror(errno));
	if (fd >= 0 && !whole_file_close(fd) && done)
		done = err_set(err, "%.200s cannot be written: %s", snapshot->path, strerror(errno));
	return done;
}

static void add_default_path(const struct snapshot *snapshot, struct buf *path)
{
	process_add_name(snapshot->pid, path);
	buf_addf(path, "-%d.core%s", (int)snapshot->pid, pack_suffix(snapshot->way));
}

enum status run_snapshot(const struct options *options)
{
	struct err err = {0};
	struct buf path = {0};
	struct snapshot snapshot = {0};
	if (options->gzip && options->zstd)
		err_set(&err, "A snapshot is compressed by --gzip or by --zstd, not by both");
	else
		snapshot.pid = process_named(options->operands[0], false, &err);
	if (!snapshot.pid && !err.set)
		err_set(&err, "\"%.60s\" is no process: give its number, or the name of what it runs",
		        options->operands[0]);
	snapshot.way = options->gzip ? PACK_GZIP : options->zstd ? PACK_ZSTD : PACK_NOT;
	if (options->file)
		buf_add(&path, options->file);
	else if (snapshot.pid)
		add_default_path(&snapshot, &path);
	snapshot.path = buf_text(&path);
	bool done = snapshot.pid && process_allowed(options->operands[0], &err)
	            && running_check(snapshot.pid, &err) && write_snapshot(&snapshot, &err);
	if (done)
		tell_copy(&snapshot);
	buf_free(&path);
	return done ? STATUS_ANSWERED : complain(NULL, &err);
}
