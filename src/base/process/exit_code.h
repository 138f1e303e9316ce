/* Code in a process that ends it. On amd64. */
#ifndef BASE_PROCESS_EXIT_CODE_H
#define BASE_PROCESS_EXIT_CODE_H

#include <stdint.h>
#include <sys/types.h>

/* The address of a call of exit_group in the code of a process; 0: none is found. The process need
   not be stopped. */
uint64_t exit_code_find(pid_t pid);

#endif
