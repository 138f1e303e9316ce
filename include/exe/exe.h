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

/* Is this the beginning of an ELF file that is a program, a library or a debug file, no core file?
 */
bool exe_is_program(const uint8_t *start, size_t size);
/* Has the ELF file at a path the sections of a Go program? Costs little, also of large programs. */
bool exe_is_go(const char *path);
/* Is it a separate debug file, without the code of the program? */
bool exe_is_debug_file(const char *path);
/* Is there a file that may be one, maybe compressed? One that cannot be looked at may be: then
   opening it says why. */
bool exe_may_be(const char *path);
/* True: the file is the one that was looked for. */
typedef bool exe_use(void *self, const char *path);
/* Calls `use` with files beside a dump or an executable, plain and compressed, until one is the
   right one: FILE.exe, or the name with .exe in the stead of its extension; likewise with .debug.
   For .exe the name without an extension, too. `packed`: FILE is compressed, and its name ends so.
 */
bool exe_beside(const char *file, const char *suffix, bool packed, exe_use *use, void *self);
/* The same with one file: as it is, or compressed. */
bool exe_try_packed(const char *path, exe_use *use, void *self);

/* ---- Separate debug information */

/* From now on it is taken from this file, which the user has named, and from no other; borrowed. */
void exe_use_debug_file(const char *path);
const char *exe_named_debug_file(void); /* NULL: none is */
/* Finds the debug file of an executable that lacks symbols or debug information, and takes these
   from there. `dump`, which may be NULL, is a dump of the program, beside which it may lie;
   `packed` as of exe_beside. A file that does not fit is not used. */
void exe_find_debug(struct exe *exe, const char *dump, bool packed);
/* The file that is used; NULL: none. */
const struct input *exe_debug_input(const struct exe *exe);
/* Visible, without full stop: which files were there and why they are not used. Empty: none. */
const char *exe_debug_refused(const struct exe *exe);
/* The folder of debug files: /usr/lib/debug, or what GOHEAPX_DEBUG_DIR says. */
const char *exe_debug_folder(void);
/* Appends the path in there by build id. False: the executable has none. */
bool exe_add_debug_path(const struct exe *exe, struct buf *out);

const struct image *exe_image(const struct exe *exe);
const struct pclntab *exe_pclntab(const struct exe *exe);
const char *exe_path(const struct exe *exe);
const struct input *exe_input(const struct exe *exe); /* the file */
/* "go1.24.4"; "" when the file does not tell. */
const char *exe_version(const struct exe *exe);

/* A sentence where the file does not tell its version, but exe_version() knows one; NULL: it tells.
 */
const char *exe_version_doubt(const struct exe *exe);

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
