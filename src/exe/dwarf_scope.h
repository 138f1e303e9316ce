/* The variables of a function, inlined functions' included. Private to src/exe. */
#ifndef EXE_DWARF_SCOPE_H
#define EXE_DWARF_SCOPE_H

#include "dwarf_attrs.h"

/* Variables and parameters of a function whose scope an instruction lies in, one after the
   other. */
struct scope {
	uint64_t pc;
	unsigned steps; /* still to be done: a hostile file may have no end */
	unsigned depth;
	struct scope_level {
		Dwarf_Die next;
		const char *inlined;
		bool started;
	} levels[64];
};

void scope_start(struct scope *scope, Dwarf_Die *function, uint64_t pc);
/* False: no more. *inlined is the name of the inlined function that it is of, or NULL. */
bool scope_next(struct scope *scope, Dwarf_Die *variable, const char **inlined);

#endif
