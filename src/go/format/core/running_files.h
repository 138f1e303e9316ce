/* The files whose code a process has mapped: its executable and libraries. */
#pragma once

#include "base/buf.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct running_files {
	FILE *maps; /* NULL: it may not be read, and there are none */
	pid_t pid;
	size_t left;
	char *line;
	size_t room;
};

/* Opens the list of a process; running_files_close frees it. */
void running_files_open(struct running_files *files, pid_t pid);
/* Stores the path of the next file, as it can be opened from here: /proc/PID/root/...
   Returns false at the end, or after many files. */
bool running_files_next(struct running_files *files, struct buf *path);
void running_files_close(struct running_files *files);
