/* An ELF file as the linker laid it out: segments, sections, symbols, relocations. All addresses
   are link-time addresses; the load bias is unknown here. The file is not trusted: every read is
   bounds-checked, and reads outside of the file fail. */
#pragma once

#include "base/err.h"
#include "base/map.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* a loaded segment; `data` has `size` bytes, the rest of the memory is zero */
struct image_segment {
	uint64_t address, size;
	const uint8_t *data;
	bool writable;
};
struct image_section {
	uint64_t address, size;
	const uint8_t *data; /* NULL: no bytes in the file, as for .bss */
};
struct image_symbol {
	const char *name; /* as in the file, any bytes */
	uint64_t address, size;
	bool variable; /* a global variable or static data with a size */
	bool global; /* of all symbols of a name in a process, the first of these is meant by all files
	              */
};

/* Another file that the process has loaded, such as a plugin: what it has counts as the image's. */
struct image_part {
	const struct image *image; /* borrowed */
	uint64_t shift;            /* its addresses are this much higher here */
	uint64_t module; /* address of its module record in the file (go/exe/module.h); 0: none */
};

struct image {
	uint8_t pointer_size; /* 4 or 8 */
	bool big_endian;
	struct Elf *elf;
	const uint8_t *data; /* the file, borrowed */
	size_t size;
	/* The file with the DWARF, borrowed: the same or a separate one. */
	const uint8_t *debug_data;
	size_t debug_size;
	struct image_segment *segments;
	size_t segment_count;
	struct image_symbol *symbols;
	size_t symbol_count; /* sorted by address; 0 if stripped */
	bool stripped;       /* the symbols, if there are any, are those for other files alone */
	struct image_part *parts;
	size_t part_count;
	/* Pointers that the loader stores to symbols that another file has. */
	struct image_wanted {
		uint64_t address, addend;
		const char *name; /* as in the file, any bytes */
	} * wanted;
	size_t wanted_count, wanted_capacity;
	/* Number of items that could not be read although headers declare them. */
	struct image_damage {
		uint64_t segments, symbols, relocations;
		bool cut; /* it ends before what its header says */
	} damage;
	struct map relocations; /* address -> pointer that the loader stores there, before the bias */
};

/* Reads an ELF file; its bytes must stay mapped as long as the image. Returns NULL with *err.
   `path` is for messages. */
struct image *image_open(const uint8_t *data, size_t size, const char *path, struct err *err);
void image_close(struct image *image);
/* Uses symbols and DWARF of another ELF file of the same build where the image has none. That file
   must stay open and mapped as long as the image. */
void image_use_debug(struct image *image, struct Elf *elf, const uint8_t *data, size_t size);
/* Adds what another file has that lies at other addresses of the same process: bytes, pointers, to
   the image too, variables, but not those that the image has under the same name: then the part's
   are never used. Borrows the part. */
void image_add_part(struct image *image, const struct image_part *part);
/* Adds the symbols for other files, if the image has none: it is stripped. */
void image_add_exported(struct image *image);
/* Sorts the symbols by address, after some were added. */
void image_sort_symbols(struct image *image);
/* Returns true if there is DWARF, in the image or in its debug file. */
bool image_has_dwarf(const struct image *image);
/* Returns the bytes that its debug sections will take when they are unpacked; 0: they are, or need
   no unpacking. */
uint64_t image_packed_size(const struct image *image);
/* Returns true if the file has only debug information, without the program's code. */
bool image_is_debug_file(const struct image *image);
/* Returns true for a Go program or library that is linked with Go's packages as shared libraries:
   the runtime is in another file. */
bool image_is_linked(const struct image *image);
/* Returns the string number `n` of those with a tag of the dynamic section, such as DT_NEEDED, as
   in the file, any bytes; NULL: there are fewer. */
const char *image_dynamic_text(const struct image *image, int64_t tag, size_t n);
/* Returns true for a program packed by UPX, which writes its mark behind the program headers, and
   no sections. */
bool image_is_packed(const struct image *image);
/* Build ids of the GNU and the Go linker. A missing id has length 0. */
struct build_ids {
	struct text gnu, go;
};
struct build_ids image_build_ids(const struct image *image);
/* Returns true if the file may be an executable by its first bytes. For input_open(). */
bool image_known(void *self, const uint8_t *start, size_t size, struct err *err);

/* Returns `size` bytes at an address, or NULL if they are not all in the file. */
const uint8_t *image_bytes(const struct image *image, uint64_t address, uint64_t size);
/* Returns how many bytes of the segment follow in the file from an address on; 0: none. */
uint64_t image_room(const struct image *image, uint64_t address);
/* Decodes a number of 1, 2, 4 or 8 bytes in the file's byte order. */
uint64_t image_decode(const struct image *image, const uint8_t *data, unsigned bytes);
/* Reads a number at an address. Returns false with *value 0 if it is not in the file. */
bool image_number(const struct image *image, uint64_t address, unsigned bytes, uint64_t *value);
/* Reads a pointer with relocations applied. */
bool image_pointer(const struct image *image, uint64_t address, uint64_t *value);

/* Finds the first section whose name has this suffix: ".gopclntab" may be ".data.rel.ro.gopclntab"
   in a position-independent executable. Returns false if there is none. */
bool image_section(const struct image *image, const char *suffix, struct image_section *section);
/* The same in the file with a number: 0 is the image, those of its parts follow. */
bool image_section_of(const struct image *image, size_t number, const char *suffix,
                      struct image_section *section);
/* Finds the address of a symbol. Returns false if there is none, as in a stripped file. */
bool image_symbol_named(const struct image *image, const char *name, uint64_t *address);
/* Returns the variable of that name, or NULL. */
const struct image_symbol *image_variable_named(const struct image *image, const char *name);
/* Returns the variable that contains an address, or NULL. */
const struct image_symbol *image_variable_at(const struct image *image, uint64_t address);
