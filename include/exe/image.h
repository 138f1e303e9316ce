/* An executable file as the linker laid it out: segments, sections, symbols, relocations. All
   addresses are link-time addresses; where the program was loaded is not known here. Nothing in
   the file is trusted: every read is bounded, and what lies outside of the file is not there. */
#ifndef EXE_IMAGE_H
#define EXE_IMAGE_H

#include "base/err.h"
#include "base/map.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image_segment { /* loaded; `data` has `size` bytes, what the program has beyond is zero */
	uint64_t address, size;
	const uint8_t *data;
	bool writable;
};
struct image_section {
	uint64_t address, size;
	const uint8_t *data; /* NULL: it takes no bytes of the file, as .bss */
};
struct image_symbol {
	const char *name; /* as in the file, any bytes */
	uint64_t address, size;
	bool variable; /* a global variable or static data: it has a size */
};

struct image {
	uint8_t pointer_size; /* 4 or 8 */
	bool big_endian;
	struct Elf *elf;
	const uint8_t *data; /* the file, borrowed */
	size_t size;
	/* The file with the DWARF, borrowed: the same, or a separate one. */
	const uint8_t *debug_data;
	size_t debug_size;
	struct image_segment *segments;
	size_t segment_count;
	struct image_symbol *symbols;
	size_t symbol_count; /* by address; none when stripped */
	/* What could not be read, as far as the file tells that it should be there. */
	struct image_damage {
		uint64_t segments, symbols, relocations;
	} damage;
	struct map relocations; /* address -> the pointer that the loader puts there, before the bias */
};

/* Reads an ELF file that stays mapped as long as the image. NULL and *err when it is none. `path`
   is for messages. */
struct image *image_open(const uint8_t *data, size_t size, const char *path, struct err *err);
void image_close(struct image *image);
/* Takes symbols and DWARF, each where the image has none itself, from another ELF file of the same
   build. It stays open and mapped as long as the image. */
void image_use_debug(struct image *image, struct Elf *elf, const uint8_t *data, size_t size);
/* Has it DWARF, its own or that of such a file? */
bool image_has_dwarf(const struct image *image);
/* Is this a file of debug information only, without the code of the program? */
bool image_is_debug_file(const struct image *image);
/* Which build it is: notes of the GNU linker and of Go's. An id that is missing has no length. */
struct build_ids {
	struct text gnu, go;
};
struct build_ids image_build_ids(const struct image *image);
/* Does a file with these first bytes look like one? For input_open(). */
bool image_known(const uint8_t *start, size_t size, struct err *err);

/* `size` bytes at an address; NULL when they are not all in the file. */
const uint8_t *image_bytes(const struct image *image, uint64_t address, uint64_t size);
/* How many bytes of the file follow from this address on in its segment; 0: it is not in the
   file. */
uint64_t image_room(const struct image *image, uint64_t address);
/* A number of 1, 2, 4 or 8 bytes in the file's byte order, from memory that holds it. */
uint64_t image_decode(const struct image *image, const uint8_t *data, unsigned bytes);
/* The same at an address. False: not in the file; *value is 0 then. */
bool image_number(const struct image *image, uint64_t address, unsigned bytes, uint64_t *value);
/* A pointer, with relocations applied. */
bool image_pointer(const struct image *image, uint64_t address, uint64_t *value);

/* The first section whose name ends so: ".gopclntab" is ".data.rel.ro.gopclntab" in a
   position-independent executable. False: there is none. */
bool image_section(const struct image *image, const char *suffix, struct image_section *section);
/* The address of a symbol. False: the file has none of that name (it may be stripped). */
bool image_symbol_named(const struct image *image, const char *name, uint64_t *address);
/* The variable of that name; NULL: none. */
const struct image_symbol *image_variable_named(const struct image *image, const char *name);
/* The variable that an address lies in; NULL: none. */
const struct image_symbol *image_variable_at(const struct image *image, uint64_t address);

#endif
