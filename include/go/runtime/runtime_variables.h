/* Finds the runtime's variables in a program without symbols, by their content: lists of
   goroutines, threads, processors and pools, the tables of itabs and semaphores, the scheduler
   (runtime/runtime2.go, sync/pool.go, iface.go, sema.go, proc.go). All elements of such a list must
   be consistent; ambiguous variables get no name. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct heap;

enum runtime_variable_kind {
	RUNTIME_ALLGS,
	RUNTIME_ALLGS_COPY, /* or runtime.allgs itself, if the slice is full */
	RUNTIME_ALLP,
	RUNTIME_ALLM,
	RUNTIME_ITABS,
	RUNTIME_POOLS,       /* all pools have content */
	RUNTIME_OLD_POOLS,   /* all pools had content before the last collection */
	RUNTIME_OTHER_POOLS, /* either list */
	RUNTIME_SEMTABLE,
	RUNTIME_M0,
	RUNTIME_SCHED,
	RUNTIME_ALLGPTR,
	RUNTIME_FING, /* the goroutine that calls finalizers */
	RUNTIME_FORCEGC,
	RUNTIME_SWEEP,
	RUNTIME_OTHER,
	RUNTIME_KINDS
};

struct runtime_variable {
	uint64_t address, size;
	uint64_t length;  /* length of its list */
	const char *name; /* "runtime.allgs"; NULL: a variable of the runtime without a unique name */
	enum runtime_variable_kind kind;
};

struct runtime_variables {
	struct runtime_variable *item; /* sorted by address */
	size_t count, capacity;
	struct runtime_objects {
		uint32_t *id;
		size_t count, capacity;
	} threads, processors; /* all runtime.m and runtime.p on the heap */
};

/* Finds the variables. Requires heap_read; if `heap` is NULL, there are none. */
struct runtime_variables *runtime_variables_new(const struct heap *heap);
void runtime_variables_free(struct runtime_variables *variables);
/* Returns the variable that contains an address, or NULL. `variables` may be NULL. */
const struct runtime_variable *runtime_variables_at(const struct runtime_variables *variables,
                                                    uint64_t address);
