/* A separate file with symbols and debug information of a stripped executable. Its code and data
   sections are empty and never read. Private to src/go/exe. */
#pragma once

#include "base/input.h"
#include "go/exe/image.h"

struct debug_file {
	struct input input;
	struct Elf *elf; /* NULL: no file is open */
};

/* Content of section .gnu_debuglink; name is NULL if there is none. */
struct debug_link {
	const char *name; /* file name without folder; borrowed */
	uint32_t crc;     /* checksum of the file's content */
};
struct debug_link debug_link_of(const struct image *image);

/* Compares machine, build ids, checksum and sections of an ELF file with an executable. Returns
   false with *err if it belongs to another build or has nothing usable. */
bool debug_file_check(const struct image *image, struct Elf *elf, const uint8_t *data, size_t size,
                      struct err *err);
/* Opens and checks a debug file. Returns false with *err. */
bool debug_file_open(struct debug_file *file, const struct image *image, const char *path,
                     const struct input_options *options, struct err *err);
void debug_file_close(struct debug_file *file);

/* Finds and opens the debug file of an executable; for `dump` and `packed` see exe_find_debug.
   Returns false if there is none. In both cases *refused says, escaped, which files were not used
   and why. */
bool debug_file_find(struct debug_file *file, const struct image *image, const struct input *exe,
                     const char *dump, bool packed, struct buf *refused);
/* Appends the path of the debug file by build id. Returns false if the executable has no build
   id. */
bool debug_file_add_path(const struct image *image, struct buf *out);
