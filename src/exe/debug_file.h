/* A separate file with the symbols and the debug information of a stripped executable. Its code and
   data take no bytes: they are never read from it. Private to src/exe. */
#ifndef EXE_DEBUG_FILE_H
#define EXE_DEBUG_FILE_H

#include "base/input.h"
#include "exe/image.h"

struct debug_file {
	struct input input;
	struct Elf *elf; /* NULL: none is open */
};

/* What the section .gnu_debuglink of an executable names; name NULL: it has none. */
struct debug_link {
	const char *name; /* of a file, without folder; borrowed */
	uint32_t crc;     /* of its content */
};
struct debug_link debug_link_of(const struct image *image);

/* Compares an ELF file with an executable: machine, build ids, checksum, sections. False: it is not
   of that build, or holds nothing to use; *err says which. */
bool debug_file_check(const struct image *image, struct Elf *elf, const uint8_t *data, size_t size,
                      struct err *err);
/* Opens and checks a file. */
bool debug_file_open(struct debug_file *file, const struct image *image, const char *path,
                     struct err *err);
void debug_file_close(struct debug_file *file);

/* Finds and opens the debug file of an executable; `dump` and `packed` as of exe_find_debug. False:
   there is none. Either way *refused, visible, says of files that were there why they are not used.
 */
bool debug_file_find(struct debug_file *file, const struct image *image, const struct input *exe,
                     const char *dump, bool packed, struct buf *refused);
/* Appends the path by build id. False: the executable has none. */
bool debug_file_add_path(const struct image *image, struct buf *out);

#endif
