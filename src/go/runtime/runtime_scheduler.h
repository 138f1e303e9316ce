/* Finds variables of the runtime that follow from those already found, in a program without
   symbols: runtime.sched and m0 from the list of threads, allgptr from allgs, and those of the
   runtime's own goroutines (runtime/proc.go, mfinal.go, mgcsweep.go). */
#pragma once

#include "go/runtime/runtime_variables.h"

#include <stdbool.h>

/* The list of all threads: each m has the next one at offset `link`; the last one is m0. */
struct runtime_threads {
	uint64_t newest, link;
	size_t count; /* 0: not found */
};

/* Returns true if a runtime.m is at an address. */
bool runtime_is_m(const struct heap *heap, uint64_t m);
/* Returns the longest list of threads that begins with an m. Takes the threads that it visits from
 *budget: none is found when that is used up. */
struct runtime_threads runtime_threads_of(const struct heap *heap, uint64_t m, uint64_t *budget);

/* Adds the variables, and removes those that are parts of them. */
void runtime_scheduler_find(const struct heap *heap, const struct runtime_threads *threads,
                            struct runtime_variables *variables);
/* Adds the only word that refers to the first element of runtime.allgs. */
void runtime_allgptr_find(const struct heap *heap, uint64_t list,
                          struct runtime_variables *variables);
