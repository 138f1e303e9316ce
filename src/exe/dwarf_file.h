/* An executable as libdw has it open. Private to src/exe. */
#ifndef EXE_DWARF_FILE_H
#define EXE_DWARF_FILE_H

#include "debug_damage.h"
#include "exe/image.h"

#include <elfutils/libdw.h>

struct dwarf_file {
	const struct image *image;
	char *copy;   /* of the file: libelf writes to the headers of sections that it uncompresses */
	Elf *elf;     /* of the copy */
	Dwarf *dwarf; /* NULL: there is none that can be read */
};

/* What is wrong is told to *damage. Call it within guard_enter("libdw"). */
void dwarf_file_open(struct dwarf_file *file, const struct image *image,
                     struct debug_damage *damage);
void dwarf_file_close(struct dwarf_file *file);

#endif
