/* goheapx snapshot: writes the memory of a running process to a core file. */
#include "main/process/snapshot.h"

#include "base/text.h"
#include "go/exe/exe.h"
#include "go/format/core/running.h"
#include "main/commands.h"
#include "main/print/filled_file.h"
#include "main/print/output.h"
#include "main/print/whole_file.h"
#include "main/ticket/redact_command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Opens the executable if it was requested, or may not be found later. */
static int snapshot_open_exe(pid_t pid, bool asked)
{
	char *found = process_executable(pid); /* its own path if that is the same file */
	bool later = strncmp(found, "/proc/", 6) != 0;
	free(found);
	return later && !asked ? -1 : process_executable_open(pid);
}

/* Writes the executable as FILE.exe next to the core file FILE. */
static bool snapshot_write_exe(struct snapshot *snapshot, int exe, struct err *err)
{
	SCOPED_BUF path = {0};
	bool named = pack_of(snapshot->path) == snapshot->pack;
	buf_add_bytes(&path, snapshot->path,
	              strlen(snapshot->path) - (named ? strlen(pack_suffix(snapshot->pack)) : 0));
	buf_add(&path, ".exe");
	if (access(buf_text(&path), F_OK) == 0 && !exe_may_be(buf_text(&path)))
		err_set(err, "%.200s is not an executable; it is left unchanged", buf_text(&path));
	int to = err->set ? -1 : whole_file_open(buf_text(&path), err);
	bool done = to >= 0 && filled_file_copy(exe, to) && whole_file_name(to, buf_text(&path));
	if (to >= 0 && !whole_file_close(to))
		done = false;
	if (!done && !err->set)
		err_set(err, "%.200s cannot be written: %s", buf_text(&path), strerror(errno));
	if (done)
		buf_add(&snapshot->exe, buf_text(&path));
	return done;
}

static bool snapshot_is_printed(const struct snapshot *snapshot)
{
	return filled_file_is_printed(snapshot->path);
}

static void tell_copy(const struct snapshot *snapshot)
{
	const struct process_copy *copy = &snapshot->copy;
	pid_t pid = snapshot->pid;
	SCOPED_BUF text = {0};
	text_add_escaped(&text, snapshot->path, strlen(snapshot->path), SIZE_MAX);
	buf_add(&text, ": ");
	if (snapshot->packed)
		buf_addf(&text, "%s, compressed from ", text_size(snapshot->packed).text);
	buf_addf(&text, "%s of process %d (", text_size(copy->bytes).text, (int)pid);
	process_add_name(pid, &text);
	buf_add(&text, "), ");
	text_add_number_of(&text, copy->threads, "thread", "threads");
	buf_addf(&text, ", stopped for %s%s%s", text_duration(copy->pause).text,
	         snapshot->redact ? ", redacted" : "", copy->forked ? ", copied from a fork" : "");
	if (*copy->not_forked)
		buf_addf(&text, " and not forked, as %s", copy->not_forked);
	if (copy->left)
		buf_add(&text, "; the fork has ended, but stays as a zombie until the process ends");
	if (snapshot_is_printed(snapshot)) {
		err_tell_text(buf_text(&text), NULL);
		return;
	}
	buf_add(&text, ".\n");
	output_end(&text, STATUS_ANSWERED);
}

static bool snapshot_fill(void *self, int fd, struct err *err)
{
	struct snapshot *snapshot = self;
	if (snapshot->redact)
		return redact_process(snapshot->pid, fd, &snapshot->copying, &snapshot->copy,
		                      snapshot->progress, err);
	return process_copy(snapshot->pid, fd, &snapshot->copying, &snapshot->copy, snapshot->progress,
	                    err);
}

bool snapshot_pack(const struct options *options, enum pack_kind *pack, struct err *err)
{
	*pack = options->gzip ? PACK_GZIP : options->zstd ? PACK_ZSTD : PACK_NOT;
	return !(options->gzip && options->zstd)
	       || err_set(err, "A snapshot is compressed by --gzip or by --zstd, not by both");
}

pid_t snapshot_process(const char *word, struct err *err)
{
	pid_t pid = process_named(word, false, err);
	if (!pid && !err->set)
		err_set(err, "\"%.60s\" is not a process: give its id, or the name of its program", word);
	return pid;
}

bool snapshot_take(struct snapshot *snapshot, struct err *err)
{
	bool printed = snapshot_is_printed(snapshot);
	int exe = printed ? -1 : snapshot_open_exe(snapshot->pid, snapshot->with_exe);
	struct filled_file file = {
		.path = snapshot->path, .pack = snapshot->pack, .fill = snapshot_fill, .self = snapshot};
	bool done = filled_file_write(&file, err);
	snapshot->written = done;
	snapshot->packed = file.packed;
	if (done && exe >= 0)
		done = snapshot_write_exe(snapshot, exe, err);
	if (exe >= 0)
		close(exe);
	return done;
}

/* Writes the executable alone, to a file or to the standard output. */
static bool snapshot_only_exe(struct snapshot *snapshot, struct err *err)
{
	bool printed = snapshot_is_printed(snapshot);
	int exe = snapshot_open_exe(snapshot->pid, true);
	if (exe < 0)
		return err_set(err, "The executable of process %d cannot be read: %s", (int)snapshot->pid,
		               strerror(errno));
	int to = printed ? filled_file_print(snapshot->path, err)
	                 : whole_file_open(snapshot->path, err);
	bool done = to >= 0 && filled_file_copy(exe, to)
	            && (printed || whole_file_name(to, snapshot->path));
	if (to >= 0 && !done)
		err_set(err, "%.200s cannot be written: %s",
		        strcmp(snapshot->path, "-") == 0 ? "The standard output" : snapshot->path,
		        strerror(errno));
	if (to >= 0 && printed)
		done = filled_file_printed(snapshot->path, to, done, err);
	else if (to >= 0 && !whole_file_close(to))
		done = false;
	close(exe);
	return done;
}

enum status run_snapshot(const struct options *options)
{
	struct err err = {0};
	SCOPED_BUF path = {0};
	struct snapshot snapshot = {.with_exe = options->with_exe,
	                            .redact = options->redact,
	                            .copying = options->input.process};
	if (snapshot_pack(options, &snapshot.pack, &err))
		snapshot.pid = snapshot_process(options->operands[0], &err);
	if (options->file)
		buf_add(&path, options->file);
	else if (snapshot.pid) {
		process_add_name(snapshot.pid, &path);
		buf_addf(&path, "-%d.%s%s", (int)snapshot.pid, options->only_exe ? "exe" : "core",
		         pack_suffix(snapshot.pack));
	}
	snapshot.path = buf_text(&path);
	if (snapshot.pid && options->only_exe) {
		bool copied = snapshot_only_exe(&snapshot, &err);
		return copied ? STATUS_ANSWERED : complain(NULL, &err);
	}
	bool done = snapshot.pid && process_allowed(options->operands[0], options, &err)
	            && running_check_copy(snapshot.pid, &err);
	if (done && filled_file_is_terminal(snapshot.path))
		done = err_set(&err, "A core file is not text: name a file with -o");
	done = done && snapshot_take(&snapshot, &err);
	if (snapshot.exe.len)
		err_tell_text("It is the executable of the process, which names and types come from",
		              buf_text(&snapshot.exe));
	if (done)
		tell_copy(&snapshot);
	buf_free(&snapshot.exe);
	return done ? STATUS_ANSWERED : complain(NULL, &err);
}
