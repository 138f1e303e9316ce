/* Output files that are filled through a descriptor: plain or compressed, a file that appears when
   it is complete, or the standard output. */
#pragma once

#include "base/err.h"
#include "base/pack.h"

struct filled_file {
	const char *path; /* "-": the standard output; what is no file, such as a pipe, stays so */
	enum pack_kind pack;
	/* Writes the content into an empty file, which it may write in any order. */
	bool (*fill)(void *self, int fd, struct err *err);
	void *self;
	uint64_t packed; /* set: bytes of the compressed file */
};

/* Returns true for "-", and for a path that leads to a device or a pipe: that is written to and
   gets no file in its place. */
bool filled_file_is_printed(const char *path);
/* Returns true if that is a terminal, which content that is not text must not be written to. */
bool filled_file_is_terminal(const char *path);
/* Opens what filled_file_is_printed() is true of. Returns a descriptor for filled_file_printed();
 *-1: err. */
int filled_file_print(const char *path, struct err *err);
/* Closes it. `done` says whether all was written; if not, *err is set already. */
bool filled_file_printed(const char *path, int fd, bool done, struct err *err);
/* Copies the rest of a file. False: errno. */
bool filled_file_copy(int from, int to);
bool filled_file_write(struct filled_file *file, struct err *err);
