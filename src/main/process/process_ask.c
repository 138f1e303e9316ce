/* The announcement before a process is stopped, and the question on a terminal. */
#include "base/process.h"
#include "base/text.h"
#include "go/format/core/running.h"
#include "main/subcommand.h"

#include <stdio.h>
#include <unistd.h>

/* Bytes per second that copying reaches at least, for the estimate. */
/* Bytes that are copied within a second: into memory, or into the file. */
enum { STAGED_A_SECOND = 1 << 30, WRITTEN_A_SECOND = 300 << 20 };

static void process_ask_add(pid_t pid, bool forked, struct buf *out)
{
	uint64_t bytes = process_size(pid);
	buf_addf(out, "Process %d (", (int)pid);
	process_add_name(pid, out);
	buf_addf(out, ") has %s", text_size(bytes).text);
	if (forked) {
		buf_add(out, " in memory. It is stopped until it has forked, and goes on while the fork is "
		             "copied");
		return;
	}
	buf_add(out, " in memory. It is stopped while they are copied, for about ");
	uint64_t a_second = process_is_staged(bytes) ? STAGED_A_SECOND : WRITTEN_A_SECOND;
	text_add_duration(out, bytes * 1000000000 / a_second + 1000000);
}

static bool process_ask(const char *what)
{
	char answer[16];
	fprintf(stderr, "%s.\nGo on? [y/N] ", what);
	fflush(stderr);
	return fgets(answer, sizeof answer, stdin) && (*answer == 'y' || *answer == 'Y');
}

bool process_allowed(const char *path, const struct options *options, struct err *err)
{
	pid_t pid = process_named(path, true, NULL);
	SCOPED_BUF text = {0};
	bool allowed = true;
	if (!pid || options->yes)
		return true;
	if (!running_check_copy(pid, err))
		return false;
	process_ask_add(pid, options->input.process.fork, &text);
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		err_tell_text(buf_text(&text), NULL);
	else if (!(allowed = process_ask(buf_text(&text))))
		err_set(err, "Process %d was left alone; --yes does not ask", (int)pid);
	return allowed;
}
