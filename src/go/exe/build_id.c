/* Build ids in notes of the GNU and the Go linker. */
#include "build_id.h"

#include <gelf.h>
#include <string.h>

enum { NOTE_HEADER = 12, GO_BUILD_ID = 4 };

/* Scans the notes in [at, end), which are aligned to 4 bytes. */
static void build_ids_in(struct build_ids *ids, bool big_endian, const uint8_t *at,
                         const uint8_t *end)
{
	const struct image order = {.big_endian = big_endian};
	while (end - at >= NOTE_HEADER) {
		uint64_t left = (uint64_t)(end - at) - NOTE_HEADER;
		uint64_t name_len = image_decode(&order, at, 4), len = image_decode(&order, at + 4, 4);
		uint64_t type = image_decode(&order, at + 8, 4), name_room = (name_len + 3) / 4 * 4;
		const uint8_t *name = at + NOTE_HEADER;
		if (name_room > left || len > left - name_room)
			return;
		struct text id = {(const char *)name + name_room, len};
		if (type == NT_GNU_BUILD_ID && name_len == 4 && memcmp(name, "GNU", 4) == 0)
			ids->gnu = id;
		else if (type == GO_BUILD_ID && name_len == 4 && memcmp(name, "Go\0", 4) == 0)
			ids->go = id;
		left -= name_room + len;
		at = name + name_room + len;
		at += left < 3 ? left : (4 - len % 4) % 4;
	}
}

static void build_ids_in_file(struct build_ids *ids, bool big_endian, const uint8_t *data,
                              size_t size, uint64_t offset, uint64_t length)
{
	if (offset <= size && length <= size - offset)
		build_ids_in(ids, big_endian, data + offset, data + offset + length);
}

/* Uses sections first: segment headers of a debug file are those of the program, without its
   bytes. */
struct build_ids build_ids_of(struct Elf *elf, const uint8_t *data, size_t size)
{
	struct build_ids ids = {0};
	size_t segments = 0;
	GElf_Ehdr header;
	if (!gelf_getehdr(elf, &header))
		return ids;
	bool big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB, sections = false;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr section;
		sections = true;
		if (gelf_getshdr(scn, &section) && section.sh_type == SHT_NOTE)
			build_ids_in_file(&ids, big_endian, data, size, section.sh_offset, section.sh_size);
	}
	if (sections || elf_getphdrnum(elf, &segments) != 0)
		return ids;
	for (size_t i = 0; i < segments; i++) {
		GElf_Phdr segment;
		if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_NOTE)
			build_ids_in_file(&ids, big_endian, data, size, segment.p_offset, segment.p_filesz);
	}
	return ids;
}
