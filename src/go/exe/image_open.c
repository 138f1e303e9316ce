/* Opens an executable with libelf: loaded segments, symbols, relocations. */
#include "go/exe/image.h"

#include "base/mem.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *magic;
	size_t length;
	const char *name;
} foreign[] = {
	{"MZ", 2, "a Windows (PE) executable"},         {"\xfe\xed\xfa\xce", 4, "a Mach-O executable"},
	{"\xce\xfa\xed\xfe", 4, "a Mach-O executable"}, {"\xfe\xed\xfa\xcf", 4, "a Mach-O executable"},
	{"\xcf\xfa\xed\xfe", 4, "a Mach-O executable"}, {"\xca\xfe\xba\xbe", 4, "a Mach-O executable"},
	{"go1.", 4, "a heap dump, not an executable"},
};

/* Returns a name for a known but unsupported kind of file, or NULL. */
static const char *foreign_name(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		if (size >= foreign[i].length && memcmp(data, foreign[i].magic, foreign[i].length) == 0)
			return foreign[i].name;
	return NULL;
}

bool image_known(void *self, const uint8_t *start, size_t size, struct err *err)
{
	(void)self;
	const char *name = foreign_name(start, size);
	if (size >= SELFMAG && memcmp(start, ELFMAG, SELFMAG) == 0)
		return true;
	return err_set(err, "The archive holds %s; only ELF executables are read",
	               name ? name : "no executable");
}

static bool refuse(const uint8_t *data, size_t size, const char *path, struct err *err)
{
	const char *name = foreign_name(data, size);
	return name ? err_set(err, "%s is %s; only ELF executables are read", path, name)
	            : err_set(err, "%s is no ELF executable", path);
}

/* Returns true if the file ends before its list of sections, which linkers write last. */
static bool image_open_is_cut(const struct image *image, const GElf_Ehdr *header)
{
	uint64_t sections = (uint64_t)header->e_shnum * header->e_shentsize;
	return header->e_shoff > image->size || sections > image->size - header->e_shoff;
}

/* Reads the segments and the machine. Returns false with *err if nothing is loadable. */
static bool read_segments(struct image *image, const char *path, struct err *err)
{
	GElf_Ehdr header;
	size_t count = 0, capacity = 0;
	if (!gelf_getehdr(image->elf, &header) || elf_getphdrnum(image->elf, &count) != 0)
		return err_set(err, "%s is a damaged ELF file: %s", path, elf_errmsg(-1));
	image->pointer_size = header.e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8;
	image->big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
	image->damage.cut = image_open_is_cut(image, &header);
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;
		if (!gelf_getphdr(image->elf, (int)i, &segment) || segment.p_type != PT_LOAD)
			continue;
		uint64_t left = segment.p_offset < image->size ? image->size - segment.p_offset : 0;
		image->damage.segments += segment.p_filesz > left;
		if (left == 0)
			continue;
		image->segments =
			mem_grow(image->segments, image->segment_count, &capacity, sizeof *image->segments);
		image->segments[image->segment_count++] = (struct image_segment){
			segment.p_vaddr, segment.p_filesz < left ? segment.p_filesz : left,
			image->data + segment.p_offset, segment.p_flags & PF_W};
	}
	return image->segment_count ? true
	       : image->damage.cut  ? err_set(err, "%s is damaged: its end is missing", path)
	                            : err_set(err, "%s holds no program: it has nothing to load", path);
}

/* The relative relocation, which adds the load bias, by machine. */
static const struct {
	unsigned machine, type;
} relative[] = {
	{EM_X86_64, R_X86_64_RELATIVE}, {EM_386, R_386_RELATIVE},  {EM_AARCH64, R_AARCH64_RELATIVE},
	{EM_ARM, R_ARM_RELATIVE},       {EM_S390, R_390_RELATIVE}, {EM_PPC64, R_PPC64_RELATIVE},
	{243 /* RISC-V */, 3},          {258 /* LoongArch */, 3},
};

/* Returns the type of the relative relocation on this machine; 0, which is never valid, if it is
   not known. */
