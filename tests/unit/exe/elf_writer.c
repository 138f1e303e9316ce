#include "exe/elf_writer.h"

#include "base/input.h"
#include "base/mem.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 16 };

static void align(struct buf *out)
{
	while (out->len % 8)
		buf_add_char(out, '\0');
}

struct buf elf_write(const struct elf_part *parts, size_t count)
{
	struct buf out = {0}, names = {0};
	Elf64_Shdr headers[MAX_PARTS + 2] = {{0}};
	Elf64_Phdr segment = {.p_type = PT_LOAD, .p_vaddr = 0x400000, .p_filesz = 64, .p_memsz = 64};
	Elf64_Ehdr file = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
	                   .e_type = ET_EXEC,
	                   .e_machine = EM_X86_64,
	                   .e_version = EV_CURRENT,
	                   .e_phoff = sizeof file,
	                   .e_ehsize = sizeof file,
	                   .e_phentsize = sizeof segment,
	                   .e_phnum = 1,
	                   .e_shentsize = sizeof *headers,
	                   .e_shnum = (Elf64_Half)(count + 2),
	                   .e_shstrndx = (Elf64_Half)(count + 1)};
	buf_add_bytes(&out, &file, sizeof file);
	buf_add_bytes(&out, &segment, sizeof segment);
	buf_add_char(&names, '\0');
	for (size_t i = 0; i < count; i++) {
		headers[i + 1] = (Elf64_Shdr){.sh_name = (Elf64_Word)names.len,
		                              .sh_type = SHT_PROGBITS,
		                              .sh_offset = out.len,
		                              .sh_size = parts[i].size,
		                              .sh_addralign = 1};
		buf_add_bytes(&names, parts[i].name, strlen(parts[i].name) + 1);
		buf_add_bytes(&out, parts[i].data, parts[i].size);
		align(&out);
	}
	headers[count + 1] = (Elf64_Shdr){
		.sh_type = SHT_STRTAB, .sh_offset = out.len, .sh_size = names.len, .sh_addralign = 1};
	buf_add_bytes(&out, names.data, names.len);
	align(&out);
	file.e_shoff = out.len;
	buf_add_bytes(&out, headers, (count + 2) * sizeof *headers);
	memcpy(out.data, &file, sizeof file);
	buf_free(&names);
	return out;
}

/* Writes a table in the layout since Go 1.20; moduledata has its words from the first function on
   at 20. */
static void add_table(struct buf *out, uint64_t address, bool good)
{
	enum { CODE = 0x400000, LIST = 128, END = 256 };
	uint8_t table[END] = {0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8};
	const uint64_t header[] = {2, 1, CODE, 72, 96, 100, 112, LIST};
	const uint32_t functions[] = {good ? 0 : 16, 24, good ? 16 : 0, 64, 32, 0};
	uint64_t record[40] = {
		[0] = address, [13] = address + LIST, [14] = END - LIST, [16] = address + LIST, [17] = 3,
		[20] = CODE,   [21] = CODE + 32,      [22] = CODE,       [23] = CODE + 32,      [26] = CODE,
		[27] = CODE,   [28] = CODE,           [29] = CODE};
	memcpy(table + 8, header, sizeof header);
	memcpy(table + 72, "main.main", 10);
	memcpy(table + LIST, functions, sizeof functions);
	buf_add_bytes(out, table, sizeof table);
	buf_add_bytes(out, record, sizeof record);
}

struct buf elf_write_tables(size_t count, bool good)
{
	SCOPED_BUF tables = {0};
	for (size_t i = 0; i < count; i++)
		add_table(&tables, ELF_FIRST_TABLE + i * ELF_TABLE_BYTES, good && i + 1 == count);
	const struct elf_part part = {".data.rel.ro", tables.data, tables.len};
	struct buf out = elf_write(&part, 1);
	Elf64_Phdr segment;
	memcpy(&segment, out.data + sizeof(Elf64_Ehdr), sizeof segment);
	segment.p_flags = PF_R | PF_W;
	segment.p_filesz = segment.p_memsz = out.len;
	memcpy(out.data + sizeof(Elf64_Ehdr), &segment, sizeof segment);
	return out;
}

struct buf elf_write_debug(const char *path)
{
	struct input input = {.fd = -1};
	struct elf_part parts[MAX_PARTS];
	size_t count = 0, names = 0;
	struct buf out = {0};
	if (!input_open(&input, path, NULL, NULL, NULL))
		return out;
	char *copy = memcpy(mem_alloc(input.size), input.data, input.size);
	elf_version(EV_CURRENT);
	Elf *elf = elf_memory(copy, input.size);
	Elf_Scn *section = NULL;
	elf_getshdrstrndx(elf, &names);
	while ((section = elf_nextscn(elf, section)) && count < MAX_PARTS) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name)
		                                                  : "";
		if (strncmp(name, ".debug_", strlen(".debug_")) != 0)
			continue;
		if (header.sh_flags & SHF_COMPRESSED)
			elf_compress(section, 0, 0);
		Elf_Data *data = elf_getdata(section, NULL);
		if (data)
			parts[count++] = (struct elf_part){name, data->d_buf, data->d_size};
	}
	out = elf_write(parts, count);
	elf_end(elf);
	free(copy);
	input_close(&input);
	return out;
}
