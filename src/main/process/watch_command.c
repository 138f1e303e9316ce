/* goheapx watch: follows the memory of a process, and takes a snapshot when it reaches a bound. */
#include "main/process/watch.h"

#include "base/clock.h"
#include "base/temporary.h"
#include "base/text.h"
#include "go/format/core/running.h"
#include "main/commands.h"
#include "main/print/output.h"
#include "main/print/whole_file.h"
#include "main/process/snapshot.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const uint64_t SECOND = UINT64_C(1000000000);

struct watch {
	const struct options *options;
	const char *word;
	bool by_number; /* the process that was named, and no later one of its name */
	pid_t pid;      /* 0: none is followed */
	uint64_t start; /* of the process */
	struct buf name;
	pid_t refused; /* a process that cannot be read, and its start */
	uint64_t refused_start;
	uint64_t limit; /* at the last reading */
	enum pack_kind pack;
	struct watch_bounds bounds;
	struct watch_reading reading;
	struct watch_files files;
	struct watch_jobs jobs;
	unsigned snapshots;                     /* of the process that is followed */
	unsigned processes, limits, complaints; /* how often that was said, or would have been */
	bool waits, mute;
};

/* Its cancel is set by a signal, and ends a snapshot, too. */
static struct progress watch_stop;

static void watch_caught(int number)
{
	(void)number;
	atomic_store(&watch_stop.cancel, true);
}

static void watch_sleep(uint64_t ns)
{
	const struct timespec left = {(time_t)(ns / SECOND), (long)(ns % SECOND)};
	if (!atomic_load(&watch_stop.cancel))
		nanosleep(&left, NULL);
}

/* ---- What is said */

/* A repeated event is reported the first, second, fourth, eighth time and so on. */
static bool watch_is_said(unsigned times)
{
	return (times & (times - 1)) == 0;
}

static void watch_begin(struct buf *out)
{
	char text[32];
	time_t now = time(NULL);
	struct tm parts;
	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
	buf_addf(out, "%s ", text);
}

static void watch_add_process(const struct watch *watch, struct buf *out)
{
	buf_addf(out, "Process %d (%s)", (int)watch->pid, buf_text(&watch->name));
}

/* Prints a line. An output that cannot be written is told once, and does not end the watch. */
static void watch_say(struct watch *watch, struct buf *line)
{
	buf_add(line, ".\n");
	if (!watch->mute)
		watch->mute = output_end(line, STATUS_ANSWERED) != STATUS_ANSWERED;
	buf_free(line);
}

static void watch_say_limit(struct watch *watch, bool changed)
{
	const struct process_usage *usage = &watch->reading.usage;
	struct buf line = {0};
	watch_begin(&line);
	watch_add_process(watch, &line);
	buf_addf(&line, "%s%s are resident, and ",
	         changed ? " has a new limit: " : " is followed: ", text_size(usage->resident).text);
	if (usage->of_group) {
		buf_addf(&line, "%s are used of the %s that its control group may use",
		         text_size(usage->used).text, text_size(usage->limit).text);
	} else {
		buf_add(&line, "no control group limits it to less than the machine's ");
		text_add_size(&line, usage->limit);
	}
	if (!changed && watch->processes > 1)
		buf_addf(&line, "; it is the process number %u of that name", watch->processes);
	watch_say(watch, &line);
}

static void watch_say_taken(struct watch *watch, const struct snapshot *snapshot,
                            struct watch_bound *const *reached, size_t count)
{
	struct buf line = {0};
	bool first = !reached[count - 1]->seen;
	watch_begin(&line);
	watch_add_process(watch, &line);
	buf_add(&line, first ? " is above " : " reached ");
	for (size_t i = 0; i < count; i++)
		buf_addf(&line, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " and ", reached[i]->text);
	buf_add(&line, first ? " already: " : ": ");
	watch_bound_add_usage(reached[count - 1], &watch->reading, &line);
	buf_addf(&line, ", and it was stopped for %s%s%s, to ",
	         text_duration(snapshot->copy.pause).text,
	         snapshot->copy.forked ? " and copied from a fork, " : " and copied, ",
	         text_size(snapshot->copy.bytes).text);
	text_add_escaped(&line, snapshot->path, strlen(snapshot->path), SIZE_MAX);
	watch_say(watch, &line);
}

