/* The parts of goheapx watch: bounds, the files that it writes, and what runs after each. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/process.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- Bounds */

enum { WATCH_BOUNDS_MOST = 16, WATCH_SAMPLES = 64 };

struct watch_reading {
	uint64_t time; /* ns of a clock that never goes back */
	struct process_usage usage;
	uint64_t growth; /* bytes that the RSS has grown within the last minute */
};

struct watch_kind; /* what a bound is compared with */

struct watch_bound {
	char text[24]; /* as it was given: "85%" */
	const struct watch_kind *kind;
	uint64_t value;      /* bytes, or hundredths of a percent */
	bool above;          /* it was reached, and usage has not fallen clearly below it since */
	bool taken, missed;  /* a snapshot was taken once; one failed, and none was taken */
	unsigned times;      /* how often it was tried */
	uint64_t next;       /* not before this time again */
	uint64_t last, seen; /* value and time of the last reading; seen 0: none of this process */
};

struct watch_bounds {
	struct watch_bound bound[WATCH_BOUNDS_MOST];
	size_t count;
	bool once; /* each bound is taken once */
	/* RSS about once a second, the oldest at `first`. */
	uint64_t sample_time[WATCH_SAMPLES], sample[WATCH_SAMPLES];
	size_t first, samples;
};

/* Parses lines of --at, "" for none, and --rate, or NULL. False: *err. */
bool watch_bounds_parse(struct watch_bounds *bounds, const char *at, const char *rate,
                        struct err *err);
/* Forgets the usage of a process that has ended: its bounds can be reached again. */
void watch_bounds_restart(struct watch_bounds *bounds);
/* Takes a reading, and sets its growth. Stores the bounds that are reached now, the highest last.
   Returns their number. */
size_t watch_bounds_reached(struct watch_bounds *bounds, struct watch_reading *reading,
                            struct watch_bound **reached);
/* Notes that a snapshot was tried for a bound at a time. */
void watch_bound_tried(struct watch_bound *bound, bool taken, uint64_t time);
/* Returns the ns until the next reading: the nearer and the faster a bound is approached, the
   less. */
uint64_t watch_bounds_wait(struct watch_bounds *bounds, const struct watch_reading *reading);
/* Returns true if a bound was reached, and no snapshot of it could be taken. */
bool watch_bounds_missed(const struct watch_bounds *bounds);
/* Returns true if each bound was taken, or `missed`: tried. */
bool watch_bounds_all(const struct watch_bounds *bounds, bool missed);
/* Appends what has reached a bound: "440.1 MB of 512.0 MB are used". */
void watch_bound_add_usage(const struct watch_bound *bound, const struct watch_reading *reading,
                           struct buf *out);

/* ---- Files */

enum { WATCH_FILES_MOST = 100 };

struct watch_files {
	const char *folder;
	char *core[WATCH_FILES_MOST]; /* the oldest first */
	size_t count, most;
};

/* Returns false with *err unless files can be written in the folder. */
bool watch_folder_check(const char *folder, struct err *err);
/* Appends the path of a new core file. */
void watch_files_name(const struct watch_files *files, pid_t pid, const char *bound,
                      const char *suffix, struct buf *out);
/* Appends the path without the suffix of a compressed file, and with another suffix. */
void watch_files_beside(const char *core, const char *suffix, struct buf *out);
/* Adds a core file; removes the oldest one, with what was written beside it, if there are too
   many. */
void watch_files_add(struct watch_files *files, const char *core);
void watch_files_free(struct watch_files *files);

/* ---- Reports and commands, which run beside the watch */

enum { WATCH_JOBS_MOST = 8 };

struct watch_jobs {
	struct watch_job {
		pid_t pid; /* 0: free */
		bool report;
		struct buf about; /* the core file */
	} job[WATCH_JOBS_MOST];
	struct buf older, newer; /* core files that are to be compared; empty: none */
};

/* Runs a command of the shell for a snapshot. False: *err. */
bool watch_jobs_command(struct watch_jobs *jobs, const char *command, const char *core, pid_t pid,
                        const char *bound, struct err *err);
/* Writes a report beside the newer core file, after the one that is being written. */
void watch_jobs_report(struct watch_jobs *jobs, const char *older, const char *newer);
/* Tells on stderr which have failed, and starts what waits. Returns true if any are running. */
bool watch_jobs_look(struct watch_jobs *jobs);
/* Ends all that are running. */
void watch_jobs_end(struct watch_jobs *jobs);
