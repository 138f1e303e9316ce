#include "dwarf_files.h"

#include "base/mem.h"

#include <stdlib.h>

enum { KEY_BITS = 48 }; /* of an offset; the number of the file comes above */

void dwarf_files_open(struct gotypes *types)
{
	const struct image *image = types->image;
	types->file_count = image->part_count + 1;
	types->files = mem_alloc(types->file_count * sizeof(struct dwarf_index *));
	types->part_damage = mem_alloc(types->file_count * sizeof *types->part_damage);
	for (size_t i = 0; i < types->file_count; i++) {
		const struct image_part *part = i ? &image->parts[i - 1] : NULL;
		struct rtypes_part range = rtypes_range(&types->table, i);
		uint64_t shift = part ? part->shift : 0;
		const struct dwarf_source source = {part ? part->image : image,
		                                    range.base ? range.base - shift : 0,
		                                    range.base ? range.end - shift : 0, shift, i};
		types->files[i] =
			dwarf_index_new(&source, part ? &types->part_damage[i - 1] : &types->damage);
	}
	types->dwarf = types->reading = types->files[0];
}

void dwarf_files_close(struct gotypes *types)
{
	for (size_t i = 0; i < types->file_count; i++)
		dwarf_index_free(types->files[i]);
	for (size_t i = 1; i < types->file_count; i++)
		buf_free(&types->part_damage[i - 1].sections);
	free(types->part_damage);
	free(types->files);
}

uint64_t dwarf_files_key(const struct gotypes *types, Dwarf_Off offset)
{
	return (uint64_t)types->reading->number << KEY_BITS | offset;
}

Dwarf_Off dwarf_files_enter(struct gotypes *types, uint64_t key)
{
	size_t number = (size_t)(key >> KEY_BITS);
	types->reading = types->files[number < types->file_count ? number : 0];
	return key & ((UINT64_C(1) << KEY_BITS) - 1);
}

const struct dwarf_function *dwarf_files_function(const struct gotypes *types, uint64_t entry,
                                                  struct dwarf_index **file)
{
	for (size_t i = 0; i < types->file_count; i++) {
		*file = types->files[i];
		const struct dwarf_function *function = *file ? dwarf_function_at(*file, entry) : NULL;
		if (function)
			return function;
	}
	return NULL;
}
