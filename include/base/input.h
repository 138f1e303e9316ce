/* A dump as read-only memory: a file mapped as it is, or a compressed one unpacked to a private
   temporary file that has no name from the start (0600, gone whatever happens). */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include "base/err.h"
#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input {
	char *path;          /* as given */
	const uint8_t *data; /* size bytes; stays readable even when the file shrinks: see below */
	size_t size;
	const char *filter;  /* "gzip", "zstd", "xz" when data is the unpacked content of path, or NULL */
	int fd;              /* of what is mapped; private */
};

/* Opens and maps a regular file. Refuses directories, devices, pipes and empty files with a
   sentence. Where another process shortens the file while it is mapped, its lost bytes read as zero
   (a SIGBUS handler is installed for that) and input_shrunk() tells. */
bool input_open(struct input *input, const char *path, struct progress *progress, struct err *err);
void input_close(struct input *input);

/* Bytes that are not needed for now: they leave memory, and come back when they are read again. */
void input_forget(const struct input *input, uint64_t from, uint64_t to);

/* Offset of the first byte that was lost, or UINT64_MAX. */
uint64_t input_shrunk(const struct input *input);

/* For another SIGBUS handler, async-signal-safe: true when the address lies in a mapped input; its
   lost bytes now read as zero, and the handler should return. */
bool input_rescue(const void *address);

#endif
