/* The runtime's own variables in a program without symbols, told by what stands in them: lists of
   goroutines, threads, processors and pools, the tables of itabs and of waits for semaphores
   (runtime/runtime2.go, sync/pool.go, iface.go, sema.go). All that such a list refers to must
   agree; what may be two of them gets no name. */
#ifndef GORUNTIME_RUNTIME_VARIABLES_H
#define GORUNTIME_RUNTIME_VARIABLES_H

#include "heap/heap.h"

enum runtime_variable_kind {
	RUNTIME_ALLGS,
	RUNTIME_ALLGS_COPY, /* or the same where the slice has no room left */
	RUNTIME_ALLP,
	RUNTIME_ALLM,
	RUNTIME_ITABS,
	RUNTIME_POOLS,       /* all have something */
	RUNTIME_OLD_POOLS,   /* all had something before the last collection */
	RUNTIME_OTHER_POOLS, /* both */
	RUNTIME_SEMTABLE,
	RUNTIME_OTHER,
	RUNTIME_KINDS
};

struct runtime_variable {
	uint64_t address, size;
	uint64_t length;  /* of the list that it leads to */
	const char *name; /* "runtime.allgs"; NULL: it is one of the runtime's */
	enum runtime_variable_kind kind;
};

struct runtime_variables {
	struct runtime_variable *item; /* by address */
	size_t count, capacity;
	struct runtime_objects {
		uint32_t *id;
		size_t count, capacity;
	} threads, processors; /* each runtime.m and runtime.p on the heap */
};

/* After heap_read. `heap` may be NULL: there are none. */
struct runtime_variables *runtime_variables_new(const struct heap *heap);
void runtime_variables_free(struct runtime_variables *variables);
/* The variable that an address lies in; NULL: none. `variables` may be NULL: there are none. */
const struct runtime_variable *runtime_variables_at(const struct runtime_variables *variables,
                                                    uint64_t address);

#endif