static void watch_complain(struct watch *watch, const struct err *err)
{
	if (watch_is_said(++watch->complaints))
		err_tell(err, NULL);
}

/* ---- The process */

/* Begins to follow a process, unless it cannot be read. False: *err. */
static bool watch_follow(struct watch *watch, pid_t pid, struct err *err)
{
	struct process_usage *usage = &watch->reading.usage;
	if (!process_usage_read(pid, usage))
		return process_check(pid, err) && err_set(err, "Process %d has ended", (int)pid);
	if (pid == watch->refused && usage->start == watch->refused_start)
		return false;
	if (!running_check_copy(pid, err)) {
		watch->refused = pid;
		watch->refused_start = usage->start;
		return false;
	}
	watch->pid = pid;
	watch->start = usage->start;
	watch->limit = usage->limit;
	watch->waits = false;
	watch->snapshots = 0;
	buf_clear(&watch->name);
	process_add_name(pid, &watch->name);
	watch_bounds_restart(&watch->bounds);
	if (watch_is_said(++watch->processes))
		watch_say_limit(watch, false);
	return true;
}

/* Looks for a process of the name. */
static void watch_find(struct watch *watch)
{
	struct err err = {0};
	pid_t pid = process_named(watch->word, false, &err);
	if (pid && watch_follow(watch, pid, &err))
		return;
	if (err.set)
		watch_complain(watch, &err);
	if (!pid && !err.set && !watch->processes && !watch->waits) {
		struct buf line = {0};
		watch_begin(&line);
		buf_add(&line, "No process is called ");
		text_add_escaped(&line, watch->word, strlen(watch->word), SIZE_MAX);
		buf_add(&line, "; it is waited for");
		watch_say(watch, &line);
		watch->waits = true;
	}
	watch_sleep(SECOND);
}

/* Returns false if the process has ended. */
static bool watch_read(struct watch *watch)
{
	struct watch_reading *reading = &watch->reading;
	bool lives = process_usage_read(watch->pid, &reading->usage)
	             && reading->usage.start == watch->start;
	reading->time = clock_now();
	if (lives && reading->usage.limit != watch->limit) {
		watch->limit = reading->usage.limit;
		if (watch_is_said(++watch->limits))
			watch_say_limit(watch, true);
	}
	return lives;
}

/* ---- Snapshots */

