/* What its control groups and the machine allow a process. Reads files only. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns true if the control group of the process is frozen. `first`: of version 1 only, whose
   threads cannot be stopped. */
bool limits_frozen(pid_t pid, bool first);
/* Returns how many processors its control groups allow it, such as 0.5; 0: there is no limit. */
double limits_processors(pid_t pid);
/* Returns how many more threads and processes it can have: by its control groups, its user and the
   machine. UINT64_MAX: no limit is known. */
uint64_t limits_tasks_left(pid_t pid);
