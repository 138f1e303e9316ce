/* Which package a variable without a name belongs to, and which types the code of a package names.
   Where a function allocates a value (runtime.newobject, makeslice, growslice) or puts one into an
   interface, its code has the address of the type's descriptor. This is the fast and rough sister
   of exe/variable_uses.h: one pass, and no vote. */
#ifndef EXE_PACKAGE_USES_H
#define EXE_PACKAGE_USES_H

#include "exe/exe.h"

/* The code of a package refers to an address. */
struct package_use {
	uint64_t package; /* a hash of its name, see package_hash; never 0 */
	uint64_t address;
	bool stored; /* it writes there */
};

struct package_uses {
	struct package_use *type; /* by package, then by address; each once */
	size_t types;
	struct package_use *variable; /* by address, then by package; each once */
	size_t variables;
};

/* Reads the code once; descriptors of types are in [low, high). Of other machines than amd64 and
   arm64 there is nothing. */
struct package_uses package_uses_scan(const struct pclntab *table, uint64_t low, uint64_t high,
                                      struct exe_segments segments);
void package_uses_fini(struct package_uses *uses);

uint64_t package_hash(struct text name);
/* The types that a package names. */
const struct package_use *package_uses_types(const struct package_uses *uses, uint64_t package,
                                             size_t *count);
/* The package that uses the variable at an address or, as part of a larger one, before it: the only
   one, or the only one that writes to it. 0: there is none, or there are several. */
uint64_t package_uses_variable(const struct package_uses *uses, uint64_t address);

#endif
