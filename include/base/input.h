/* A dump as read-only memory. A plain file is mapped; a compressed file is unpacked to a private
   temporary file without a name (0600, gone however the process ends) and that is mapped. */
#pragma once

#include "base/err.h"
#include "base/process.h"
#include "base/unpack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct redaction;

/* How an input is opened; all zero by default. Borrowed by the input. */
struct input_options {
	struct unpack_options unpack;
	struct process_options process;
	bool in_memory; /* the copy of a process is kept in memory, never on a disk */
	/* the separate debug file of the executable, as named by the user; NULL: it is searched for */
	const char *debug_file;
};
/* Returns the options for another file of the same dump. `options` may be NULL. */
struct input_options input_options_for(const struct input_options *options, unpack_known *known);

struct input {
	char *path;          /* as given by the user */
	const uint8_t *data; /* size bytes; stays readable even when the file shrinks: see below */
	size_t size;
	/* "gzip", "zstd", "xz", "bzip2", "lz4" when data is the unpacked content of path, or NULL */
	const char *filter;
	char *damage; /* a sentence that says what is wrong with the archive, or NULL */
	pid_t pid;    /* the process that data is a core file of, or 0 if the input is a file */
	struct process_copy copy; /* cost of the copy, if pid is not 0 */
	char *process_executable; /* executable of the process, if pid is not 0; owned */
	/* the program that wrote the dump, as named by the user; borrowed; NULL if not named */
	const char *executable;
	struct input_options options; /* with which it was opened */
	/* Set while the input is examined for redaction: readers of process memory tell it what they
	   read as numbers of the runtime. NULL otherwise. Borrowed. */
	struct redaction *redaction;
	bool redacted;      /* what may be secret was zeroed after it was opened */
	int fd;             /* descriptor of path, even if data is its unpacked content; private */
	struct stat opened; /* state of path when it was opened; private */
};

/* Opens and maps a regular file, or copies the memory of a process if path means one
   (base/process.h: process_named). Fails for directories, devices, pipes and empty files with a
   sentence that does not name the path: the caller does. `options` may be NULL. If another process
   shortens the mapped file, the lost bytes read as zero (a SIGBUS handler is installed for that)
   and input_loss() reports it. */
bool input_open(struct input *input, const char *path, const struct input_options *options,
                struct progress *progress, struct err *err);
void input_close(struct input *input);

/* Releases the pages of bytes that are not needed for now; a later access reads them again. */
void input_forget(const struct input *input, uint64_t from, uint64_t to);

/* Zeroes the bytes of the mapped input that do not stay; the file is unchanged. Returns false with
 *err. */
bool input_redact(struct input *input, struct redaction *redaction, struct err *err);

/* Returns true if path was written to after it was opened. From then on answers may mix old and new
   content, except those about an archive, whose content was copied. Renaming, removing or replacing
   the file does not count: the open file stays the same. Costs one or two system calls. */
bool input_changed(const struct input *input);

/* Returns a sentence about lost bytes and their first offset, or NULL if nothing is lost. The file
   was shortened, or its disk fails. */
const char *input_loss(const struct input *input, uint64_t *offset);

/* For another SIGBUS handler, async-signal-safe. Returns true if the address lies in a mapped
   input: its lost bytes now read as zero, and the handler should return. */
bool input_rescue(const void *address);
/* To be called if input_rescue returned false: ends the program with a line that says what was
   lost, if that is known. */
void input_end_lost(void);
