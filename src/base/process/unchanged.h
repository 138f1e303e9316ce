/* Copies what a process has not changed of executables and libraries: from their files, so that the
   process gets no page that it did not have. */
#pragma once

#include "regions.h"

struct unchanged_part {
	uint64_t address; /* where the mapping begins */
	uint64_t end, inode;
	uint64_t from, size, offset; /* in that file, and in the core file */
	char *path;
};
struct unchanged {
	int exe; /* the executable, opened before the process was stopped; -1: none */
	struct unchanged_part *part;
	size_t count, capacity;
};

/* Adds `size` bytes at an address of the region, for a place in the core file. */
void unchanged_add(struct unchanged *unchanged, const struct region *region, uint64_t address,
                   uint64_t size, uint64_t offset);
/* Writes all to `fd`: to be called when the process goes on, as a disk may be slow. What cannot be
   read stays a hole. Adds to copy->bytes. Returns false with *err. */
bool unchanged_write(struct unchanged *unchanged, pid_t pid, int fd, struct process_copy *copy,
                     struct progress *progress, struct err *err);
/* Opens the executable of the process. Returns -1 if it cannot be opened. */
int unchanged_open_exe(pid_t pid);
/* Frees all but `exe`. */
void unchanged_free(struct unchanged *unchanged);