static unsigned relative_type(const struct image *image)
{
	GElf_Ehdr header;
	for (size_t i = 0; i < sizeof relative / sizeof *relative; i++)
		if (gelf_getehdr(image->elf, &header) && relative[i].machine == header.e_machine)
			return relative[i].type;
	return 0;
}

/* The relocation that adds the address of a symbol, by machine. */
static bool image_open_is_absolute(unsigned machine, unsigned type)
{
	return machine == EM_X86_64    ? type == R_X86_64_64
	       : machine == EM_AARCH64 ? type == R_AARCH64_ABS64
	                               : false;
}

/* Returns the symbols that relocations name, with the section of their names; NULL: none. */
static Elf_Data *image_open_dynamic_symbols(const struct image *image, const GElf_Shdr *relocations,
                                            size_t *names)
{
	Elf_Scn *scn = elf_getscn(image->elf, relocations->sh_link);
	GElf_Shdr header;
	bool known = scn && gelf_getshdr(scn, &header) && header.sh_type == SHT_DYNSYM;
	*names = known ? header.sh_link : 0;
	return known ? elf_getdata(scn, NULL) : NULL;
}

/* Notes the pointer to a symbol: where it leads, or of which name it is, if another file has it. */
static void image_open_absolute(struct image *image, Elf_Data *symbols, size_t names,
                                const GElf_Rela *entry)
{
	GElf_Sym symbol;
	uint64_t number = GELF_R_SYM(entry->r_info), addend = (uint64_t)entry->r_addend;
	if (!symbols || number > INT32_MAX || !gelf_getsym(symbols, (int)number, &symbol))
		return;
	if (symbol.st_shndx != SHN_UNDEF) {
		map_put(&image->relocations, entry->r_offset, symbol.st_value + addend);
		return;
	}
	const char *name = elf_strptr(image->elf, names, symbol.st_name);
	if (name && *name)
		MEM_PUSH(image->wanted, image->wanted_count, image->wanted_capacity,
		         ((struct image_wanted){entry->r_offset, addend, name}));
}

/* Reads relocations with addends (RELA). REL relocations keep the addend in the file, which already
   has the right value. *budget bounds the time for a file with many tables over the same bytes. */
static void read_relocations(struct image *image, Elf_Scn *scn, const GElf_Shdr *header,
                             uint64_t *budget)
{
	unsigned type = relative_type(image);
	if (!type || !header->sh_entsize || !(header->sh_flags & SHF_ALLOC))
		return;
	Elf_Data *data = elf_getdata(scn, NULL);
	if (!data || data->d_size > *budget) {
		image->damage.relocations += header->sh_size / header->sh_entsize;
		return;
	}
	*budget -= data->d_size;
	GElf_Ehdr elf;
	unsigned machine = gelf_getehdr(image->elf, &elf) ? elf.e_machine : EM_NONE;
	size_t names;
	Elf_Data *symbols = image_open_dynamic_symbols(image, header, &names);
	for (uint64_t i = 0; i < data->d_size / header->sh_entsize && i <= INT32_MAX; i++) {
		GElf_Rela entry;
		if (!gelf_getrela(data, (int)i, &entry))
			continue;
		if (GELF_R_TYPE(entry.r_info) == type)
			map_put(&image->relocations, entry.r_offset, (uint64_t)entry.r_addend);
		else if (image_open_is_absolute(machine, GELF_R_TYPE(entry.r_info)))
			image_open_absolute(image, symbols, names, &entry);
	}
}

