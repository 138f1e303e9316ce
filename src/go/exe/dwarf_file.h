/* An executable opened with libdw. Private to src/go/exe. */
#pragma once

#include "debug_damage.h"
#include "go/exe/image.h"

#include <elfutils/libdw.h>

struct dwarf_file {
	const struct image *image;
	char *copy;   /* copy of the file: libelf writes to headers of sections that it unpacks */
	Elf *elf;     /* refers to the copy */
	Dwarf *dwarf; /* NULL: no readable DWARF */
};

/* Opens the file; damage is recorded in *damage. Call it between guard_enter("libdw") and
   guard_leave. */
void dwarf_file_open(struct dwarf_file *file, const struct image *image,
                     struct debug_damage *damage);
void dwarf_file_close(struct dwarf_file *file);