/* Returns false with *err if the files would be kept in memory that the process may need. */
static bool watch_disk_fits(const struct watch *watch, struct err *err)
{
	int folder = open(watch->files.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int packed = watch->pack == PACK_NOT ? -1 : temporary_open(err);
	bool fits = (folder < 0 || process_file_fits(watch->pid, folder, &watch->reading.usage))
	            && (packed < 0 || process_file_fits(watch->pid, packed, &watch->reading.usage));
	if (folder >= 0)
		close(folder);
	if (packed >= 0)
		close(packed);
	return !err->set
	       && (fits
	           || err_set(err,
	                      "A snapshot of process %d was not taken, as its file would be kept in "
	                      "memory that the process may need: name a folder on a disk with %s",
	                      (int)watch->pid, packed < 0 ? "-o" : "-o and TMPDIR"));
}

/* Runs what the options ask for after a snapshot. */
static void watch_after(struct watch *watch, const char *core, const char *bound)
{
	const struct options *options = watch->options;
	struct err err = {0};
	watch_files_add(&watch->files, core);
	/* Objects of different processes cannot be compared. */
	if (options->report && ++watch->snapshots > 1)
		watch_jobs_report(&watch->jobs, watch->files.core[watch->files.count - 2], core);
	if (options->exec
	    && !watch_jobs_command(&watch->jobs, options->exec, core, watch->pid, bound, &err))
		err_tell(&err, NULL);
	watch_jobs_look(&watch->jobs);
}

static void watch_take(struct watch *watch, struct watch_bound **reached, size_t count)
{
	struct err err = {0};
	SCOPED_BUF path = {0};
	const char *bound = reached[count - 1]->text;
	struct snapshot snapshot = {.pid = watch->pid,
	                            .pack = watch->pack,
	                            .redact = watch->options->redact,
	                            .with_exe = watch->options->with_exe,
	                            .copying = watch->options->input.process,
	                            .progress = &watch_stop};
	watch_files_name(&watch->files, watch->pid, bound, pack_suffix(watch->pack), &path);
	snapshot.path = buf_text(&path);
	snapshot.copying.fork = process_fork_fits(watch->pid, &watch->reading.usage);
	if (watch_disk_fits(watch, &err))
		snapshot_take(&snapshot, &err);
	for (size_t i = 0; i < count; i++)
		watch_bound_tried(reached[i], snapshot.written, clock_now());
	if (snapshot.written) {
		watch_say_taken(watch, &snapshot, reached, count);
		watch_after(watch, snapshot.path, bound);
	}
	if (err.set && !atomic_load(&watch_stop.cancel) && watch_is_said(reached[count - 1]->times))
		err_tell(&err, NULL);
	buf_free(&snapshot.exe);
}

/* ---- The subcommand */

static void watch_step(struct watch *watch)
{
	struct watch_bound *reached[WATCH_BOUNDS_MOST];
	size_t count = watch_bounds_reached(&watch->bounds, &watch->reading, reached);
	if (count)
		watch_take(watch, reached, count);
	watch_jobs_look(&watch->jobs);
	if (!watch->bounds.once || !watch_bounds_all(&watch->bounds, true))
		watch_sleep(watch_bounds_wait(&watch->bounds, &watch->reading));
}

/* Follows the process, and those after it of its name, until there is nothing more to do. */
static void watch_run(struct watch *watch)
{
	while (!atomic_load(&watch_stop.cancel)
	       && !(watch->bounds.once && watch_bounds_all(&watch->bounds, true))) {
		if (!watch->pid) {
			watch_find(watch);
			watch_jobs_look(&watch->jobs);
		} else if (watch_read(watch)) {
			watch_step(watch);
		} else {
			if (watch_is_said(watch->processes)) {
				struct buf line = {0};
				watch_begin(&line);
				watch_add_process(watch, &line);
				buf_add(&line, " has ended");
				buf_add(&line,
				        watch->by_number ? "" : "; waiting for the next process of that name");
				watch_say(watch, &line);
			}
			watch->pid = 0;
			if (watch->by_number)
				break;
		}
	}
	while (!atomic_load(&watch_stop.cancel) && watch_jobs_look(&watch->jobs))
		watch_sleep(SECOND / 20);
}

/* False: *err. */
static bool watch_begins(struct watch *watch, struct err *err)
{
	const struct options *options = watch->options;
	watch->by_number = watch->word[strspn(watch->word, "0123456789")] == '\0'
	                   || strncmp(watch->word, "/proc/", 6) == 0;
	watch->files.folder = options->file ? options->file : ".";
	watch->files.most = options->count ? options->count : WATCH_BOUNDS_MOST;
	watch->bounds.once = !options->count;
	if (options->report && watch->files.most < 2)
		return err_set(err, "--report compares two snapshots: give --count 2 or more");
	if (!watch_bounds_parse(&watch->bounds, buf_text(&options->at), options->rate, err)
	    || !snapshot_pack(options, &watch->pack, err)
	    || !watch_folder_check(watch->files.folder, err))
		return false;
	if (!watch->by_number && (!*watch->word || strchr(watch->word, '/')))
		return snapshot_process(watch->word, err);
	pid_t pid = process_named(watch->word, false, err);
	return !err->set && (!pid || watch_follow(watch, pid, err));
}

enum status run_watch(const struct options *options)
{
	struct watch watch = {.options = options, .word = options->operands[0]};
	struct err err = {0};
	enum status status;
	end_signals_catch(watch_caught);
	signal(SIGPIPE, SIG_IGN); /* a reader that goes does not end the watch */
	if (!watch_begins(&watch, &err)) {
		status = complain(NULL, &err);
	} else {
		watch_run(&watch);
		status = atomic_load(&watch_stop.cancel)          ? STATUS_STOPPED
		         : watch_bounds_all(&watch.bounds, false) ? STATUS_ANSWERED
		         : watch_bounds_missed(&watch.bounds)     ? STATUS_FAILED
		                                                  : STATUS_NONE;
	}
	watch_jobs_end(&watch.jobs);
	watch_files_free(&watch.files);
	buf_free(&watch.name);
	return status;
}
