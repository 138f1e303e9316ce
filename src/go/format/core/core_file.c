#include "core_file.h"

#include "base/bound.h"
#include "base/mem.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SEGMENTS = 1 << 22, FILE_NOTE = 0x46494c45 };

bool core_file_is(const uint8_t *data, size_t size)
{
	Elf64_Ehdr header;
	if (size < sizeof header || memcmp(data, ELFMAG, SELFMAG) != 0)
		return false;
	memcpy(&header, data, sizeof header);
	bool swapped = header.e_ident[EI_DATA] == ELFDATA2MSB;
	return header.e_type == (swapped ? ET_CORE << 8 : ET_CORE);
}

/* Returns a number in the file, or 0 if it is out of bounds. */
static uint64_t number_at(const uint8_t *data, size_t size, uint64_t offset, unsigned bytes)
{
	uint64_t value = 0;
	if (offset <= size && size - offset >= bytes)
		memcpy(&value, data + offset, bytes);
	return value;
}

/* Returns the machine's name in Go (GOARCH). */
static const char *machine_name(const Elf64_Ehdr *header)
{
	static const struct {
		uint16_t machine;
		const char *name;
	} names[] = {
		{EM_386, "386"},     {EM_ARM, "arm"},       {EM_MIPS, "mips"}, {EM_S390, "s390x"},
		{EM_PPC64, "ppc64"}, {EM_RISCV, "riscv64"}, {258, "loong64"},
	};
	bool swapped = header->e_ident[EI_DATA] == ELFDATA2MSB;
	uint16_t machine = header->e_machine;
	if (swapped)
		machine = (uint16_t)(machine >> 8 | machine << 8);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].machine == machine)
			return names[i].name;
	return "another machine";
}

static bool check_header(const Elf64_Ehdr *header, struct err *err)
{
	if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB
	    || (header->e_machine != EM_X86_64 && header->e_machine != EM_AARCH64))
		return err_at(err, 0,
		              "Core files are read of amd64 and arm64, and this one is of %s. "
		              "debug.WriteHeapDump writes heap dumps on every machine",
		              machine_name(header));
	if (header->e_phentsize != sizeof(Elf64_Phdr))
		return err_at(err, 0, "The headers of this core file are damaged");
	return true;
}

/* Returns the number of program headers. If there are more than 65,534, the first section header
   has it. */
static uint64_t header_count(const Elf64_Ehdr *header, const uint8_t *data, size_t size)
{
	if (header->e_phnum != PN_XNUM)
		return header->e_phnum;
	return number_at(data, size, header->e_shoff + offsetof(Elf64_Shdr, sh_info), 4);
}

static void add_segment(struct core_file *core, const Elf64_Phdr *header)
{
	uint64_t size = header->p_filesz, mapped = header->p_memsz;
	if (mapped && header->p_vaddr + mapped > header->p_vaddr)
		core->range[core->ranges++] = (struct core_range){header->p_vaddr, mapped, header->p_flags};
	uint64_t there = header->p_offset < core->size ? core->size - header->p_offset : 0;
	if (size > there) {
		core->cut += size - there;
		size = there;
	}
	if (!size || header->p_vaddr + size < header->p_vaddr)
		return;
	core->segment[core->segments++] =
		(struct core_segment){header->p_vaddr, size, header->p_offset};
}

static void core_file_add_thread(struct core_file *core, const uint8_t *note, uint64_t size)
{
	/* Offsets in struct elf_prstatus: signal, thread id, registers. */
	enum { SIGNAL = 12, ID = 32, REGISTERS = 112, RIP = 16, RSP = 19 };
	enum { FS_BASE = 21, ARM_SP = 31, ARM_PC = 32 };
	bool arm = core->machine == EM_AARCH64;
	size_t count = arm ? 33 : 27;
	if (size < REGISTERS + count * 8) {
		core->notes_broken = true;
		return;
	}
	core->thread =
		mem_grow(core->thread, core->threads, &core->os_thread_capacity, sizeof *core->thread);
	const uint8_t *registers = note + REGISTERS;
	core->thread[core->threads++] = (struct core_thread){
		.id = number_at(note, size, ID, 4),
		.signal = (unsigned)number_at(note, size, SIGNAL, 2),
		.sp = number_at(registers, count * 8, 8 * (arm ? ARM_SP : RSP), 8),
		.tls = arm ? 0 : number_at(registers, count * 8, 8 * FS_BASE, 8),
		.pc = number_at(registers, count * 8, 8 * (arm ? ARM_PC : RIP), 8),
		.registers = registers,
		.register_count = count,
	};
}

