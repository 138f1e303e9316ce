/* Where the runtime's variables and structures are in the memory of a process. */
#ifndef FORMAT_CORE_RUNTIME_H
#define FORMAT_CORE_RUNTIME_H

#include "core_layout.h"

struct core_runtime {
	struct core_memory memory;
	struct core_layout layout;
	bool arm64;
	bool tried;   /* of a version that nobody has looked at */
	bool library; /* the executable is a library that the program has loaded */
	bool proven;  /* the executable is the one that ran: their build ids are equal */
	/* Addresses of variables; 0: not found. */
	uint64_t mheap, allgs, module, allfin, cleanups, itab_table, allm, wait_reasons, mbuckets,
		profile_rate;
	uint64_t arena_base; /* what arenas are counted from */
};

/* Opens the executable whose memory this is and finds the runtime in it. Takes memory.file over:
   core_runtime_fini gives back all. False: *err says what is missing. */
bool core_runtime_init(struct core_runtime *rt, struct core_file *file, const char *core_path,
                       bool packed, const char *exe_path, struct err *err);
void core_runtime_fini(struct core_runtime *rt);

/* From the first to the end of the last variable of a module. Go's own linker puts .noptrdata
   first, GNU ld .data. Both are 0 where the module says nothing that the core file can hold. */
struct core_run core_module_variables(const struct core_runtime *rt, uint64_t module);
/* A word of the arena record that a heap address is described by; 0: there is none. */
uint64_t core_arena(const struct core_runtime *rt, uint64_t address);
/* Bytes of one arena. */
#define CORE_ARENA_BYTES (UINT64_C(64) << 20)
enum { CORE_PAGE = 8192 };
/* What a span is for: mspan.state. Others are none. */
enum { CORE_SPAN_IN_USE = 1, CORE_SPAN_MANUAL = 2 };

static inline uint64_t rt_field(const struct core_runtime *rt, uint64_t structure,
                                enum core_field field)
{
	return core_field(&rt->memory, &rt->layout, structure, field);
}
static inline uint64_t rt_place(const struct core_runtime *rt, uint64_t structure,
                                enum core_field field)
{
	return core_place(&rt->layout, structure, field);
}

#endif
