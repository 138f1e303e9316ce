/* A running Linux process as input: its memory is copied into an ELF core file while the process is
   stopped. */
#pragma once

#include "base/err.h"
#include "base/progress.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Cost and result of a copy. */
struct process_copy {
	uint64_t pause;  /* ns during which the process was stopped */
	uint64_t bytes;  /* bytes copied */
	uint64_t length; /* length of the core file, holes included */
	unsigned threads;
	/* the process made a fork of itself, which was copied while the process ran */
	bool forked;
	/* why no fork was made although it was requested, as the end of a sentence */
	char not_forked[128];
	pid_t stuck; /* a thread that did not stop in time, so that there is no copy; 0: none */
	bool late;   /* it was ended before all threads had stopped: this machine has much to do */
	bool left;   /* the fork has ended, but the process has not taken its exit status */
	pid_t pid;
	uint64_t note; /* offset of struct process_note in the core file; 0: none */
};

/* A note of such a core file, with the name "goheapx"; little-endian. */
struct process_note {
	uint64_t pid, time;            /* time: seconds since 1970 */
	uint64_t pause, bytes, forked; /* as in struct process_copy */
};
/* Note types. PROCESS_RESIDENT holds pairs of start and end addresses of the memory that was
   resident, ascending. */
enum {
	PROCESS_NOTE = 0x68656170,
	PROCESS_RESIDENT = 0x68656171,
};

/* Returns the process that a word means: "1234", "/proc/1234", or the name of a running program.
   Returns 0 with *err if no process has that number, or if several have that name. Returns 0
   without *err if the word is a path, if no program of that name runs, or if a file of that name
   exists and files come first. err may be NULL. */
pid_t process_named(const char *word, bool files_first, struct err *err);

/* Appends the name of the process, such as "server", with unprintable bytes escaped. */
void process_add_name(pid_t pid, struct buf *out);
/* Returns true if the process has memory that can be copied. Otherwise *err says what it is: a
   zombie, a thread, a kernel thread, traced by another process. Does not stop it. */
bool process_check(pid_t pid, struct err *err);
/* Returns true if the process lives. While a thread of it becomes another program by exec(), it
   looks for moments as if it had ended: these are waited for. */
bool process_lives(pid_t pid);
/* Sets *err to the reason why the kernel denies access to the process; always returns false. */
bool process_denied_here(pid_t pid, struct err *err);
/* Returns the bytes that a copy would hold now; 0: not known. */
uint64_t process_size(pid_t pid);
/* Returns true if there is memory for a copy of so many bytes: it is read into memory then, and
   written when the process goes on. */
bool process_is_staged(uint64_t bytes);
/* Removes the suffix " (deleted)" that the kernel appends to the path of a removed executable. */
void process_cut_deleted(char *target);
/* Returns the path to open the executable from: the path that it was started with if that is still
   the same file, otherwise /proc/PID/exe. The caller frees it. */
char *process_executable(pid_t pid);
/* Opens /proc/PID/exe. Returns a descriptor; -1: errno. */
int process_executable_open(pid_t pid);

/* What a process uses now, and what limits it. */
struct process_usage {
	uint64_t resident; /* RSS in bytes */
	uint64_t start;    /* clock ticks since boot: another process of the same number has another */
	/* The smallest limit, and what is used of it: of a control group, without pages of files; else
	   the memory of the machine, and the RSS. */
	uint64_t limit, used;
	bool of_group;
	uint64_t left; /* the least that all limits and the machine leave */
};
/* Reads /proc only. Returns false if the process has ended. */
bool process_usage_read(pid_t pid, struct process_usage *usage);
/* Returns true if a fork would fit under the limits even if the process wrote to all its memory. */
bool process_fork_fits(pid_t pid, const struct process_usage *usage);
/* Returns false if a copy in the file system of `fd` would be kept in memory, and could take what
   the process may still use. */
bool process_file_fits(pid_t pid, int fd, const struct process_usage *usage);
/* Makes this program the first that the kernel ends when there is no memory. */
void process_go_first(void);

/* How a process is copied; all zero by default. */
struct process_options {
	/* from a fork of itself if possible: it is stopped only for the fork, and needs more memory
	   while it writes during the copy */
	bool fork;
	uint64_t most; /* a copy of more bytes fails; 0: any number */
};

/* Stops all threads, writes a core file of the resident private memory to `fd` from offset 0 with
   holes, and releases the process, also when this program is killed meanwhile. Returns false with
   *err; the process is released then, too. */
bool process_copy(pid_t pid, int fd, const struct process_options *options,
                  struct process_copy *copy, struct progress *progress, struct err *err);
