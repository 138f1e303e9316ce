/* The types of an executable, its global variables, the local variables of its functions and what
   its closures capture. Addresses are link-time addresses. Everything that is given out is owned by
   the universe unless it says otherwise. */
#ifndef EXE_GOTYPES_H
#define EXE_GOTYPES_H

#include "base/buf.h"
#include "base/index_file.h"
#include "base/text.h"
#include "exe/gotype.h"
#include "exe/image.h"
#include "exe/pclntab.h"
#include "exe/struct_layout.h"

/* Indexes DWARF and finds the runtime's type table; either may be missing, then there is less to
   know. `module` is the address of the runtime's record of the executable (exe/module.h), 0: not
   known. Borrows the image. */
struct gotypes *gotypes_new(const struct image *image, uint64_t module);
void gotypes_free(struct gotypes *types);

/* Appends the type's name as people write it, made visible: "[]byte", "map[string]*main.Session
   (header)" for the runtime's hash<string,*main.Session>, "chan int" for hchan<int>. */
void gotype_display(const struct gotypes *types, gotype_id id, struct buf *out);

/* What Go's runtime keeps behind maps and channels. Without it these have no header but what debug
   information tells. */
struct gotypes_runtime {
	/* The header of a map whose bucket or group begins with a field of this name. */
	const struct struct_layout *(*map)(struct text first_field);
	const struct struct_layout *chan;
	/* How types of parts are shown: "hash<K,V>" as "map[K]V (header)". In each row the last has no
	   name; behind the last row comes NULL. */
	const struct gotypes_part {
		const char *name, *what; /* what the name begins with; "(header)" */
		bool of_chan;
	} * (*parts)(size_t row);
};
/* Before any type is asked for; borrowed. */
void gotypes_use_runtime(struct gotypes *types, const struct gotypes_runtime *runtime);
const struct image *gotypes_image(const struct gotypes *types); /* the executable's */

/* Where closures are looked up of which no more is known than their function; borrowed. */
void gotypes_use_functions(struct gotypes *types, const struct pclntab *functions);
const struct pclntab *gotypes_functions(const struct gotypes *types); /* NULL: not known */
/* Memory of the program beside its executable, where package reflect puts the descriptors of types
   that it makes. */
struct gotypes_memory {
	const void *self;
	/* The bytes at an address of the process up to the end of their object, and where they begin in
	   it; NULL: there is none. */
	const uint8_t *(*bytes)(const void *self, uint64_t address, uint64_t *offset, uint64_t *room);
	uint64_t bias; /* what addresses of the process are above the executable's */
};
/* It must stay there as long as types are asked for by their address. */
void gotypes_use_memory(struct gotypes *types, struct gotypes_memory memory);
bool gotypes_have_dwarf(const struct gotypes *types);
/* Appends which of the debug information that has been asked for could not be read: ".debug_info
   cannot be unpacked", "2 units and 17 variables cannot be read". Nothing: all of it could. */
void gotypes_explain_damage(const struct gotypes *types, struct buf *out);
/* Where the runtime's type descriptors are, false: not found. */
bool gotypes_range(const struct gotypes *types, uint64_t *start, uint64_t *end);
/* Reads all types that there are. */
void gotypes_complete(struct gotypes *types);

struct exe_global {
	const char *name;
	uint64_t address;
	gotype_id type;
};
/* All of DWARF's global variables, by address. */
const struct exe_global *gotypes_globals(struct gotypes *types, size_t *count);
/* The global whose bytes the address is one of; NULL: none. */
const struct exe_global *gotypes_global_at(struct gotypes *types, uint64_t address);

enum { EXE_PIECES = 8 };
/* Where some bytes of a variable are. */
struct exe_piece {
	uint64_t offset, size; /* in the variable */
	int64_t place;         /* from the frame's CFA (its end), or an address */
	bool absolute;
};
struct exe_variable {
	const char *name;
	gotype_id type;
	/* The function that it is of, where that was inlined into the frame's; or NULL */
	const char *inlined;
	bool parameter;
	unsigned pieces; /* only what is in memory; at least 1 */
	struct exe_piece piece[EXE_PIECES];
};
/* The variables of the function at `entry` that are in memory when it is at `pc`, or when a call
   returns to there. Names that begin with . or ~ are the compiler's own. The caller frees the
   array, NULL when there are none. */
struct exe_variable *gotypes_locals(struct gotypes *types, uint64_t entry, uint64_t pc,
                                    size_t *count);

/* A type that need not be the program's: `count` values of a type, which are called "[5]uint8" or
   by the name that is given, a constant. The same for the same; 0: there are too many types. */
gotype_id gotypes_row(struct gotypes *types, const char *name, gotype_id elem, uint64_t count);

/* What a chan of these elements points to; 0: not known. */
gotype_id gotypes_channel(struct gotypes *types, gotype_id elem);

/* What a func value points to when its first word is `entry`: a struct with the field "F" and one
   for each captured variable ("&x": the variable is on the heap, this is its address) as far as
   they are known. 0: it is no closure. *exact: offsets are told by the file (Go 1.23 and later) or
   by its types; otherwise they are laid out in the order of DWARF and are worth a check against the
   object. */
gotype_id gotypes_closure(struct gotypes *types, uint64_t entry, bool *exact);
/* The same with the captured variables in another order: order[i] is which of the fields after F
   comes i-th. `count` is their number. */

/* Into an index, once all types have been read, and from there into a universe that has just been
   made of the same executable: every id is of what it was of, and what has been asked for is found
   without reading it again. False: the file has none, and the universe is only to be freed. */
void gotypes_save(const struct gotypes *types, struct index_writer *writer);
bool gotypes_load(struct gotypes *types, struct index_file *file);

#endif
