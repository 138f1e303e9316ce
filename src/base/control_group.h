/* The control groups of a process, of both versions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is done with each group: its folder, and whether it is of version 2. */
typedef void control_group_visit(void *self, const char *folder, bool two);

/* Visits the groups that a process is in for a controller such as "memory", from its own one
   upward: those of version 1 that have this controller, and all of version 2. `name` is the process
   in the folder `proc`; `cgroups` is where control groups are. A container may see the top one
   only. */
void control_groups_visit(const char *proc, const char *name, const char *cgroups,
                          const char *controller, control_group_visit *visit, void *self);
/* The same with /proc and /sys/fs/cgroup. */
void control_groups_of(int pid, const char *controller, control_group_visit *visit, void *self);

/* Reads the number after a name, or the first number if `name` is empty, from a file of a group.
   Returns false if there is none, as in a group without a limit. */
bool control_group_number(const char *folder, const char *file, const char *name, uint64_t *number);
/* Reads the first line of a file of a group; empty: there is none. */
void control_group_line(const char *folder, const char *file, char *line, size_t room);
/* Returns true if a file of a group begins with a text. */
bool control_group_says(const char *folder, const char *file, const char *text);
