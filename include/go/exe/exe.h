/* The executable of a program: names of its functions and variables, and their lines of source. All
   addresses are link-time addresses; callers subtract the load bias of the dump. */
#pragma once

#include "base/err.h"
#include "base/text.h"
#include "go/exe/pclntab.h"

struct exe;
struct input;
struct input_options;

/* Opens an ELF file with a Go program, stripped or not, possibly compressed. `options` are those of
   its dump, or NULL; their debug file is borrowed. Returns NULL with *err. */
struct exe *exe_open(const char *path, const struct input_options *options, struct err *err);
void exe_close(struct exe *exe);
/* Adds a file of Go that the process has loaded as well, a plugin or a shared library: functions,
   variables, types and debug information are then those of both, with the addresses of `part`
   higher by `shift`. What both have by one name is that of `exe`. Takes ownership of `part`, which
   must be complete (exe_find_debug); to be called before types are read. */
void exe_add_part(struct exe *exe, struct exe *part, uint64_t shift);
/* Returns an added file by its number from 0 on; NULL: there are no more. */
const struct exe *exe_part(const struct exe *exe, size_t number);

/* Returns true if the bytes begin an ELF program, library or debug file, but not a core file. */
bool exe_is_program(const uint8_t *start, size_t size);
/* Returns true if the ELF file has sections of a Go program. Reads only section headers. */
bool exe_is_go(const char *path);
/* Returns true if the file is a separate debug file, without the program's code. */
bool exe_is_debug_file(const char *path, const struct input_options *options);
/* Returns true for a program that is packed, so that its own code is not in the file. */
bool exe_is_packed(const char *path);
/* Returns true if the file may be an executable, possibly compressed. True also if it cannot be
   read: opening it reports why. */
bool exe_may_be(const char *path);
/* Returns true if the file is the right one. */
typedef bool exe_use(void *self, const char *path);
/* Calls `use` with files beside a dump or executable, plain and compressed, until it returns true:
   FILE.exe, or FILE with its extension replaced by .exe; likewise for .debug. For .exe also FILE
   without its extension. `packed`: FILE is compressed and has the extension of that. */
bool exe_beside(const char *file, const char *suffix, bool packed, exe_use *use, void *self);
/* Calls `use` with one file, plain or compressed. */
bool exe_try_packed(const char *path, exe_use *use, void *self);

/* ---- Separate debug information */

/* Finds the debug file of an executable that lacks symbols or debug information, and reads these
   from it: the one that the options of exe_open name, and no other, or where they name none, one
   beside it, by .gnu_debuglink, or by build id. `dump`, which may be NULL, is a dump of the
   program: the debug file may be beside it. For `packed` see exe_beside. A file of another build is
   not used. */
void exe_find_debug(struct exe *exe, const char *dump, bool packed);
/* Does so for a file that is to be added to another (exe_add_part). A debug file that the user
   names is not its own: then none is used. */
void exe_find_debug_of_part(struct exe *part);
/* Returns the debug file in use, or NULL. */
const struct input *exe_debug_input(const struct exe *exe);
/* Returns which files were not used and why, escaped, without a full stop; "" if there were
   none. */
const char *exe_debug_refused(const struct exe *exe);
/* Returns the folder of debug files: $GOHEAPX_DEBUG_DIR, or /usr/lib/debug. */
const char *exe_debug_folder(void);
/* Appends the path in that folder by build id. Returns false if the executable has no build id. */
bool exe_add_debug_path(const struct exe *exe, struct buf *out);

const struct image *exe_image(const struct exe *exe);
const struct pclntab *exe_pclntab(const struct exe *exe);
const char *exe_path(const struct exe *exe);
const struct input *exe_input(const struct exe *exe); /* the opened file */
/* Returns a text such as "go1.24.4", or "" if the version is not known. */
const char *exe_version(const struct exe *exe);

/* Returns true if the name of a type or a function begins with the path of the program's main
   module, or where the file names none, with that of its main package. */
bool exe_is_own(const struct exe *exe, const char *name);
/* Returns true for packages whose path begins with another host and owner than that of the
   program's module; false if that is not known. */
bool exe_is_of_others(const struct exe *exe, const char *package);

/* Returns a sentence if the version is a guess, or NULL if the file records it. */
const char *exe_version_doubt(const struct exe *exe);

/* Appends what cannot be read, such as "1 segment, 12 symbols cannot be read", or nothing. Excludes
   debug information, which is read with the types (go/exe/gotypes.h). */
void exe_explain_damage(const struct exe *exe, struct buf *out);

/* Finds the function that contains an address. Returns false if there is none. */
bool exe_function(const struct exe *exe, uint64_t pc, const char **name, uint64_t *entry);
/* Finds the entry of a function by name. Returns false if there is none. */
bool exe_entry(const struct exe *exe, struct text name, uint64_t *entry);

enum { EXE_LINES = 40 }; /* more than the deepest nesting of inlined calls */

/* Returns the source lines of a pc as pclntab_lines does. A return address belongs to the line of
   the instruction before it, unless it is the first of its function. */
size_t exe_lines(const struct exe *exe, uint64_t pc, bool is_return,
                 struct pclntab_line lines[EXE_LINES]);

/* Finds the global variable that contains an address, and the offset in it. Returns false if there
   is none or the file is stripped. */
bool exe_variable(const struct exe *exe, uint64_t address, const char **name, uint64_t *offset);

/* Returns true for an address among the variables of the executable or an added file. */
bool exe_is_of_variables(const struct exe *exe, uint64_t address);
/* Address ranges of data and bss, without those of added files; all 0 if not known. */
struct exe_segments {
	uint64_t data, edata, bss, ebss;
};
struct exe_segments exe_segments(const struct exe *exe);
/* Is an address in one of them? */
static inline bool exe_segments_have(const struct exe_segments *segments, uint64_t address)
{
	return address - segments->data < segments->edata - segments->data
	       || address - segments->bss < segments->ebss - segments->bss;
}
