/* Finds code in a process that ends it. amd64 only. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/* Returns the address of an exit_group call in the code of a process, or 0. Reads no page of it
   that is not in memory, but then its executable, which is open as `exe`, or -1. The process need
   not be stopped. */
uint64_t exit_code_find(pid_t pid, int exe);
