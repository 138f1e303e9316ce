/* The runtime's record of where the linker put code and data (runtime/symtab.go: moduledata),
   which is in stripped executables, too. It is found by the address of the function table in it. */
#ifndef EXE_MODULE_H
#define EXE_MODULE_H

#include "exe/image.h"

struct module {
	uint64_t address; /* of the record */
	uint64_t text, etext, data, edata, bss, ebss;
};

/* `first` is the number of its word with the first function's address: 10 up to Go 1.15, 20 from
   then on. False: there is no such record. */
bool module_find(struct module *module, const struct image *image, uint64_t pclntab,
                 unsigned first);

/* Reads the record at an address. False: there is none. */
bool module_at(struct module *module, const struct image *image, uint64_t address, unsigned first);

#endif