static void read_symbols(struct image *image, Elf *elf, Elf_Scn *scn, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t capacity = image->symbol_count;
	if (!data || !header->sh_entsize) {
		image->damage.symbols += header->sh_entsize ? header->sh_size / header->sh_entsize : 1;
		return;
	}
	for (uint64_t i = 0; i < data->d_size / header->sh_entsize && i <= INT32_MAX; i++) {
		GElf_Sym symbol;
		if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF) {
			/* only the first entry is zero in a valid file */
			image->damage.symbols += i > 0 && !symbol.st_name;
			continue;
		}
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
		image->damage.symbols += !name || (!*name && symbol.st_name);
		unsigned type = GELF_ST_TYPE(symbol.st_info);
		if (!name || !*name || type == STT_SECTION || type == STT_FILE || type == STT_TLS)
			continue;
		image->symbols =
			mem_grow(image->symbols, image->symbol_count, &capacity, sizeof *image->symbols);
		image->symbols[image->symbol_count++] = (struct image_symbol){
			name, symbol.st_value, symbol.st_size, type == STT_OBJECT && symbol.st_size,
			GELF_ST_BIND(symbol.st_info) != STB_LOCAL};
	}
}

static int image_open_by_address(const void *a, const void *b)
{
	const struct image_symbol *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->variable != y->variable)
		return x->variable - y->variable;
	return strcmp(x->name, y->name);
}

void image_sort_symbols(struct image *image)
{
	if (image->symbol_count)
		qsort(image->symbols, image->symbol_count, sizeof *image->symbols, image_open_by_address);
}

void image_add_exported(struct image *image)
{
	Elf_Scn *scn = NULL;
	while (!image->symbol_count && (scn = elf_nextscn(image->elf, scn))) {
		GElf_Shdr header;
		if (gelf_getshdr(scn, &header) && header.sh_type == SHT_DYNSYM)
			read_symbols(image, image->elf, scn, &header);
		mem_check_errno();
	}
	image_sort_symbols(image);
}

/* A stripped plugin, a stripped program that loads some or is linked with libraries of Go, still
   have the names of all variables, as each must find those of the others. Programs that only call C
   have next to none. */
static void image_open_exported(struct image *image)
{
	uint64_t address;
	image_add_exported(image);
	if (image_is_linked(image) || image_symbol_named(image, "runtime.mheap_", &address))
		return;
	free(image->symbols);
	image->symbols = NULL;
	image->symbol_count = 0;
}

static void read_sections(struct image *image)
{
	Elf_Scn *scn = NULL;
	uint64_t budget = image->size;
	while ((scn = elf_nextscn(image->elf, scn))) {
		GElf_Shdr header;
		if (!gelf_getshdr(scn, &header))
			continue;
		if (header.sh_type == SHT_RELA)
			read_relocations(image, scn, &header, &budget);
		else if (header.sh_type == SHT_SYMTAB && !image->symbols)
			read_symbols(image, image->elf, scn, &header);
		mem_check_errno();
	}
	image->stripped = !image->symbol_count;
	if (image->stripped)
		image_open_exported(image);
	image_sort_symbols(image);
}

void image_use_debug(struct image *image, Elf *elf, const uint8_t *data, size_t size)
{
	bool lacks_symbols = image->stripped;
	if (!image_has_dwarf(image)) {
		image->debug_data = data;
		image->debug_size = size;
	}
	for (Elf_Scn *scn = NULL; lacks_symbols && (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr header;
		if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		image->symbol_count = 0;
		image->stripped = false;
		read_symbols(image, elf, scn, &header);
		lacks_symbols = false;
		mem_check_errno();
	}
	image_sort_symbols(image);
}

struct image *image_open(const uint8_t *data, size_t size, const char *path, struct err *err)
{
	struct image *image = mem_alloc(sizeof *image);
	image->data = image->debug_data = data;
	image->size = image->debug_size = size;
	errno = 0;
	elf_version(EV_CURRENT);
	/* libelf requires writable memory, but does not write unless requested. */
	image->elf = elf_memory((char *)(uintptr_t)data, size);
	mem_check_errno();
	bool is_elf = image->elf && elf_kind(image->elf) == ELF_K_ELF;
	if (is_elf ? read_segments(image, path, err) : refuse(data, size, path, err)) {
		read_sections(image);
		return image;
	}
	image_close(image);
	return NULL;
}

void image_close(struct image *image)
{
	if (!image)
		return;
	elf_end(image->elf);
	free(image->segments);
	free(image->symbols);
	free(image->parts);
	free(image->wanted);
	map_free(&image->relocations);
	free(image);
}
