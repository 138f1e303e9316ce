/* The call on a thread's stack that best describes what the thread does. */
#pragma once

#include "base/plugin.h"
#include "go/types/names.h"

struct thread;

struct thread_place {
	uint32_t frame;           /* index in heap->frames */
	struct text function;     /* of the frame, or of a function inlined into it */
	struct pclntab_line line; /* in that function; line 0: unknown */
	bool wraps;               /* the frame is of a wrapper that only calls the function */
};

/* How a runtime selects that call: it knows which functions only wait. PLUGIN(thread_placers, ...)
 */
struct thread_placer {
	const struct runtime *runtime;
	/* `names` may be NULL. False: the thread has no frames. */
	bool (*place)(const struct heap *heap, const struct names *names, const struct thread *thread,
	              struct thread_place *place);
};

/* Calls the function of the heap's runtime. False: the thread has no frames. */
bool thread_place(const struct heap *heap, const struct names *names, const struct thread *thread,
                  struct thread_place *place);
