/* Variables in scope, including those of inlined functions. Private to src/go/exe. */
#pragma once

#include "dwarf_attrs.h"

/* Iterator over the variables and parameters whose scope covers a pc. */
struct scope {
	uint64_t pc;
	unsigned steps; /* remaining budget: a malformed file may contain a cycle */
	unsigned depth;
	struct scope_level {
		Dwarf_Die next;
		const char *inlined;
		bool started;
	} levels[64];
};

void scope_start(struct scope *scope, Dwarf_Die *function, uint64_t pc);
/* Returns false at the end. *inlined is the inlined function that the variable belongs to, or
   NULL. */
bool scope_next(struct scope *scope, Dwarf_Die *variable, const char **inlined);
