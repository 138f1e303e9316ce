/* How the versions of the table differ; private to src/exe/pclntab*.c. */
#ifndef EXE_PCLNTAB_LAYOUT_H
#define EXE_PCLNTAB_LAYOUT_H

#include "base/cursor.h"
#include "exe/pclntab.h"

/* A function's record begins with its entry, a pointer or, `narrow`, 4 bytes; offsets of its
   fields count from there on. After its fields come the offsets of its pcdata tables, then its
   funcdata. */
struct pclntab_layout {
	uint32_t magic;
	bool parts;             /* the header tells where names, files and code tables are */
	bool narrow;            /* entries are 32 bits wide and count from the start of the code */
	uint8_t first;          /* for module_find */
	uint8_t funcdata_count; /* field: how many funcdata there are, 1 byte */
	uint8_t fields;         /* bytes of all fields */
	uint8_t inline_tree;    /* number of that funcdata */
	struct {
		uint8_t size, name, parent;
	} call; /* an entry of the inline tree */
};
enum {
	FIELD_NAME = 0,
	FIELD_ARGUMENTS = 4,
	FIELD_PCSP = 12,
	FIELD_PCFILE = 16,
	FIELD_PCLINE = 20,
	FIELD_PCDATA_COUNT = 24,
	FIELD_CU = 28
};

/* A number at an offset in the table; 0 when that lies outside. */
uint64_t pclntab_number(const struct pclntab *table, uint64_t offset, unsigned bytes);
/* A text that ends with a NUL; "" when that lies outside. */
const char *pclntab_text(const struct pclntab *table, uint64_t offset);
/* Offset of the fields of a function's record. */
uint64_t pclntab_fields(const struct pclntab *table, size_t function);
/* The values of a code table at an offset from table->pcs, one run of instructions after the other:
   those up to `end` have `value`. */
struct pclntab_run {
	struct cursor cursor;
	uint64_t value, end;
	bool first; /* no run has been read */
};
struct pclntab_run pclntab_run_first(const struct pclntab *table, size_t function, uint64_t offset);
/* False: there are no more. */
bool pclntab_run_next(const struct pclntab *table, struct pclntab_run *run);
/* The value for pc in the code table at an offset from table->pcs; -1: it has none. */
int64_t pclntab_value(const struct pclntab *table, size_t function, uint64_t offset, uint64_t pc);
/* src/exe/pclntab_place.c: finds the table and reads its functions. */
bool pclntab_place(struct pclntab *table, const char *path, struct err *err);
/* src/exe/pclntab_open.c: reads them from a table whose place, layout and module are known. */
void pclntab_open_functions(struct pclntab *table);
/* Where the code table of pcdata is, as an offset from table->pcs; 0: it has none. */
uint64_t pclntab_pcdata_offset(const struct pclntab *table, size_t function, unsigned number);
void pclntab_position(const struct pclntab *table, size_t function, uint64_t pc,
                      struct pclntab_line *line);

/* A function's funcdata by the address that such offsets count from; 0: it has none. */
uint64_t pclntab_funcdata_from(const struct pclntab *table, size_t function, unsigned number,
                               uint64_t base);

/* src/exe/inlined.c: says for instructions, function by function and in the order of their
   addresses, in which function each was written. */
struct inlined_walk {
	const struct pclntab *table;
	size_t function;
	uint64_t tree, places; /* address of its inline tree, offset of the places in that; 0: none */
	struct pclntab_run run;
	const char *name; /* for the run */
	uint64_t budget;  /* runs that may be read: damaged functions may have one long table each */
};
struct inlined_walk inlined_walk_make(const struct pclntab *table);
void inlined_walk_enter(struct inlined_walk *walk, size_t function);
/* The name of the innermost function at `pc` that is no method of a pointer, else that of the
   function. `pc` is not less than in the call before. "" where the table is damaged. */
const char *inlined_walk_name(struct inlined_walk *walk, uint64_t pc);

/* src/exe/inlined.c: the address that funcdata offsets count from; 0 when it is not found. */
uint64_t pclntab_funcdata_base(const struct pclntab *table);

#endif
