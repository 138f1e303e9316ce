/* The call on a goroutine's stack that best describes what it does. */
#ifndef RUNTIMES_GO_GOROUTINE_PLACE_H
#define RUNTIMES_GO_GOROUTINE_PLACE_H

#include "types/names.h"

struct goroutine_place {
	uint32_t frame;           /* index in heap->frames */
	struct text function;     /* of the frame, or of a function inlined into it */
	struct pclntab_line line; /* in that function; line 0: unknown */
};

/* Selects the innermost call of a function of package main; else the innermost call outside of
   packages that only wait, such as runtime, sync and net; else, for a goroutine of the runtime, its
   start function. Inlined calls count if `names` (may be NULL) knows them. Compiler-generated
   wrappers for go statements and method values are the last choice. False: the goroutine has no
   frames. */
bool goroutine_place(const struct heap *heap, const struct names *names,
                     const struct thread *thread, struct goroutine_place *place);

#endif
