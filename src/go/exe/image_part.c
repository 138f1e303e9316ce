/* What other files of a process add to an image. */
#include "go/exe/image.h"

#include "base/mem.h"
#include "name_hash.h"

#include <string.h>

static uint64_t image_part_key(const struct image_symbol *symbol)
{
	return name_hash(symbol->name, strlen(symbol->name));
}

/* Adds variables. Code reaches one by its name, so the first file that has it has the one in use.
 */
static void image_part_add_symbols(struct image *image, const struct image_part *part)
{
	SCOPED_MAP names = {0};
	size_t capacity = image->symbol_count;
	for (size_t i = 0; i < image->symbol_count; i++)
		if (image->symbols[i].global)
			map_put(&names, image_part_key(&image->symbols[i]), 1);
	for (size_t i = 0; i < part->image->symbol_count; i++) {
		struct image_symbol symbol = part->image->symbols[i];
		uint64_t known;
		if (!symbol.variable || (symbol.global && map_get(&names, image_part_key(&symbol), &known)))
			continue;
		symbol.address += part->shift;
		MEM_PUSH(image->symbols, image->symbol_count, capacity, symbol);
	}
	image_sort_symbols(image);
}

static void image_part_add_segments(struct image *image, const struct image_part *part)
{
	size_t capacity = image->segment_count;
	for (size_t i = 0; i < part->image->segment_count; i++) {
		struct image_segment segment = part->image->segments[i];
		segment.address += part->shift;
		MEM_PUSH(image->segments, image->segment_count, capacity, segment);
	}
}

static void image_part_add_pointers(struct image *image, const struct image_part *part)
{
	const struct map *pointers = &part->image->relocations;
	map_reserve(&image->relocations, image->relocations.count + pointers->count);
	for (size_t i = 0; pointers->bits && i < (size_t)1 << pointers->bits; i++)
		if (pointers->places[i].key)
			map_put(&image->relocations, pointers->places[i].key + part->shift,
			        pointers->places[i].value + part->shift);
}

/* Adds the pointers of a file to symbols that the image or another part has. */
static void image_part_find_wanted(struct image *image, const struct map *names,
                                   const struct image *file, uint64_t shift)
{
	for (size_t i = 0; i < file->wanted_count; i++) {
		const struct image_wanted *wanted = &file->wanted[i];
		uint64_t address;
		if (map_get(names, name_hash(wanted->name, strlen(wanted->name)), &address))
			map_put(&image->relocations, wanted->address + shift, address + wanted->addend);
	}
}

static void image_part_find_all_wanted(struct image *image)
{
	SCOPED_MAP names = {0};
	for (size_t i = 0; i < image->symbol_count; i++) {
		uint64_t address = image->symbols[i].address;
		if (image->symbols[i].global)
			map_add(&names, image_part_key(&image->symbols[i]), &address);
	}
	image_part_find_wanted(image, &names, image, 0);
	for (size_t i = 0; i < image->part_count; i++)
		image_part_find_wanted(image, &names, image->parts[i].image, image->parts[i].shift);
}

void image_add_part(struct image *image, const struct image_part *part)
{
	size_t capacity = image->part_count;
	MEM_PUSH(image->parts, image->part_count, capacity, *part);
	image_part_add_segments(image, part);
	image_part_add_symbols(image, part);
	image_part_add_pointers(image, part);
	image_part_find_all_wanted(image);
}

bool image_section_of(const struct image *image, size_t number, const char *suffix,
                      struct image_section *section)
{
	if (!number)
		return image_section(image, suffix, section);
	if (number > image->part_count
	    || !image_section(image->parts[number - 1].image, suffix, section))
		return false;
	section->address += image->parts[number - 1].shift;
	return true;
}
