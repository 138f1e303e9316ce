/* A running process as input: its memory is copied into an ELF core file while it is stopped.
   Linux. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "base/err.h"
#include "base/progress.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What a copy has cost. */
struct process_copy {
	uint64_t pause;  /* ns that the process was stopped */
	uint64_t bytes;  /* copied */
	uint64_t length; /* of the core file, holes included */
	unsigned threads;
	bool forked;          /* it made a copy of itself, and that was copied while it ran */
	char not_forked[128]; /* why it did not though that was wanted, as the end of a sentence */
	bool left;            /* that copy has ended, but the process does not take its exit status */
	pid_t pid;
	uint64_t note; /* where in the core file its struct process_note is; 0: nowhere */
};

/* What such a core file tells of itself, as a note of the name "goheapx", little-endian. */
struct process_note {
	uint64_t pid, time;            /* time: seconds since 1970 */
	uint64_t pause, bytes, forked; /* as above */
};
/* Another one holds pairs of addresses: where what was in memory begins and ends, by address. */
enum { PROCESS_NOTE = 0x68656170, PROCESS_RESIDENT = 0x68656171 }; /* their types */

/* Which process a word means: "1234", "/proc/1234", or the name of one program that runs. 0 and
   *err when it means none, or several; 0 without *err set when it does not look like one at all, or
   when there is a file of that name and files come first. err may be NULL. */
pid_t process_named(const char *word, bool files_first, struct err *err);

/* Appends "server" or what else it calls itself, made visible. */
void process_add_name(pid_t pid, struct buf *out);
/* Has it memory of its own that may be copied? False: *err says what it is instead: a zombie, a
   thread, a thread of the kernel, traced by another process. It is not stopped for this. */
bool process_check(pid_t pid, struct err *err);
/* Why the kernel does not let us look at it: sets *err, returns false. */
bool process_denied_here(pid_t pid, struct err *err);
/* The bytes of it that a copy would hold now; 0: not known. */
uint64_t process_size(pid_t pid);
/* Takes away what the kernel adds to the path of an executable that is not there any more. */
void process_cut_deleted(char *target);
/* Where its executable is opened from: the path that it was started with where that is still the
   same file, else /proc/PID/exe. free() it. */
char *process_executable(pid_t pid);

/* From now on processes are copied from a fork of them where that can be made: they are stopped
   only as long as that takes, and need more memory meanwhile, as they write. */
void process_want_fork(bool wanted);
bool process_wants_fork(void);
/* From now on no process is copied that has more bytes to copy. */
void process_limit(uint64_t bytes);

/* Stops all its threads, writes a core file of its resident private memory to `fd`, from offset 0
   on with holes, and lets it go; it goes on as if nothing had been, also when this program is
   killed in between. False: *err, and it has been let go. */
bool process_copy(pid_t pid, int fd, struct process_copy *copy, struct progress *progress,
                  struct err *err);

#endif
