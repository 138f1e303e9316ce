/* The call of a goroutine that says most about what it does. */
#ifndef ANALYSIS_GOROUTINE_PLACE_H
#define ANALYSIS_GOROUTINE_PLACE_H

#include "types/names.h"

struct goroutine_place {
	uint32_t frame;           /* index in heap->frames */
	struct text function;     /* of the frame, or one that the compiler inlined into it */
	struct pclntab_line line; /* of that function; line 0: not known */
};

/* The innermost call of a function of package main; else the innermost one outside of packages that
   only wait, such as runtime, sync and net; else, of a goroutine of the runtime, the function that
   it was started with. Inlined calls count where `names`, which may be NULL, knows them; wrappers
   that the compiler makes for go statements and method values only where nothing else is there.
   False: the goroutine has no frames. */
bool goroutine_place(const struct heap *heap, const struct names *names,
                     const struct goroutine *goroutine, struct goroutine_place *place);

#endif
