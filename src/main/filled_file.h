/* Output files that are filled through a descriptor: plain or compressed, a file that appears when
   it is complete, or the standard output. */
#pragma once

#include "base/err.h"
#include "base/pack.h"

struct filled_file {
	const char *path; /* "-": the standard output */
	enum pack_kind pack;
	/* Writes the content into an empty file, which it may write in any order. */
	bool (*fill)(void *self, int fd, struct err *err);
	void *self;
	uint64_t packed; /* set: bytes of the compressed file */
};

bool filled_file_is_printed(const struct filled_file *file);
/* Copies the rest of a file. False: errno. */
bool filled_file_copy(int from, int to);
bool filled_file_write(struct filled_file *file, struct err *err);
