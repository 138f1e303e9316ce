/* Static variables of C: of libraries, and of what is linked into the program beside Go. */
#pragma once

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

struct core_runtime;

/* A part of the variables of a file. */
struct core_static {
	uint64_t start, end;
	/* "buffer of /lib/libfoo.so" for a large variable with a symbol, else "static data of ..."; all
	   parts of one label have the same pointer. Empty: it is of the Go program itself. */
	struct text label;
};

struct core_statics {
	struct core_static *part; /* sorted by address, without overlaps */
	size_t count, capacity;
	char **label; /* owned */
	size_t labels, label_capacity;
};

/* Finds them by the program headers that each file has in memory. Symbols of a library are those of
   the file at its path, or beside the core file, where its build id is that of the one in memory.
   To be called after plugins are found. */
void core_statics_find(struct core_runtime *rt, const char *core_path);
void core_statics_fini(struct core_statics *statics);
