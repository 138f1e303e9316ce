/* The executable of a program: what its code and its variables are called and where they come
   from in the source. All addresses are those of the file; where the program was loaded is a
   matter of the one who has its dump. */
#ifndef EXE_EXE_H
#define EXE_EXE_H

#include "base/input.h"
#include "base/text.h"
#include "exe/pclntab.h"

struct exe;

/* Opens an ELF file with a Go program in it, stripped or not, maybe compressed. NULL and *err
   when it is none. */
struct exe *exe_open(const char *path, struct err *err);
void exe_close(struct exe *exe);

/* Calls `use` with the files beside a dump that may be the executable of its program, by their
   names, until one is: DUMP.exe, or the dump's name with .exe or nothing in the stead of .dump.
   `packed`: the name ends with that of a compression. */
bool exe_beside(const char *dump, bool packed, bool (*use)(void *self, const char *path),
                void *self);
/* Is there a file that may be an ELF file? One that cannot be looked at may be: then opening it
   says why. */
bool exe_may_be(const char *path);

const struct image *exe_image(const struct exe *exe);
const struct pclntab *exe_pclntab(const struct exe *exe);
const char *exe_path(const struct exe *exe);
const struct input *exe_input(const struct exe *exe); /* the file */
/* "go1.24.4"; "" when the file does not tell. */
const char *exe_version(const struct exe *exe);

/* Appends what of the file cannot be read: "1 segment, 12 symbols cannot be read". Nothing:
   all of it can, but for the debug information, which is read with the types (exe/gotypes.h). */
void exe_explain_damage(const struct exe *exe, struct buf *out);

/* Name and entry of the function that an address lies in. False: none. */
bool exe_function(const struct exe *exe, uint64_t pc, const char **name, uint64_t *entry);
/* The entry of a function. False: there is none of that name. */
bool exe_entry(const struct exe *exe, struct text name, uint64_t *entry);

enum { EXE_LINES = 40 }; /* more calls than are ever put into one another */

/* The lines of source of a pc, as pclntab_lines. A pc that a call returns to belongs to the line of
   the instruction before it, where it is not the first of its function. */
size_t exe_lines(const struct exe *exe, uint64_t pc, bool is_return,
                 struct pclntab_line lines[EXE_LINES]);

/* The global variable that an address lies in, and how many bytes into it. False: none, or
   stripped. */
bool exe_variable(const struct exe *exe, uint64_t address, const char **name, uint64_t *offset);

/* Where data and bss are; all 0 when the file does not tell. */
struct exe_segments {
	uint64_t data, edata, bss, ebss;
};
struct exe_segments exe_segments(const struct exe *exe);

#endif
