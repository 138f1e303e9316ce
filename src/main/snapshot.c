/* goheapx snapshot: writes the memory of a running process to a core file. */
#include "base/buf.h"
#include "base/process.h"
#include "base/text.h"
#include "exe/exe.h"
#include "format/running.h"
#include "main/commands.h"
#include "main/filled_file.h"
#include "main/output.h"
#include "main/redact_command.h"
#include "main/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The state of a snapshot. */
struct snapshot {
	pid_t pid;
	struct filled_file file;
	struct process_copy copy;
	bool redact;
	int exe; /* descriptor of the executable, opened before the copy; -1: it is not written */
};

/* Opens the executable if it was requested, or may not be found later. */
static int snapshot_open_exe(pid_t pid, bool asked)
{
	char path[64];
	char *found = process_executable(pid); /* its own path if that is the same file */
	bool later = strncmp(found, "/proc/", 6) != 0;
	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	free(found);
	return later && !asked ? -1 : open(path, O_RDONLY | O_CLOEXEC);
}

/* Writes the executable as FILE.exe next to the core file FILE. */
static bool snapshot_write_exe(const struct snapshot *snapshot, struct err *err)
{
	struct buf path = {0};
	const char *suffix = pack_suffix(snapshot->file.pack);
	size_t len = strlen(snapshot->file.path), end = strlen(suffix);
	bool packed = len > end && strcmp(snapshot->file.path + len - end, suffix) == 0;
	buf_add_bytes(&path, snapshot->file.path, packed ? len - end : len);
	buf_add(&path, ".exe");
	if (access(buf_text(&path), F_OK) == 0 && !exe_may_be(buf_text(&path)))
		err_set(err, "%.200s is not an executable; it is left unchanged", buf_text(&path));
	int to = err->set ? -1 : whole_file_open(buf_text(&path), err);
	bool done = to >= 0 && filled_file_copy(snapshot->exe, to)
	            && whole_file_name(to, buf_text(&path));
	if (to >= 0 && !whole_file_close(to))
		done = false;
	if (!done && !err->set)
		err_set(err, "%.200s cannot be written: %s", buf_text(&path), strerror(errno));
	if (done)
		err_tell_text("It is the executable of the process, which names and types come from",
		              buf_text(&path));
	buf_free(&path);
	return done;
}

static void tell_copy(const struct snapshot *snapshot)
{
	const struct process_copy *copy = &snapshot->copy;
	pid_t pid = snapshot->pid;
	struct buf text = {0};
	text_add_escaped(&text, snapshot->file.path, strlen(snapshot->file.path), SIZE_MAX);
	buf_add(&text, ": ");
	if (snapshot->file.packed) {
		text_add_size(&text, snapshot->file.packed);
		buf_add(&text, ", compressed from ");
	}
	text_add_size(&text, copy->bytes);
	buf_addf(&text, " of process %d (", (int)pid);
	process_add_name(pid, &text);
	buf_add(&text, "), ");
	text_add_number_of(&text, copy->threads, "thread", "threads");
	buf_add(&text, ", stopped for ");
	text_add_duration(&text, copy->pause);
	buf_add(&text, snapshot->redact ? ", redacted" : "");
	buf_add(&text, copy->forked ? ", copied from a fork" : "");
	if (*copy->not_forked)
		buf_addf(&text, " and not forked, as %s", copy->not_forked);
	if (copy->left)
		buf_add(&text, "; the fork has ended, but stays as a zombie until the process ends");
	if (filled_file_is_printed(&snapshot->file)) {
		err_tell_text(buf_text(&text), NULL);
		buf_free(&text);
		return;
	}
	buf_add(&text, ".\n");
	output_end(&text, STATUS_ANSWERED);
}

static bool snapshot_fill(void *self, int fd, struct err *err)
{
	struct snapshot *snapshot = self;
	if (snapshot->redact)
		return redact_process(snapshot->pid, fd, &snapshot->copy, err);
	return process_copy(snapshot->pid, fd, &snapshot->copy, NULL, err);
}

enum status run_snapshot(const struct options *options)
{
	struct err err = {0};
	struct buf path = {0};
	struct snapshot snapshot = {.exe = -1, .redact = options->redact};
	if (options->gzip && options->zstd)
		err_set(&err, "A snapshot is compressed by --gzip or by --zstd, not by both");
	else
		snapshot.pid = process_named(options->operands[0], false, &err);
	if (!snapshot.pid && !err.set)
		err_set(&err, "\"%.60s\" is not a process: give its id, or the name of its program",
		        options->operands[0]);
	snapshot.file.pack = options->gzip ? PACK_GZIP : options->zstd ? PACK_ZSTD : PACK_NOT;
	if (options->file)
		buf_add(&path, options->file);
	else if (snapshot.pid) {
		process_add_name(snapshot.pid, &path);
		buf_addf(&path, "-%d.core%s", (int)snapshot.pid, pack_suffix(snapshot.file.pack));
	}
	snapshot.file.path = buf_text(&path);
	bool done = snapshot.pid && process_allowed(options->operands[0], &err)
	            && running_check(snapshot.pid, &err);
	if (done && filled_file_is_printed(&snapshot.file) && isatty(STDOUT_FILENO))
		done = err_set(&err, "A core file is not text: name a file with -o");
	if (done && !filled_file_is_printed(&snapshot.file))
		snapshot.exe = snapshot_open_exe(snapshot.pid, options->with_exe);
	snapshot.file.fill = snapshot_fill;
	snapshot.file.self = &snapshot;
	done = done && filled_file_write(&snapshot.file, &err);
	if (done && snapshot.exe >= 0)
		done = snapshot_write_exe(&snapshot, &err);
	if (snapshot.exe >= 0)
		close(snapshot.exe);
	if (done)
		tell_copy(&snapshot);
	buf_free(&path);
	return done ? STATUS_ANSWERED : complain(NULL, &err);
}
