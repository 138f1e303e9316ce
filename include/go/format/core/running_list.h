/* Lists running Go programs, and programs with Go libraries, whose memory can be read. */
#pragma once

#include "base/text.h"

#include <sys/types.h>

struct running_process {
	pid_t pid;
	struct buf name, version, executable; /* any bytes */
	struct buf libraries; /* of Go, which a program of another language has loaded: "a.so, b.so" */
	uint64_t resident;    /* resident bytes */
	uint64_t threads;     /* number of them, with those of the runtime */
	bool counted;         /* it is known: the executable has symbols */
	bool deleted;         /* its executable was removed or replaced */
	bool elsewhere;       /* in another mount namespace, such as a container */
};
struct running_list {
	struct running_process *process; /* largest memory first */
	size_t count;
	size_t denied; /* number of processes that this user may not inspect */
};

/* Reads /proc, the executables, and the states of goroutines; stops no process. Processes that end
 * meanwhile are omitted. */
struct running_list running_list_new(void);
void running_list_free(struct running_list *list);
