/* Finds the functions that use a variable, from addresses in code. A stripped executable has
   function names but no variable names, and most variables are used only by their own package. */
#pragma once

#include "go/exe/exe.h"

/* An address in data or bss that code refers to. */
struct variable_use {
	uint64_t address;
	uint32_t name;      /* private: offset of the function's name in the table of functions */
	uint16_t functions; /* number of functions that refer to it, at most UINT16_MAX */
	uint16_t inferred;  /* the package of that function is inferred, else it is a guess */
};

struct variable_uses {
	struct variable_use *use; /* sorted by address */
	size_t count;
};

/* Scans the code once for references to data or bss, on amd64 and arm64; empty on other
   machines. */
struct variable_uses variable_uses_scan(const struct pclntab *table, struct exe_segments segments);
void variable_uses_fini(struct variable_uses *uses);

/* The probable package of a variable, and one function of it that uses the variable. Texts are
   borrowed from the executable, any bytes. */
struct variable_user {
	struct text package; /* "go.etcd.io/etcd/server/mvcc", dots in the last element as %2e */
	/* without the package: "(*store).setupMetricsReporter"; a variable if `functions` is 0 */
	struct text function;
	uint64_t address; /* referenced address */
	/* certain: all functions that use it belong to this package and one of them stores it or takes
	   its address, or the package's initializer sets it, or a variable of it points there; else a
	   guess */
	bool inferred;
	uint16_t functions; /* number of functions that use it; 0: a variable points to it */
};
/* Finds the user of the last referenced address in [address - VARIABLE_REACH, address]. Returns
   false if there is none. */
enum { VARIABLE_REACH = 4096 };
bool variable_uses_find(const struct variable_uses *uses, const struct pclntab *table,
                        uint64_t address, struct variable_user *user);
