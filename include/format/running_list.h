/* The Go programs that run and whose memory may be read. */
#ifndef FORMAT_RUNNING_LIST_H
#define FORMAT_RUNNING_LIST_H

#include "base/text.h"

#include <sys/types.h>

struct running_process {
	pid_t pid;
	struct buf name, version, executable; /* as they are: any bytes */
	uint64_t resident;                    /* bytes of memory */
	bool deleted;                         /* its executable was removed or replaced */
	bool elsewhere;                       /* it is of another mount namespace, as in a container */
};
struct running_list {
	struct running_process *process; /* those with the most memory first */
	size_t count;
	size_t denied; /* processes that this user may not look at */
};

/* Reads /proc and the executables; stops no process. One that ends meanwhile is left out. */
struct running_list running_list_new(void);
void running_list_free(struct running_list *list);

#endif
