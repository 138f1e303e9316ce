/* A dump as read-only memory: a file mapped as it is, or a compressed one unpacked to a private
   temporary file that has no name from the start (0600, gone whatever happens). */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include "base/err.h"
#include "base/process.h"
#include "base/unpack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct input {
	char *path;          /* as given */
	const uint8_t *data; /* size bytes; stays readable even when the file shrinks: see below */
	size_t size;
	const char *filter; /* "gzip", "zstd", "xz", "bzip2", "lz4" when data is the unpacked content of
	                     * path, or NULL
	                     */
	char *damage; /* a sentence: what is wrong with that archive; NULL: nothing, or it is none */
	pid_t pid;    /* of the process that data is a core file of; 0: it is of a file */
	struct process_copy copy; /* then: what that has cost */
	char *process_executable; /* then: its executable */
	const char *executable; /* of the program whose dump it is, as the user has named it; borrowed,
	                           NULL: not named */
	int fd;                 /* of path, also when data is its unpacked content; private */
	struct stat opened;     /* what path was when it was opened; private */
};

/* Opens and maps a regular file, or copies the memory of a process that the path means
   (base/process.h: process_named). Refuses directories, devices, pipes and empty files with a
   sentence, which like all those of this layer does not name the path: who has asked does.
   `known`, which may be NULL, says whether it is worth while to unpack an archive. Where another
   process shortens the file while it is mapped, its lost bytes read as zero (a SIGBUS handler is
   installed for that) and input_loss() tells. */
bool input_open(struct input *input, const char *path, unpack_known *known,
                struct progress *progress, struct err *err);
void input_close(struct input *input);

/* Bytes that are not needed for now: they leave memory, and come back when they are read again. */
void input_forget(const struct input *input, uint64_t from, uint64_t to);

/* Was path written to after it was opened? From then on answers may mix what it held and what it
   holds; only those about an archive are still about what was there when it was unpacked. A file
   that was renamed, removed or replaced by another of its name is what it was: its content stays as
   long as it is open. Costs a system call or two. */
bool input_changed(const struct input *input);

/* What has become of bytes that are not there any more, as a sentence, and where they begin; NULL:
   nothing was lost. The file is shorter than it was, or its disk fails. */
const char *input_loss(const struct input *input, uint64_t *offset);

/* For another SIGBUS handler, async-signal-safe: true when the address lies in a mapped input; its
   lost bytes now read as zero, and the handler should return. */
bool input_rescue(const void *address);
/* Likewise, where it is false: ends the program with a line that says what was lost, if that is
   known. */
void input_end_lost(void);

#endif
