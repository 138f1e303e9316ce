/* The table from code addresses to functions, files and lines that every Go executable carries,
   stripped ones too (runtime/symtab.go; section .gopclntab, or within .data.rel.ro). All formats
   from Go 1.2 on. */
#ifndef EXE_PCLNTAB_H
#define EXE_PCLNTAB_H

#include "exe/module.h"

struct pclntab_function {
	uint64_t entry;  /* address of its first instruction */
	uint64_t record; /* private: offset of its record in the table */
};

struct pclntab_layout; /* private: how this version lays out a function's record */

struct pclntab {
	const struct image *image;
	const struct pclntab_layout *layout;
	uint64_t address; /* of the table */
	const uint8_t *data;
	uint64_t size;                     /* its bytes */
	unsigned quantum;                  /* code addresses are multiples of it */
	uint64_t names, cutab, files, pcs; /* offsets of its parts */
	struct module module;              /* where the linker put code and data; all 0: not known */
	uint64_t funcdata;                 /* address that funcdata offsets count from, 0: not known */
	struct pclntab_function *functions;
	size_t count;  /* by address */
	uint64_t lost; /* functions that its header counts, but that it does not have */
	uint64_t end;  /* address after the last function */
};

/* False and *err when the file has no table that can be read. Borrows the image. `path` is for
   messages. */
bool pclntab_init(struct pclntab *table, const struct image *image, const char *path,
                  struct err *err);
void pclntab_fini(struct pclntab *table);

/* The number of the function that an address lies in, or SIZE_MAX. */
size_t pclntab_find(const struct pclntab *table, uint64_t pc);
/* Its name; "" where the table is damaged. */
const char *pclntab_name(const struct pclntab *table, size_t function);
/* How many bytes of a function's name are its package: up to the first dot behind the last slash,
   both before any receiver or type argument. 0: the linker has made the function. */
size_t pclntab_package(const char *name);

/* A line of source; texts are borrowed, any bytes, "" where the table is damaged. */
struct pclntab_line {
	const char *function, *file;
	uint64_t line; /* 0: not known */
};
/* The lines of an instruction: it comes from lines[0], which was inlined into lines[1] and so on
   up to the line of the function itself. Returns how many there are, at most `max`, at least 1
   for a pc in a function. Where more were inlined than fit, the last is the function's own
   still. */
size_t pclntab_lines(const struct pclntab *table, uint64_t pc, struct pclntab_line *lines,
                     size_t max);

/* ---- What the runtime itself needs to walk a stack (runtime/symtab.go). A pc must lie in the
   function. */

/* How far the stack pointer is below its place at the entry; -1: not known. */
int64_t pclntab_sp_delta(const struct pclntab *table, size_t function, uint64_t pc);
/* The value of a pcdata table; -1: it has none there. */
int64_t pclntab_pcdata(const struct pclntab *table, size_t function, unsigned number, uint64_t pc);
/* The address of funcdata; 0: none. */
uint64_t pclntab_funcdata(const struct pclntab *table, size_t function, unsigned number);
/* Bytes of arguments and results on the caller's frame; negative: not known. */
int32_t pclntab_arguments(const struct pclntab *table, size_t function);

#endif