/* Reads the program name from struct elf_prpsinfo, at most 15 characters. */
static void read_program(struct core_file *core, const uint8_t *note, uint64_t size)
{
	enum { NAME = 40, ROOM = 16 };
	if (size >= NAME + ROOM)
		core->program =
			(struct text){(const char *)note + NAME, strnlen((const char *)note + NAME, ROOM)};
}

static void read_auxv(struct core_file *core, const uint8_t *note, uint64_t size)
{
	for (uint64_t at = 0; at + 16 <= size; at += 16)
		if (number_at(note, size, at, 8) == AT_ENTRY)
			core->entry = number_at(note, size, at + 8, 8);
		else if (number_at(note, size, at, 8) == AT_RANDOM)
			core->initial_stack = number_at(note, size, at + 8, 8);
}

/* Reads NT_FILE: count, page size, count times (start, end, file page), count names. */
static void read_mappings(struct core_file *core, const uint8_t *note, uint64_t size)
{
	uint64_t count = number_at(note, size, 0, 8);
	uint64_t names = 16 + count * 24;
	if (core->mapping || count > size / 24 || names > size)
		return;
	core->mapping = mem_alloc((count + 1) * sizeof *core->mapping);
	for (uint64_t i = 0; i < count; i++) {
		const uint8_t *end = names < size ? memchr(note + names, 0, size - names) : NULL;
		if (!end)
			return;
		core->mapping[core->mappings++] = (struct core_mapping){
			number_at(note, size, 16 + i * 24, 8), number_at(note, size, 24 + i * 24, 8),
			(const char *)note + names};
		names = (uint64_t)(end - note) + 1;
	}
}

static void core_file_read_note(struct core_file *core, uint64_t type, const uint8_t *note,
                                uint64_t size)
{
	if (type == NT_PRSTATUS)
		core_file_add_thread(core, note, size);
	else if (type == NT_PRPSINFO)
		read_program(core, note, size);
	else if (type == NT_AUXV)
		read_auxv(core, note, size);
	else if (type == FILE_NOTE)
		read_mappings(core, note, size);
}

/* Reads the pairs of addresses of the resident memory. Rejects them if they do not ascend. */
static void read_resident(struct core_file *core, const uint8_t *note, uint64_t size)
{
	uint64_t count = size / sizeof *core->resident;
	if (core->resident)
		return;
	core->resident = mem_alloc((count + 1) * sizeof *core->resident);
	memcpy(core->resident, note, count * sizeof *core->resident);
	uint64_t end = 0;
	core->knows_resident = true;
	for (uint64_t i = 0; i < count && core->knows_resident; i++) {
		const struct core_run *run = &core->resident[i];
		core->knows_resident = run->start >= end && run->start < run->end;
		end = run->end;
	}
	core->residents = core->knows_resident ? count : 0;
	core->notes_broken |= !core->knows_resident;
}

static void read_own_note(struct core_file *core, uint64_t type, const uint8_t *note, uint64_t size)
{
	if (type == PROCESS_RESIDENT)
		read_resident(core, note, size);
	if (type == PROCESS_NOTE && size >= sizeof core->own)
		memcpy(&core->own, note, sizeof core->own);
	if (type == CORE_NOTE_REDACTED) {
		core->redacted = true;
		core->cut += number_at(note, size, 0, 8);
	}
}

static void read_notes(struct core_file *core, uint64_t offset, uint64_t size)
{
	static const char own[8] = "goheapx";
	uint64_t there = offset < core->size ? core->size - offset : 0;
	uint64_t end = size < there ? size : there;
	const uint8_t *notes = core->data + (there ? offset : 0);
	core->notes_broken |= end < size;
	for (uint64_t at = 0; at + sizeof(Elf64_Nhdr) <= end;) {
		uint64_t name = number_at(notes, end, at, 4), length = number_at(notes, end, at + 4, 4);
		uint64_t type = number_at(notes, end, at + 8, 4);
		uint64_t content = at + sizeof(Elf64_Nhdr) + (name + 3) / 4 * 4;
		if (content > end || length > end - content) {
			core->notes_broken = true;
			return;
		}
		if (name == sizeof own && memcmp(notes + content - sizeof own, own, sizeof own) == 0)
			read_own_note(core, type, notes + content, length);
		else
			core_file_read_note(core, type, notes + content, length);
		at = content + (length + 3) / 4 * 4;
	}
}

