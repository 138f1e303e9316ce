/* The table from code addresses to functions, files and lines that every Go executable contains,
   even if stripped (runtime/symtab.go; section .gopclntab, or inside .data.rel.ro). Supports all
   formats since Go 1.2. */
#pragma once

#include "go/exe/module.h"

struct pclntab_function {
	uint64_t entry;  /* address of the first instruction */
	uint64_t record; /* private: offset of the record in the table */
	uint32_t part;   /* private: number of the table that it is from; 0: this one */
};

struct pclntab_layout; /* private: record layout of this version */

struct pclntab {
	const struct image *image;
	const struct pclntab_layout *layout;
	uint64_t address; /* address of the table */
	const uint8_t *data;
	uint64_t size;                     /* bytes of the table */
	unsigned quantum;                  /* code addresses are multiples of this */
	uint64_t names, cutab, files, pcs; /* offsets of the parts */
	struct module module;              /* addresses of code and data; all 0: not known */
	/* addresses that offsets of funcdata, and of masks in these, are relative to; 0: not known */
	uint64_t funcdata, rodata;
	struct pclntab_function *functions;
	size_t count;  /* sorted by entry */
	uint64_t lost; /* functions that the header counts, but the table lacks */
	uint64_t end;  /* address after the last function */
	/* Tables of other files (go/exe/image.h: image_part), number 1 first; they share `functions`.
	 */
	struct pclntab *parts;
	size_t part_count;
};

/* Finds and reads the table. Returns false with *err if there is none. Borrows the image. `path` is
   for messages. */
bool pclntab_init(struct pclntab *table, const struct image *image, const char *path,
                  struct err *err);
void pclntab_fini(struct pclntab *table);
/* Adds the functions of another file, which lies `shift` bytes higher, and which the image of
   `table` has as a part. Numbers of functions change. `part` may be freed, its image not. */
void pclntab_add_part(struct pclntab *table, const struct pclntab *part, uint64_t shift);

/* Returns the number of the function that contains an address, or SIZE_MAX. */
size_t pclntab_find(const struct pclntab *table, uint64_t pc);
/* Returns the function's name; "" if the table is damaged. */
const char *pclntab_name(const struct pclntab *table, size_t function);
/* Returns the length of the package in a function's name: up to the first dot after the last slash,
   both before any receiver or type argument. Returns 0 for a function made by the linker. */
size_t pclntab_package(const char *name);

/* A source line. Texts are borrowed, any bytes, "" if the table is damaged. */
struct pclntab_line {
	const char *function, *file;
	uint64_t line; /* 0: not known */
};
/* Returns the source lines of an instruction: lines[0] was inlined into lines[1] and so on, up to
   the line in the function itself. Returns their number, at most `max`, at least 1 for a pc in a
   function. If they do not fit, the last one is still that of the function itself. */
size_t pclntab_lines(const struct pclntab *table, uint64_t pc, struct pclntab_line *lines,
                     size_t max);

/* ---- Data for unwinding stacks (runtime/symtab.go). A pc must lie in the function. */

/* Returns how far the stack pointer is below its value at the entry, in bytes; -1: not known. */
int64_t pclntab_sp_delta(const struct pclntab *table, size_t function, uint64_t pc);
/* Returns the value of a pcdata table at pc; -1: none. */
int64_t pclntab_pcdata(const struct pclntab *table, size_t function, unsigned number, uint64_t pc);
/* Returns the address of funcdata; 0: none. */
uint64_t pclntab_funcdata(const struct pclntab *table, size_t function, unsigned number);
/* Returns the bytes of arguments and results in the caller's frame; negative: not known. */
int32_t pclntab_arguments(const struct pclntab *table, size_t function);
