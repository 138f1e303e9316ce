/* Counts the goroutines of a running program without stopping it. */
#pragma once

#include "go/exe/exe.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Where a program keeps its goroutines, by the symbols of its executable. */
struct running_goroutines {
	uint64_t entry;        /* link-time address of the program's entry */
	uint64_t list, length; /* link-time addresses of runtime.allgptr and allglen; 0: unknown */
	uint32_t status;       /* offset of the status in a goroutine */
};

/* `list` is 0 if the executable has no symbols or is of an unknown version. */
struct running_goroutines running_goroutines_of(const struct exe *exe);
/* Stores the number of goroutines that have not ended, those of the runtime included. Returns false
   if they are too many to be read at once, or if the memory may not be read. */
bool running_goroutines_count(pid_t pid, const struct running_goroutines *where, uint64_t *count);
