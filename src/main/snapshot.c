/* goheapx snapshot: the memory of a running process as a core file. */
#include "base/buf.h"
#include "base/process.h"
#include "base/text.h"
#include "exe/exe.h"
#include "main/commands.h"
#include "main/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Copying takes that long at most, bytes a second: what is told beforehand. */
enum { COPIED_A_SECOND = 300 << 20 };

void tell_process(const char *path)
{
	struct err err = {0};
	struct buf text = {0};
	pid_t pid = isatty(STDERR_FILENO) ? process_named(path, true, &err) : 0;
	if (!pid)
		return;
	uint64_t resident = process_resident(pid);
	buf_addf(&text, "Process %d (", (int)pid);
	process_add_name(pid, &text);
	buf_add(&text, ") has ");
	text_add_size(&text, resident);
	buf_add(&text, " in memory. It is stopped while they are copied, for about ");
	text_add_duration(&text, resident * 1000000000 / COPIED_A_SECOND + 1000000);
	fprintf(stderr, "goheapx: %s.\n", buf_text(&text));
	buf_free(&text);
}

/* A process that is none of Go is not stopped at all. */
static bool is_go(pid_t pid, struct err *err)
{
	char *path = process_executable(pid);
	struct exe *exe = exe_open(path, err);
	free(path);
	exe_close(exe);
	return exe;
}

static void tell_copy(const char *path, pid_t pid, const struct process_copy *copy)
{
	struct buf text = {0};
	text_add_escaped(&text, path, strlen(path), SIZE_MAX);
	buf_add(&text, ": ");
	text_add_size(&text, copy->bytes);
	buf_addf(&text, " of process %d (", (int)pid);
	process_add_name(pid, &text);
	buf_add(&text, "), ");
	text_add_number_of(&text, copy->threads, "thread", "threads");
	buf_add(&text, ", stopped for ");
	text_add_duration(&text, copy->pause);
	buf_add(&text, ".\n");
	output_end(&text, STATUS_ANSWERED);
}

/* Beside the file that is wanted, so that it can be renamed. */
static int open_part(struct buf *part, const char *path, struct err *err)
{
	buf_addf(part, "%s.XXXXXX", path);
	int fd = mkostemp(part->data, O_CLOEXEC);
	if (fd < 0)
		err_set(err, "%.200s cannot be written: %s", path, strerror(errno));
	return fd;
}

static bool write_snapshot(pid_t pid, const char *path, struct process_copy *copy, struct err *err)
{
	struct buf part = {0};
	int fd = open_part(&part, path, err);
	bool done = fd >= 0 && process_copy(pid, fd, copy, NULL, err);
	if (fd >= 0 && close(fd) != 0 && done)
		done = err_set(err, "%.200s cannot be written: %s", path, strerror(errno));
	if (done && rename(buf_text(&part), path) != 0)
		done = err_set(err, "%.200s cannot be written: %s", path, strerror(errno));
	if (fd >= 0 && !done)
		unlink(buf_text(&part));
	buf_free(&part);
	return done;
}

enum status run_snapshot(const struct options *options)
{
	struct err err = {0};
	struct buf path = {0};
	struct process_copy copy;
	pid_t pid = process_named(options->operands[0], false, &err);
	if (!pid && !err.set)
		err_set(&err, "\"%.60s\" is no process: give its number, or the name of what it runs",
		        options->operands[0]);
	if (options->file)
		buf_add(&path, options->file);
	else if (pid) {
		process_add_name(pid, &path);
		buf_addf(&path, "-%d.core", (int)pid);
	}
	bool done = pid && is_go(pid, &err) && write_snapshot(pid, buf_text(&path), &copy, &err);
	if (done)
		tell_copy(buf_text(&path), pid, &copy);
	buf_free(&path);
	return done ? STATUS_ANSWERED : complain(NULL, &err);
}
