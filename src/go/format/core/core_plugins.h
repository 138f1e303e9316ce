/* Plugins and shared libraries of Go that the program has loaded: each is a module of the runtime
   beside the program's own, with functions, types and variables. */
#pragma once

#include "base/buf.h"
#include "core_file.h"
#include "format/format.h"

struct core_runtime;

enum { CORE_PLUGINS_MOST = 64 };

struct core_plugins {
	struct format_module *module; /* what is read of them, in the order of the runtime's list */
	size_t modules;
	unsigned count;     /* all of them */
	struct buf read;    /* names of the files that are read */
	struct buf missing; /* sentences about the others; empty: there are none */
};

/* Finds the file of each, checks that it is the one that was loaded, and adds it to the executable.
   It is looked for beside the core file, in the folder of the executable, and where the process had
   it. To be called before stacks are read. */
void core_plugins_find(struct core_runtime *rt, const char *core_path);
void core_plugins_fini(struct core_plugins *plugins);
