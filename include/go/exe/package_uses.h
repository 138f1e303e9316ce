/* Finds the package that a variable without a name belongs to, and the types that the code of a
   package names. Code that allocates a value (runtime.newobject, makeslice, growslice) or converts
   one to an interface contains the address of its type descriptor. Faster and less precise than
   go/exe/variable_uses.h: one pass, no voting. */
#pragma once

#include "base/progress.h"
#include "go/exe/exe.h"

/* A reference from the code of a package to an address. */
struct package_use {
	uint64_t package; /* hash of the package name, see package_hash; never 0 */
	uint64_t address;
	bool stored; /* the code writes there */
};

struct package_uses {
	struct package_use *type; /* sorted by package, then address; unique */
	size_t types;
	struct package_use *variable; /* sorted by address, then package; unique */
	size_t variables;
};

/* Scans the code once; type descriptors are in [low, high). Finds nothing on machines other than
   amd64 and arm64, and only a part if it is cancelled. */
struct package_uses package_uses_scan(const struct pclntab *table, uint64_t low, uint64_t high,
                                      struct exe_segments segments, struct progress *progress);
void package_uses_fini(struct package_uses *uses);

uint64_t package_hash(struct text name);
/* Returns the types that the code of a package names. */
const struct package_use *package_uses_types(const struct package_uses *uses, uint64_t package,
                                             size_t *count);
/* Returns the package of the variable that contains or precedes the address within VARIABLE_REACH:
   its only user, or its only writer. Returns 0 if there is none or several. */
uint64_t package_uses_variable(const struct package_uses *uses, uint64_t address);
