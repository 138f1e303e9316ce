/* Opens a separate debug file, and checks that it belongs to the same build as the executable. */
#include "debug_file.h"

#include "base/mem.h"
#include "base/text.h"
#include "build_id.h"
#include "debug_sections.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>
#include <zlib.h>

enum { CRC_BYTES = 4 };

struct debug_link debug_link_of(const struct image *image)
{
	struct debug_link link = {0};
	struct image_section section;
	if (!image_section(image, ".gnu_debuglink", &section) || !section.data)
		return link;
	size_t len = strnlen((const char *)section.data, section.size);
	uint64_t crc = (len + CRC_BYTES) / CRC_BYTES * CRC_BYTES; /* after the NUL, aligned */
	if (len == 0 || crc + CRC_BYTES > section.size || memchr(section.data, '/', len))
		return link;
	link.name = (const char *)section.data;
	link.crc = (uint32_t)image_decode(image, section.data + crc, CRC_BYTES);
	return link;
}

static void debug_file_add_id(struct buf *out, struct text id, bool binary)
{
	for (size_t i = 0; binary && i < id.len && i < 32; i++)
		buf_addf(out, "%02x", (unsigned)(uint8_t)id.data[i]);
	if (!binary)
		text_add_escaped(out, id.data, id.len, 90);
}

/* Returns false with *err if both have an id and the ids differ. *same is set if both have one. */
static bool debug_file_same_id(struct text wants, struct text has, bool binary, bool *same,
                               struct err *err)
{
	if (!wants.len || !has.len)
		return true;
	*same = text_equal(wants, has);
	if (*same)
		return true;
	SCOPED_BUF text = {0};
	buf_add(&text, "it is of another build: its build id is ");
	debug_file_add_id(&text, has, binary);
	buf_add(&text, ", that of the executable ");
	debug_file_add_id(&text, wants, binary);
	return err_set(err, "%s", buf_text(&text));
}

static bool debug_file_section(Elf *elf, const char *wanted, GElf_Shdr *header)
{
	size_t names;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return false;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		const char *name = gelf_getshdr(scn, header) ? elf_strptr(elf, names, header->sh_name)
		                                             : NULL;
		if (name && strcmp(name, wanted) == 0)
			return true;
	}
	return false;
}

/* Compares addresses and sizes of code and data sections. *compared counts the sections that both
   have. */
static bool debug_file_same_sections(Elf *exe, Elf *elf, size_t *compared)
{
	static const char *const names[] = {".text", ".rodata",    ".data",
	                                    ".bss",  ".noptrdata", ".noptrbss"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		GElf_Shdr own, header;
		if (!debug_file_section(exe, names[i], &own) || !debug_file_section(elf, names[i], &header))
			continue;
		++*compared;
		if (own.sh_addr != header.sh_addr || own.sh_size != header.sh_size)
			return false;
	}
	return true;
}

static bool debug_file_same_crc(const uint8_t *data, size_t size, struct debug_link link,
                                struct err *err)
{
	uLong crc = crc32_z(0, data, size);
	return crc == link.crc
	       || err_set(err,
	                  "its checksum is %08lx, and .gnu_debuglink of the executable says %08lx: it "
	                  "is damaged, or of another build",
	                  crc, (unsigned long)link.crc);
}

static bool debug_file_fits(const struct image *image, Elf *elf, const uint8_t *data, size_t size,
                            struct err *err)
{
	GElf_Ehdr own, header;
	if (!gelf_getehdr(image->elf, &own) || !gelf_getehdr(elf, &header)
	    || own.e_machine != header.e_machine
	    || memcmp(own.e_ident + EI_CLASS, header.e_ident + EI_CLASS, 2) != 0)
		return err_set(err, "it is for another kind of machine");
	struct build_ids wants = image_build_ids(image);
	struct build_ids has = build_ids_of(elf, data, size);
	struct debug_link link = debug_link_of(image);
	bool same = false;
	size_t compared = 0;
	if (!debug_file_same_id(wants.gnu, has.gnu, true, &same, err)
	    || !debug_file_same_id(wants.go, has.go, false, &same, err)
	    || (link.name && !debug_file_same_crc(data, size, link, err)))
		return false;
	if (!debug_file_same_sections(image->elf, elf, &compared))
		return err_set(err, "its sections are not where the executable has them: it is of another "
		                    "build");
	return same || link.name || compared
	       || err_set(err, "nothing in it says that it is of the same build: neither has a build "
	                       "id, a checksum or sections to compare");
}

static bool debug_file_has_names(Elf *elf)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr header;
		if (gelf_getshdr(scn, &header) && header.sh_type == SHT_SYMTAB)
			return true;
	}
	return debug_is_there(elf);
}

bool debug_file_check(const struct image *image, Elf *elf, const uint8_t *data, size_t size,
                      struct err *err)
{
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		return err_set(err, "it is no ELF file");
	if (!debug_file_fits(image, elf, data, size, err))
		return false;
	return debug_file_has_names(elf)
	       || err_set(err, "it has neither symbols nor debug information");
}

bool debug_file_open(struct debug_file *file, const struct image *image, const char *path,
                     const struct input_options *options, struct err *err)
{
	const struct input_options opening = input_options_for(options, image_known);
	*file = (struct debug_file){.input.fd = -1};
	if (!input_open(&file->input, path, &opening, NULL, err))
		return false;
	errno = 0;
	file->elf = elf_memory((char *)(uintptr_t)file->input.data, file->input.size);
	mem_check_errno();
	if (file->input.damage)
		err_set(err, "%s", file->input.damage);
	else if (debug_file_check(image, file->elf, file->input.data, file->input.size, err))
		return true;
	debug_file_close(file);
	return false;
}

void debug_file_close(struct debug_file *file)
{
	elf_end(file->elf);
	input_close(&file->input);
	*file = (struct debug_file){.input.fd = -1};
}
