#include "dwarf_file.h"

#include "base/mem.h"
#include "debug_sections.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Called by libdw when its own allocation fails: ends the program with the usual message. */
__attribute__((noreturn)) static void lacks_memory(void)
{
	errno = ENOMEM;
	mem_check_errno();
	abort();
}

void dwarf_file_open(struct dwarf_file *file, const struct image *image,
                     struct debug_damage *damage)
{
	*file = (struct dwarf_file){.image = image};
	file->copy = memcpy(mem_column(image->debug_size), image->debug_data, image->debug_size);
	debug_begin();
	file->elf = elf_memory(file->copy, image->debug_size);
	mem_check_errno();
	if (!file->elf || !debug_unpack(file->elf, image->debug_size, damage))
		return;
	debug_begin();
	file->dwarf = dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
	mem_check_errno();
	if (file->dwarf)
		dwarf_new_oom_handler(file->dwarf, lacks_memory);
	if (!file->dwarf && debug_is_there(file->elf) && !damage->sections.len)
		debug_section(damage, ".debug_info", "cannot be read");
	debug_begin();
}

void dwarf_file_close(struct dwarf_file *file)
{
	dwarf_end(file->dwarf);
	elf_end(file->elf);
	mem_column_free(file->copy, file->image->debug_size);
}
