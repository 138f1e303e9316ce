/* Layouts of the table by version. Private to src/go/exe/pclntab*.c. */
#pragma once

#include "base/cursor.h"
#include "go/exe/pclntab.h"

/* A function's record begins with its entry: a pointer, or 4 bytes if `narrow`. Field offsets count
   from the end of it. After the fields come offsets of pcdata tables, then funcdata. */
struct pclntab_layout {
	uint32_t magic;
	bool parts;             /* the header has the offsets of names, files and code tables */
	bool narrow;            /* entries are 32-bit offsets from the start of the code */
	uint8_t first;          /* argument of module_find */
	uint8_t funcdata_count; /* offset of the 1-byte field with the number of funcdata */
	uint8_t fields;         /* bytes of all fields */
	uint8_t inline_tree;    /* its funcdata number */
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

/* Returns the table that a function is from. */
static inline const struct pclntab *pclntab_of(const struct pclntab *table, size_t function)
{
	uint32_t part = table->functions[function].part;
	return part ? &table->parts[part - 1] : table;
}
/* Reads a number at an offset in the table; 0 if it is out of bounds. */
uint64_t pclntab_number(const struct pclntab *table, uint64_t offset, unsigned bytes);
/* Returns a NUL-terminated text; "" if it is out of bounds. */
const char *pclntab_text(const struct pclntab *table, uint64_t offset);
/* Returns the offset of the fields in a function's record. */
uint64_t pclntab_fields(const struct pclntab *table, size_t function);
/* Iterator over a code table at an offset from table->pcs: instructions up to `end` have
   `value`. */
struct pclntab_run {
	struct cursor cursor;
	uint64_t value, end;
	bool first; /* no run has been read yet */
};
struct pclntab_run pclntab_run_first(const struct pclntab *table, size_t function, uint64_t offset);
/* Returns false at the end. */
bool pclntab_run_next(const struct pclntab *table, struct pclntab_run *run);
/* Returns the value for pc in the code table at an offset from table->pcs; -1: none. */
int64_t pclntab_value(const struct pclntab *table, size_t function, uint64_t offset, uint64_t pc);
/* src/go/exe/pclntab_place.c: finds the table and reads its functions. Returns false with *err. */
bool pclntab_place(struct pclntab *table, const char *path, struct err *err);
/* src/go/exe/pclntab_open.c: reads the functions of a table whose address, layout and module are
   known. */
void pclntab_open_functions(struct pclntab *table);
/* Returns the offset of a pcdata code table from table->pcs; 0: none. */
uint64_t pclntab_pcdata_offset(const struct pclntab *table, size_t function, unsigned number);
void pclntab_position(const struct pclntab *table, size_t function, uint64_t pc,
                      struct pclntab_line *line);

/* Returns the address of a function's funcdata, given the base of its offsets; 0: none. */
uint64_t pclntab_funcdata_from(const struct pclntab *table, size_t function, unsigned number,
                               uint64_t base);

/* src/go/exe/inlined.c: finds the function in which each instruction was written. Visit functions
   one by one, and their instructions in ascending order. */
struct inlined_walk {
	const struct pclntab *table;
	size_t function;
	uint64_t tree, places; /* address of the inline tree, offset of the indices into it; 0: none */
	struct pclntab_run run;
	const char *name; /* name for the current run */
	uint64_t budget;  /* remaining number of runs: malformed functions may each have a long table */
};
struct inlined_walk inlined_walk_make(const struct pclntab *table);
void inlined_walk_enter(struct inlined_walk *walk, size_t function);
/* Returns the innermost function at `pc` that is no method of a pointer, or else the function
   itself. `pc` must not decrease between calls. "" if the table is damaged. */
const char *inlined_walk_name(struct inlined_walk *walk, uint64_t pc);

/* src/go/exe/inlined.c: returns true if an inline tree of a function is at an address: its first
   entry names a function, and an instruction of this one. Zeros are none. */
bool inlined_is_tree(const struct pclntab *table, size_t function, uint64_t tree);
/* src/go/exe/funcdata_base.c: finds table->funcdata and table->rodata. */
void pclntab_find_bases(struct pclntab *table);
