/* Types of an executable, its global variables, local variables, and captured variables of
   closures. Addresses are link-time addresses. Results are owned by struct gotypes unless stated
   otherwise. */
#pragma once

#include "base/buf.h"
#include "base/index_io.h"
#include "base/text.h"
#include "go/exe/gotype.h"
#include "go/exe/image.h"
#include "go/exe/pclntab.h"
#include "go/exe/struct_layout.h"

/* Indexes DWARF and finds the runtime's type table; either may be missing. `module` is the address
   of the runtime's module record (go/exe/module.h), or 0. Borrows the image. */
struct gotypes *gotypes_new(const struct image *image, uint64_t module);
/* Returns the address space that it reserves, most of which is never used. */
size_t gotypes_space(void);
void gotypes_free(struct gotypes *types);

/* Appends the type's name for people, escaped: "[]byte", "map[string]*main.Session (header)" for
   the runtime's hash<string,*main.Session>, "chan int" for hchan<int>. */
void gotype_display(const struct gotypes *types, gotype_id id, struct buf *out);
/* The same, but for a part or a pointer to one the type that it is a part of: "map[string]int". */
void gotype_display_whole(const struct gotypes *types, gotype_id id, struct buf *out);

/* Knowledge about runtime structs of maps and channels. Without it their headers are known only
   from debug information. */
struct gotypes_runtime {
	/* Returns the header layout of a map whose bucket or group begins with this field. */
	const struct struct_layout *(*map)(struct text first_field);
	const struct struct_layout *chan;
	/* Returns a row of display rules: "hash<K,V>" is shown as "map[K]V (header)". A row ends with
	   an entry without name; NULL follows the last row. */
	const struct gotypes_part {
		const char *name, *what; /* beginning of the name; note such as "(header)" */
		bool of_chan;
	} * (*parts)(size_t row);
};
/* Call it before looking up any type; borrowed. */
void gotypes_use_runtime(struct gotypes *types, const struct gotypes_runtime *runtime);
const struct image *gotypes_image(const struct gotypes *types); /* the executable's image */

/* Sets the functions used for closures about which only the function is known; borrowed. */
void gotypes_use_functions(struct gotypes *types, const struct pclntab *functions);
const struct pclntab *gotypes_functions(const struct gotypes *types); /* NULL: not known */
/* Access to the process memory, in which package reflect allocates the descriptors of types that it
   creates. */
struct gotypes_memory {
	const void *self;
	/* Returns the bytes from an address of the process to the end of its object, and the offset of
	   the address in the object; NULL: no object. */
	const uint8_t *(*bytes)(const void *self, uint64_t address, uint64_t *offset, uint64_t *room);
	uint64_t bias; /* load bias: address in the process minus link-time address */
};
/* `memory.self` must live as long as types are looked up by address. */
void gotypes_use_memory(struct gotypes *types, struct gotypes_memory memory);
bool gotypes_have_dwarf(const struct gotypes *types);
/* Appends which debug information could not be read so far, such as ".debug_info cannot be
   unpacked" or "2 units and 17 variables cannot be read"; nothing if there is no damage. `number`
   0: of the executable; the files added to it (exe_add_part) follow. */
void gotypes_explain_damage(const struct gotypes *types, size_t number, struct buf *out);
/* Returns the address range of the runtime's type descriptors; false: not found. */
bool gotypes_range(const struct gotypes *types, uint64_t *start, uint64_t *end);
/* Reads all types. */
void gotypes_complete(struct gotypes *types);

struct exe_global {
	const char *name;
	uint64_t address;
	gotype_id type;
};
/* Returns all global variables from DWARF, sorted by address. */
const struct exe_global *gotypes_globals(struct gotypes *types, size_t *count);
/* Returns the global variable that contains the address, or NULL. */
const struct exe_global *gotypes_global_at(struct gotypes *types, uint64_t address);

enum { EXE_PIECES = 8 };
/* A piece of a variable in memory. */
struct exe_piece {
	uint64_t offset, size; /* offset and size of the piece in the variable */
	int64_t place;         /* offset from the frame's CFA (its end), or an address if `absolute` */
	bool absolute;
};
struct exe_variable {
	const char *name;
	gotype_id type;
	/* inlined function that declares the variable, or NULL */
	const char *inlined;
	bool parameter;
	unsigned pieces; /* only pieces in memory; at least 1 */
	struct exe_piece piece[EXE_PIECES];
};
/* Returns the variables of the function at `entry` that are in memory at `pc`, which may be a
   return address. Names that begin with . or ~ come from the compiler. The caller frees the array;
   it is NULL if there are none. */
struct exe_variable *gotypes_locals(struct gotypes *types, uint64_t entry, uint64_t pc,
                                    size_t *count);

/* Returns an array type of `count` elements, which need not occur in the program. It is called
   "[5]uint8" or, if not NULL, `name`, which must be a constant. Same arguments give the same id; 0:
   too many types. */
gotype_id gotypes_row(struct gotypes *types, const char *name, gotype_id elem, uint64_t count);

/* Returns the struct that a chan of these elements points to; 0: not known. */
gotype_id gotypes_channel(struct gotypes *types, gotype_id elem);

/* Returns the struct that a func value points to if its first word is `entry`: the field "F" and
   one field per captured variable ("&x" is a pointer to x on the heap), as far as known. Returns 0
   if it is no closure. *exact: offsets come from the file (Go 1.23 and later) or from its types;
   otherwise they follow the order of DWARF, and callers should check them against the object. */
gotype_id gotypes_closure(struct gotypes *types, uint64_t entry, bool *exact);

/* Writes all types to an index after they have been read completely; or reads them into new gotypes
   of the same executable with the same ids, so that nothing needs to be read again: false if the
   file lacks them; the types can then only be freed. */
bool gotypes_index(struct gotypes *types, const struct index_io *io);