/* Sorts segments, drops overlapping ones, and joins those adjacent in memory and in the file. */
static void order_segments(struct core_file *core)
{
	size_t kept = 0;
	bound_sort(core->segment, core->segments, BOUND_BY(struct core_segment, address));
	for (size_t i = 0; i < core->segments; i++) {
		struct core_segment next = core->segment[i];
		struct core_segment *last = kept ? &core->segment[kept - 1] : NULL;
		if (last && next.address < last->address + last->size)
			continue;
		if (last && next.address == last->address + last->size
		    && next.offset == last->offset + last->size)
			last->size += next.size;
		else
			core->segment[kept++] = next;
	}
	core->segments = kept;
}

/* Sorts ranges. Overlaps occur only in damaged files: the later range then begins at the end of the
   earlier. */
static void order_ranges(struct core_file *core)
{
	size_t kept = 0;
	uint64_t end = 0;
	bound_sort(core->range, core->ranges, BOUND_BY(struct core_range, start));
	for (size_t i = 0; i < core->ranges; i++) {
		struct core_range next = core->range[i];
		uint64_t next_end = next.start + next.bytes;
		if (next_end <= end)
			continue;
		if (next.start < end)
			next.start = end;
		next.bytes = next_end - next.start;
		end = next_end;
		core->range[kept++] = next;
	}
	core->ranges = kept;
}

bool core_file_init(struct core_file *core, const uint8_t *data, size_t size, struct err *err)
{
	Elf64_Ehdr header;
	*core = (struct core_file){.data = data, .size = size};
	if (size < sizeof header)
		return err_at(err, size, "The core file ends within its header");
	memcpy(&header, data, sizeof header);
	if (!check_header(&header, err))
		return false;
	core->machine = header.e_machine;
	uint64_t count = header_count(&header, data, size);
	uint64_t room = header.e_phoff < size ? (size - header.e_phoff) / sizeof(Elf64_Phdr) : 0;
	if (count > room || count > MOST_SEGMENTS)
		count = room < MOST_SEGMENTS ? room : MOST_SEGMENTS;
	core->headers = count;
	core->headers_lost = header_count(&header, data, size) - count;
	core->segment = mem_alloc((count + 1) * sizeof *core->segment);
	core->range = mem_alloc((count + 1) * sizeof *core->range);
	for (uint64_t i = 0; i < count; i++) {
		Elf64_Phdr part;
		memcpy(&part, data + header.e_phoff + i * sizeof part, sizeof part);
		if (part.p_type == PT_LOAD)
			add_segment(core, &part);
		else if (part.p_type == PT_NOTE)
			read_notes(core, part.p_offset, part.p_filesz);
	}
	order_segments(core);
	order_ranges(core);
	if (core->segments)
		return true;
	core_file_fini(core);
	return err_at(err, header.e_phoff, "The core file holds no memory");
}

void core_file_fini(struct core_file *core)
{
	free(core->segment);
	free(core->range);
	free(core->thread);
	free(core->mapping);
	free(core->resident);
	*core = (struct core_file){0};
}

const char *core_file_path(const struct core_file *core, uint64_t address)
{
	for (size_t i = 0; i < core->mappings; i++)
		if (address - core->mapping[i].start < core->mapping[i].end - core->mapping[i].start)
			return core->mapping[i].path;
	return NULL;
}

const struct core_segment *core_file_segment(const struct core_file *core, uint64_t address)
{
	size_t after =
		upper_bound(core->segment, core->segments, BOUND_BY(struct core_segment, address), address);
	const struct core_segment *last = after ? &core->segment[after - 1] : NULL;
	return last && address - last->address < last->size ? last : NULL;
}

const uint8_t *core_file_at(const struct core_file *core, uint64_t address, uint64_t size)
{
	const struct core_segment *segment = core_file_segment(core, address);
	if (!segment || size > segment->size - (address - segment->address))
		return NULL;
	return core->data + segment->offset + (address - segment->address);
}

bool core_file_resident(const struct core_file *core, uint64_t address, uint64_t bytes,
                        uint64_t *resident)
{
	uint64_t end = address + bytes;
	size_t at =
		upper_bound(core->resident, core->residents, BOUND_BY(struct core_run, start), address);
	*resident = 0;
	for (at -= at > 0; at < core->residents && core->resident[at].start < end; at++) {
		const struct core_run *run = &core->resident[at];
		uint64_t first = run->start > address ? run->start : address;
		uint64_t last = run->end < end ? run->end : end;
		*resident += last > first ? last - first : 0;
	}
	return core->knows_resident;
}
