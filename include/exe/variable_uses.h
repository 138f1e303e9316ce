/* Which functions use the variables of a program, from the addresses in its code. A stripped
   executable has no names of variables, but all functions, and most variables are used by their own
   package only. */
#ifndef EXE_VARIABLE_USES_H
#define EXE_VARIABLE_USES_H

#include "exe/exe.h"

/* An address in data or bss that code refers to. */
struct variable_use {
	uint64_t address;
	uint32_t name;      /* private: of the function, an offset in the table of functions */
	uint16_t functions; /* how many different functions refer to it, at most UINT16_MAX */
	uint16_t inferred;  /* is the package of that function inferred? Else it is a guess */
};

struct variable_uses {
	struct variable_use *use; /* by address */
	size_t count;
};

/* Reads the code once: instructions of amd64 and arm64 that refer to data or bss, as the segments
   say. Of other machines there are none. */
struct variable_uses variable_uses_scan(const struct pclntab *table, struct exe_segments segments);
void variable_uses_fini(struct variable_uses *uses);

/* Who uses a variable: the package that it most likely belongs to, and one function of it. Texts
   are borrowed of the executable, any bytes. */
struct variable_user {
	struct text package;  /* "go.etcd.io/etcd/server/mvcc", with dots as %2e in its last element */
	struct text function; /* without the package: "(*store).setupMetricsReporter" */
	uint64_t address;     /* of the use */
	bool inferred;        /* all functions that use it are of that package and one sets it, or what
	                         initializes the package's variables does; else it is a guess */
	uint16_t functions;   /* how many there are */
};
/* The user of the last address that code refers to, from VARIABLE_REACH bytes before `address` on.
   False: none. */
enum { VARIABLE_REACH = 4096 };
bool variable_uses_find(const struct variable_uses *uses, const struct pclntab *table,
                        uint64_t address, struct variable_user *user);

#endif
