/* Addresses of runtime variables and structs in process memory. */
#pragma once

#include "core_layout.h"
#include "core_others.h"
#include "core_plugins.h"
#include "core_statics.h"
#include "format/format.h"

struct core_runtime {
	struct core_memory memory;
	struct core_layout layout;
	bool arm64;
	bool has_debug_layout;        /* the layout is that of the debug information */
	bool tried;                   /* the layout of this Go version is not tested */
	bool library;                 /* the executable is a library loaded by the program */
	bool linked;                  /* the program has the runtime in a shared library */
	bool proven;                  /* the executable is verified by build id */
	const char *allocator;        /* of C, other than glibc's; NULL: none */
	struct text fatal;            /* see core_fatal.h */
	struct wakers_note wakers;    /* see core_wakers.h */
	struct input_options options; /* of the dump */
	struct core_plugins plugins;
	struct core_others others; /* Go runtimes of the process that are not read */
	struct core_statics statics;
	/* addresses of variables; 0: not found */
	uint64_t mheap, allgs, module, itab_table, allm, wait_reasons, mbuckets, profile_rate;
	uint64_t finalizers, cleanups; /* first blocks of the queues; 0: none */
	uint64_t profile_table;        /* of CORE_PROFILE_TABLE bytes; 0: not found */
	uint64_t arena_base;           /* base address of arena numbers */
	struct core_type_masks *masks; /* built on demand (core_type_mask.h) */
};

/* Opens the executable and finds the runtime in memory. Takes ownership of *file; core_runtime_fini
   frees everything. Returns false with *err. */
bool core_runtime_init(struct core_runtime *rt, struct core_file *file, const struct input *input,
                       const char *exe_path, struct err *err);
void core_runtime_fini(struct core_runtime *rt);

/* Returns the address range of all variables of a module. Go's linker puts .noptrdata first, GNU ld
   .data. Both ends are 0 if the module record is invalid. */
struct core_run core_module_variables(const struct core_runtime *rt, uint64_t module);
/* Returns the address of the heapArena record for a heap address; 0: none. */
uint64_t core_arena(const struct core_runtime *rt, uint64_t address);
/* bytes of one arena */
#define CORE_ARENA_BYTES (UINT64_C(64) << 20)
enum { CORE_PAGE = 8192, CORE_PROFILE_TABLE = 179999 * 8 };
/* Values of mspan.state; other values are unused spans. */
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
