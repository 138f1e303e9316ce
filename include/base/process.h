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
};

/* Which process a word means: "1234", "/proc/1234", or the name of one program that runs. 0 and
   *err when it means none, or several; 0 without *err set when it does not look like one at all, or
   when there is a file of that name and files come first. */
pid_t process_named(const char *word, bool files_first, struct err *err);

/* Appends "server" or what else it calls itself, made visible. */
void process_add_name(pid_t pid, struct buf *out);
/* Bytes that are resident; 0: not known. */
uint64_t process_resident(pid_t pid);
/* Where its executable is opened from: the path that it was started with where that is still the
   same file, else /proc/PID/exe. free() it. */
char *process_executable(pid_t pid);

/* Stops all its threads, writes a core file of its resident private memory to `fd`, from offset 0
   on with holes, and lets it go; it goes on as if nothing had been, also when this program is
   killed in between. False: *err, and it has been let go. */
bool process_copy(pid_t pid, int fd, struct process_copy *copy, struct progress *progress,
                  struct err *err);

#endif
