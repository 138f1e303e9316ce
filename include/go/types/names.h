/* Names from the executable of a dump's program. Opened after the dump is read; without a matching
   executable there are no names, and a sentence says why. Immutable after opening, so that any
   thread may use it. All addresses are those of the dump. */
#pragma once

#include "go/exe/exe.h"
#include "go/runtime/runtime_variables.h"
#include "go/types/exe_match.h"

struct names {
	struct exe *exe;      /* NULL: none in use */
	struct exe_match fit; /* result of the comparison, and the load bias */
	char *path;           /* last executable examined; NULL: none */
	/* reason why it is not used, an escaped sentence without full stop; empty: it is used */
	struct buf refused;
	struct buf damage; /* unreadable parts, from names_add_damage; empty: none */
	/* why files beside a dump, whose program has loaded plugins, are none of these, an escaped
	   sentence; empty: there are none */
	struct buf other_modules;
	/* a refusal must be reported: the user has named the file, or it cannot be read */
	bool wanted;
	/* a dump's program is linked with the runtime as a library: exe is that, the program a part */
	bool linked;
	bool useless; /* the dump is not of a Go program, and no executable is searched */
	/* Runtime variables found without symbols; none if there are symbols. */
	struct runtime_variables *runtime;
};

/* Opens the executable. `path` is the file that the user has named; NULL: the file in GOHEAPX_EXE,
   or one beside the dump: DUMP.exe, or the dump's name with .dump replaced by .exe or nothing. */
struct names *names_open(const struct heap *heap, const char *path);
void names_close(struct names *names);

/* Appends which executable is used and how well it matches, or why there are no names: a sentence
   without full stop. Appends nothing if none is searched. */
void names_explain(const struct names *names, struct buf *out);

/* Appends escaped sentences, without the last full stop, about unreadable parts of the executable
   and of plugins; nothing if there are none. `types`: those of the executable, of which all was
   read; NULL: only what opening the files has found. */
struct gotypes;
void names_add_damage(const struct names *names, const struct gotypes *types, struct buf *out);

/* Returns the source lines of a frame as pclntab_lines does; 0: not known. In this and all
   functions below `names` may be NULL. */
size_t names_frame(const struct names *names, const struct heap *heap, uint32_t frame,
                   struct pclntab_line lines[EXE_LINES]);
/* Finds the function that contains a code address. */
bool names_function(const struct names *names, uint64_t pc, const char **name);
/* Finds the global variable that contains an address of data or bss, and the offset in it. */
bool names_variable(const struct names *names, uint64_t address, const char **name,
                    uint64_t *offset);

/* Returns true if a type or a function is of package main, or of another package of the program's
   own module. */
bool names_is_of_program(const struct names *names, const char *name);
/* Returns true for a package of another owner than that of the program's module: "unicode",
   "golang.org/x/net/trace" in "github.com/owner/program". False for all if the module is not
   known. */
bool names_is_of_library(const struct names *names, const char *package);

/* Returns true for variables of the runtime recognized by content, with or without a name. */
bool names_is_of_runtime(const struct names *names, uint64_t address);
/* Returns true for the symbol of a function or variable of package runtime. */
bool symbol_is_of_runtime(struct text symbol);

/* Returns the base name: "server.go" of "/home/x/server.go". */
const char *names_file_base(const char *file);
