/* Access to bytes, numbers and names of an open executable. */
#include "go/exe/image.h"

#include "base/bound.h"
#include "build_id.h"
#include "debug_sections.h"

#include <gelf.h>
#include <string.h>

enum { MOST_DYNAMIC = 1 << 12 }; /* entries of the dynamic section */

static const struct image_segment *segment_at(const struct image *image, uint64_t address)
{
	for (size_t i = 0; i < image->segment_count; i++)
		if (address - image->segments[i].address < image->segments[i].size)
			return &image->segments[i];
	return NULL;
}

uint64_t image_room(const struct image *image, uint64_t address)
{
	const struct image_segment *segment = segment_at(image, address);
	return segment ? segment->size - (address - segment->address) : 0;
}

const uint8_t *image_bytes(const struct image *image, uint64_t address, uint64_t size)
{
	const struct image_segment *segment = segment_at(image, address);
	if (!segment || segment->size - (address - segment->address) < size)
		return NULL;
	return segment->data + (address - segment->address);
}

uint64_t image_decode(const struct image *image, const uint8_t *data, unsigned bytes)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < bytes; i++)
		value = value << 8 | data[image->big_endian ? i : bytes - 1 - i];
	return value;
}

bool image_number(const struct image *image, uint64_t address, unsigned bytes, uint64_t *value)
{
	const uint8_t *data = image_bytes(image, address, bytes);
	*value = data ? image_decode(image, data, bytes) : 0;
	return data != NULL;
}

bool image_pointer(const struct image *image, uint64_t address, uint64_t *value)
{
	return map_get(&image->relocations, address, value)
	       || image_number(image, address, image->pointer_size, value);
}

static bool image_ends_with(const char *name, const char *suffix)
{
	size_t length = strlen(name), end = strlen(suffix);
	return length >= end && strcmp(name + length - end, suffix) == 0;
}

/* Reads the header of a section. Returns its name, or NULL if it is malformed. */
static const char *read_section(const struct image *image, Elf_Scn *scn, GElf_Shdr *header)
{
	size_t names;
	if (elf_getshdrstrndx(image->elf, &names) != 0 || !gelf_getshdr(scn, header))
		return NULL;
	if (header->sh_type != SHT_NOBITS
	    && (header->sh_offset > image->size || header->sh_size > image->size - header->sh_offset))
		return NULL;
	return elf_strptr(image->elf, names, header->sh_name);
}

bool image_section(const struct image *image, const char *suffix, struct image_section *section)
{
	Elf_Scn *scn = NULL;
	while ((scn = elf_nextscn(image->elf, scn))) {
		GElf_Shdr header;
		const char *name = read_section(image, scn, &header);
		if (!name || !image_ends_with(name, suffix))
			continue;
		bool empty = header.sh_type == SHT_NOBITS;
		*section = (struct image_section){header.sh_addr, header.sh_size,
		                                  empty ? NULL : image->data + header.sh_offset};
		return true;
	}
	return false;
}

bool image_is_linked(const struct image *image)
{
	static const char *const hashes[] = {"go:link.abihash", "go.link.abihash"}; /* since Go 1.20 */
	for (size_t i = 0; i < image->wanted_count; i++)
		for (size_t k = 0; k < sizeof hashes / sizeof *hashes; k++)
			if (strncmp(image->wanted[i].name, hashes[k], strlen(hashes[k])) == 0)
				return true;
	return false;
}

const char *image_dynamic_text(const struct image *image, int64_t tag, size_t n)
{
	Elf_Scn *scn = NULL;
	while ((scn = elf_nextscn(image->elf, scn))) {
		GElf_Shdr header;
		GElf_Dyn entry;
		Elf_Data *data = NULL;
		if (gelf_getshdr(scn, &header) && header.sh_type == SHT_DYNAMIC)
			data = elf_getdata(scn, NULL);
		for (int i = 0; data && i < MOST_DYNAMIC && gelf_getdyn(data, i, &entry); i++)
			if (entry.d_tag == tag && !n--)
				return elf_strptr(image->elf, header.sh_link, entry.d_un.d_val);
	}
	return NULL;
}

uint64_t image_packed_size(const struct image *image)
{
	return debug_packed_size(image->elf);
}

bool image_has_dwarf(const struct image *image)
{
	return image->debug_data != image->data || debug_is_there(image->elf);
}

/* A debug file keeps the headers of all sections, but only the bytes of notes and names. */
bool image_is_debug_file(const struct image *image)
{
	struct image_section text;
	return image_section(image, ".text", &text) && !text.data && text.size;
}

struct build_ids image_build_ids(const struct image *image)
{
	return build_ids_of(image->elf, image->data, image->size);
}

bool image_symbol_named(const struct image *image, const char *name, uint64_t *address)
{
	for (size_t i = 0; i < image->symbol_count; i++)
		if (strcmp(image->symbols[i].name, name) == 0) {
			*address = image->symbols[i].address;
			return true;
		}
	return false;
}

const struct image_symbol *image_variable_named(const struct image *image, const char *name)
{
	for (size_t i = 0; i < image->symbol_count; i++)
		if (image->symbols[i].variable && strcmp(image->symbols[i].name, name) == 0)
			return &image->symbols[i];
	return NULL;
}

const struct image_symbol *image_variable_at(const struct image *image, uint64_t address)
{
	size_t low = upper_bound(image->symbols, image->symbol_count,
	                         BOUND_BY(struct image_symbol, address), address);
	/* Labels such as runtime.bss share the address of the first variable. */
	for (; low-- > 0 && !image->symbols[low].variable;)
		;
	if (low == SIZE_MAX || address - image->symbols[low].address >= image->symbols[low].size)
		return NULL;
	return &image->symbols[low];
}
