#include "debug_sections.h"

#include "base/mem.h"

#include <gelf.h>
#include <string.h>

/* Debug sections usually unpack to about the size of the program, with some compilers to four times
   that. Anything far beyond is crafted to exhaust memory. */
enum { MOST_TIMES = 8 };

/* A compressed section: .debug_ sections have an ELF compression header, .zdebug_ sections a GNU
   header. */
struct packed {
	Elf_Scn *scn;
	const char *name;
	uint64_t size; /* unpacked size according to the header */
	bool gnu;
};

static bool read_gnu(struct packed *packed)
{
	static const char magic[] = "ZLIB"; /* followed by 8 bytes, big-endian */
	Elf_Data *data = elf_rawdata(packed->scn, NULL);
	const uint8_t *bytes = data ? data->d_buf : NULL;
	if (!bytes || data->d_size < 12 || memcmp(bytes, magic, sizeof magic - 1) != 0)
		return false;
	for (int i = 4; i < 12; i++)
		packed->size = packed->size << 8 | bytes[i];
	return true;
}

static bool starts_with(const char *name, const char *start)
{
	return strncmp(name, start, strlen(start)) == 0;
}

/* Advances to the next compressed section after packed->scn (NULL: the first). Returns false at the
   end. A section with an unreadable header gets size 0. */
static bool next_packed(Elf *elf, struct packed *packed)
{
	size_t names;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return false;
	for (Elf_Scn *scn = packed->scn; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr header;
		GElf_Chdr chdr;
		const char *name = gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name)
		                                              : NULL;
		*packed = (struct packed){.scn = scn, .name = name};
		if (!name)
			continue;
		packed->gnu = starts_with(name, ".zdebug_");
		if (packed->gnu && read_gnu(packed))
			return true;
		if (starts_with(name, ".debug_") && header.sh_flags & SHF_COMPRESSED) {
			packed->size = gelf_getchdr(scn, &chdr) ? chdr.ch_size : 0;
			return true;
		}
	}
	return false;
}

static bool is_too_much(Elf *elf, uint64_t size, struct debug_damage *damage)
{
	struct packed packed = {0};
	uint64_t left = size * MOST_TIMES;
	bool enough = true;
	while (enough && next_packed(elf, &packed)) {
		enough = packed.size <= left;
		left -= packed.size;
	}
	if (!enough)
		debug_section(damage, packed.name, "would unpack to more than eight times the file");
	return !enough;
}

bool debug_unpack(Elf *elf, uint64_t size, struct debug_damage *damage)
{
	struct packed packed = {0};
	if (is_too_much(elf, size, damage))
		return false;
	while (next_packed(elf, &packed)) {
		int done = packed.gnu ? elf_compress_gnu(packed.scn, 0, 0) : elf_compress(packed.scn, 0, 0);
		mem_check_errno();
		if (done < 0)
			debug_section(damage, packed.name, "cannot be unpacked");
	}
	return true;
}

uint64_t debug_packed_size(Elf *elf)
{
	struct packed packed = {0};
	size_t file;
	uint64_t size = 0, most = elf_rawfile(elf, &file) ? file * MOST_TIMES : 0;
	while (size <= most && next_packed(elf, &packed))
		size = packed.size < most ? size + packed.size : UINT64_MAX;
	return size <= most ? size : 0;
}

bool debug_is_there(Elf *elf)
{
	size_t names;
	Elf_Scn *scn = NULL;
	while (elf_getshdrstrndx(elf, &names) == 0 && (scn = elf_nextscn(elf, scn))) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name)
		                                              : NULL;
		if (name && (strcmp(name, ".debug_info") == 0 || strcmp(name, ".zdebug_info") == 0))
			return true;
	}
	return false;
}
