/* The runtime's module record (runtime/symtab.go: moduledata) with the addresses of code and data.
   Stripped executables have it, too. It is found by the address of the function table in it. */
#pragma once

#include "go/exe/image.h"

struct module {
	uint64_t address; /* address of the record */
	uint64_t text, etext, data, edata, bss, ebss;
};

/* Finds the record. `first` is the index of its word with the first function's address: 10 up to Go
   1.15, 20 since then. Returns false if there is none. */
bool module_find(struct module *module, const struct image *image, uint64_t pclntab,
                 unsigned first);

/* Reads the record at an address. Returns false if it is invalid. */
bool module_at(struct module *module, const struct image *image, uint64_t address, unsigned first);
