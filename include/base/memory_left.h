/* How much memory this program, or another one, may still take. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns a value in bytes from a file of lines "Name: 123 kB", such as /proc/meminfo; a huge
   number if the file or the line does not exist. */
uint64_t memory_left_line(const char *path, const char *name);

/* Returns what the limits of this program's control groups leave: memory.max of version 2,
   memory.limit_in_bytes of version 1. In a container that is the limit that it shares with the
   processes that it looks at. UINT64_MAX: no limit is known. */
uint64_t memory_left_in_groups(void);
/* The same with other folders than /proc and /sys/fs/cgroup. */
uint64_t memory_left_below(const char *proc, const char *cgroups);

/* The control groups of a process. Pages of files, which the kernel can take back, are not used. */
struct memory_groups {
	uint64_t left; /* the least that the limits leave; UINT64_MAX: no limit is known */
	/* The smallest limit, and the bytes that the group of that limit uses. UINT64_MAX: none. */
	uint64_t limit, used;
};
struct memory_groups memory_groups_of(pid_t pid);
/* The same of a process by its name in `proc`, with other folders than /proc and /sys/fs/cgroup. */
struct memory_groups memory_groups_below(const char *proc, const char *name, const char *cgroups);

/* Returns the address space that this program's limits leave it. UINT64_MAX: unlimited. */
uint64_t memory_left_in_space(void);

/* Returns the bytes that this program can take without the kernel ending a process: what the
   machine has available, and what the control groups leave. UINT64_MAX: not known. */
uint64_t memory_left(void);
