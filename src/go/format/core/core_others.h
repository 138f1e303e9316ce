/* Other Go runtimes in the same process: each library of Go (-buildmode=c-shared, c-archive) in a
   program has one of its own, with its own heap, and so has the program itself if it is written in
   Go. */
#pragma once

#include <stddef.h>

struct core_runtime;

enum { CORE_OTHERS_MOST = 64 };
struct core_others {
	const char *path[CORE_OTHERS_MOST]; /* of their files, borrowed from the core file */
	size_t count;
	char *sentence; /* names the file of the runtime that is read and of those that are not, without
	                   full stop; NULL: there is no other */
};

/* Finds them once the runtime that is read is known; core_others_fini frees what they have. */
void core_others_find(const struct core_runtime *rt, struct core_others *others);
void core_others_fini(struct core_others *others);
