/* What the executable of a dump's program calls things. Opened once the dump is read; without a
   fitting executable there are no names, and a sentence says why. Never changes once it is open,
   so that any thread may ask. All addresses are those of the dump. */
#ifndef TYPES_NAMES_H
#define TYPES_NAMES_H

#include "exe/exe.h"
#include "goruntime/runtime_variables.h"
#include "heap/heap.h"
#include "types/exe_match.h"

struct names {
	struct exe *exe;      /* NULL: none in use */
	struct exe_match fit; /* how it fits, and where the program was loaded */
	char *path;           /* of the file that was looked at last; NULL: there was none */
	struct buf refused; /* why it is not used, a visible sentence without full stop; empty: it is */
	struct buf damage;  /* what cannot be read: as names_add_damage writes it; empty: nothing */
	bool wanted;  /* a refusal must be told: the user has named the file, or it cannot be read */
	bool useless; /* the dump is of no Go program, none is looked for */
	/* Variables that need no symbols; none where there are symbols. */
	struct runtime_variables *runtime;
};

/* `path` is the file that the user has named; NULL: the one that GOHEAPX_EXE names, or that lies
   beside the dump: DUMP.exe, or the dump's name with .exe or nothing in the stead of .dump. */
struct names *names_open(const struct heap *heap, const char *path);
void names_close(struct names *names);

/* Appends which executable the names come from and how well it fits, or why there are none: a
   sentence without full stop. Nothing where none is looked for. */
void names_explain(const struct names *names, struct buf *out);

/* Makes of what cannot be read of the executable, `what`, a visible sentence without full stop. */
void names_add_damage(const struct names *names, const char *what, struct buf *out);

/* The lines of a frame, as pclntab_lines; 0: not known. `names` may be NULL in all that follows. */
size_t names_frame(const struct names *names, const struct heap *heap, uint32_t frame,
                   struct pclntab_line lines[EXE_LINES]);
/* The function that a code address lies in. */
bool names_function(const struct names *names, uint64_t pc, const char **name);
/* The global variable that an address of data or bss lies in, and how many bytes into it. */
bool names_variable(const struct names *names, uint64_t address, const char **name,
                    uint64_t *offset);

/* Is it a variable of the runtime's that is told by what stands in it, be it without a name? */
bool names_is_of_runtime(const struct names *names, uint64_t address);

/* "server.go" of "/home/x/server.go" */
const char *names_file_base(const char *file);

#endif
