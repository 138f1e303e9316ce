/* The reports and commands that goheapx watch runs after snapshots, in processes of their own, so
   that neither their memory nor their time is that of the watch. */
#include "main/commands.h"
#include "main/print/whole_file.h"
#include "main/process/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEAST_PRIORITY = 19, NOT_RUN = 127 };

/* Returns 0 in the new process, which is the first of a group and has no standard input. */
static pid_t watch_jobs_fork(struct watch_jobs *jobs, bool report, const char *about)
{
	struct watch_job *job = jobs->job;
	while (job < jobs->job + WATCH_JOBS_MOST && job->pid)
		job++;
	if (job == jobs->job + WATCH_JOBS_MOST) {
		errno = EBUSY;
		return -1;
	}
	pid_t pid = fork();
	if (pid > 0) {
		setpgid(pid, pid);
		job->pid = pid;
		job->report = report;
		buf_clear(&job->about);
		buf_add(&job->about, about);
	} else if (pid == 0) {
		int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
		setpgid(0, 0);
		end_signals_catch(NULL);
		dup2(none, STDIN_FILENO);
	}
	return pid;
}

bool watch_jobs_command(struct watch_jobs *jobs, const char *command, const char *core, pid_t pid,
                        const char *bound, struct err *err)
{
	SCOPED_BUF number = {0};
	buf_addf(&number, "%d", (int)pid);
	pid_t child = watch_jobs_fork(jobs, false, core);
	if (child == 0) {
		setenv("GOHEAPX_SNAPSHOT", core, 1);
		setenv("GOHEAPX_PID", buf_text(&number), 1);
		setenv("GOHEAPX_BOUND", bound, 1);
		signal(SIGXFSZ, SIG_DFL);
		signal(SIGPIPE, SIG_DFL);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(NOT_RUN);
	}
	return child > 0
	       || err_set(err, "The command of --exec was not run for %.200s: %s", core,
	                  errno == EBUSY ? "too many commands and reports are running"
	                                 : strerror(errno));
}

/* Prints the report to a file that gets its name when it is complete. */
static enum status watch_jobs_write_report(const char *older, const char *newer)
{
	struct err err = {0};
	struct buf path = {0};
	struct options options = {
		.limit = SIZE_MAX, .format = "html", .no_cache = true, .operand_count = 1};
	options.operands = (char *[]){(char *)(uintptr_t)newer, NULL};
	buf_addf(&options.since, "%s\n", older);
	watch_files_beside(newer, ".html", &path);
	process_go_first();
	setpriority(PRIO_PROCESS, 0, LEAST_PRIORITY);
	int fd = whole_file_open(buf_text(&path), &err);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		return err.set ? complain(NULL, &err) : STATUS_FAILED;
	enum status status = run_ticket(&options);
	if (status == STATUS_ANSWERED && !whole_file_name(fd, buf_text(&path)))
		status = STATUS_FAILED;
	return whole_file_close(fd) ? status : STATUS_FAILED;
}

static bool watch_jobs_report_runs(const struct watch_jobs *jobs)
{
	for (size_t i = 0; i < WATCH_JOBS_MOST; i++)
		if (jobs->job[i].pid && jobs->job[i].report)
			return true;
	return false;
}

static void watch_jobs_begin_report(struct watch_jobs *jobs)
{
	struct err err = {0};
	pid_t child = watch_jobs_fork(jobs, true, buf_text(&jobs->newer));
	if (child == 0)
		_exit((int)watch_jobs_write_report(buf_text(&jobs->older), buf_text(&jobs->newer)));
	if (child < 0 && errno == EBUSY)
		return;
	if (child < 0) {
		err_set(&err, "There is no report of it: %s", strerror(errno));
		err_tell(&err, buf_text(&jobs->newer));
	}
	buf_clear(&jobs->newer);
}

void watch_jobs_report(struct watch_jobs *jobs, const char *older, const char *newer)
{
	buf_clear(&jobs->older);
	buf_add(&jobs->older, older);
	buf_clear(&jobs->newer);
	buf_add(&jobs->newer, newer);
}

static void watch_job_ended(struct watch_job *job, int status)
{
	SCOPED_BUF text = {0};
	job->pid = 0;
	if (!WIFSIGNALED(status) && WEXITSTATUS(status) == 0)
		return;
	buf_add(&text, job->report ? "Its report was not written: goheapx ended "
	                           : "The command of --exec that ran for it ended ");
	buf_addf(&text, WIFSIGNALED(status) ? "by signal %d" : "with status %d",
	         WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	err_tell_text(buf_text(&text), buf_text(&job->about));
}

bool watch_jobs_look(struct watch_jobs *jobs)
{
	bool any = false;
	for (size_t i = 0; i < WATCH_JOBS_MOST; i++) {
		int status;
		struct watch_job *job = &jobs->job[i];
		if (job->pid && waitpid(job->pid, &status, WNOHANG) == job->pid)
			watch_job_ended(job, status);
		any |= job->pid > 0;
	}
	if (jobs->newer.len && !watch_jobs_report_runs(jobs)) {
		watch_jobs_begin_report(jobs);
		any = true;
	}
	return any;
}

void watch_jobs_end(struct watch_jobs *jobs)
{
	for (size_t i = 0; i < WATCH_JOBS_MOST; i++) {
		if (jobs->job[i].pid)
			kill(-jobs->job[i].pid, SIGTERM);
		buf_free(&jobs->job[i].about);
	}
	buf_free(&jobs->older);
	buf_free(&jobs->newer);
}
