/* Finds addresses in instructions without disassembling. amd64: ModRM with mod 00 and rm 101 is
   followed by a 32-bit offset from the end of the instruction, which may have an immediate after
   it. arm64: ADRP has the page, and a following add, load or store with the same register the
   offset. */
#include "code_operands.h"
#include "pclntab_layout.h"

#include <endian.h>
#include <gelf.h>
#include <string.h>

static uint32_t code_word(const uint8_t *at)
{
	uint32_t word;
	memcpy(&word, at, sizeof word);
	return le32toh(word);
}

/* ---- amd64 */

enum {
	NOT = -1,
	LEGACY_SIZE = 0x66,
	TWO_BYTES = 0x0f,
	THREE_BYTES_PLAIN = 0x38,
	THREE_BYTES = 0x3a
};

/* Returns true if the list contains the byte. */
static bool is_one_of(uint8_t byte, const char *list, size_t count)
{
	return memchr(list, byte, count) != NULL;
}
#define IS_ONE_OF(byte, list) is_one_of(byte, list, sizeof(list) - 1)

/* Returns the length of the immediate after the displacement, by the opcode before ModRM and, for
   some opcodes, by its reg field. Returns NOT if there is no such instruction. */
static int immediate_of_one(uint8_t opcode, unsigned reg, bool is_short)
{
	int word = is_short ? 2 : 4;
	if (opcode < 0x40)
		return opcode % 8 < 4 ? 0 : NOT;
	if (IS_ONE_OF(opcode, "\x63\x84\x85\x86\x87\x88\x89\x8a\x8b\x8d\x8f\xd0\xd1\xd2\xd3\xfe\xff"))
		return 0;
	if (IS_ONE_OF(opcode, "\x6b\x80\x83\xc0\xc1\xc6"))
		return 1;
	if (IS_ONE_OF(opcode, "\x69\x81\xc7"))
		return word;
	if (opcode == 0xf6 || opcode == 0xf7)
		return reg > 1 ? 0 : opcode == 0xf6 ? 1 : word;
	return NOT;
}

static int immediate_of_two(uint8_t opcode)
{
	return IS_ONE_OF(opcode, "\x70\xa4\xac\xba\xc2\xc4\xc6") ? 1 : 0;
}

/* Returns the length of the immediate of an instruction whose ModRM is at `at`, or NOT. */
static int amd64_immediate(const uint8_t *code, size_t at)
{
	uint8_t before[4] = {0}; /* the opcode first */
	for (size_t i = 0; i < sizeof before && i < at; i++)
		before[i] = code[at - 1 - i];
	unsigned reg = code[at] >> 3 & 7;
	bool has_rex = (before[1] & 0xf0) == 0x40;
	if (before[1] == TWO_BYTES && (before[0] & 0xf0) != 0x80) /* 0x8x are jumps */
		return immediate_of_two(before[0]);
	if (before[2] == TWO_BYTES && before[1] == THREE_BYTES_PLAIN)
		return 0;
	if (before[2] == TWO_BYTES && before[1] == THREE_BYTES)
		return 1;
	return immediate_of_one(before[0], reg, before[has_rex ? 2 : 1] == LEGACY_SIZE);
}

static enum operand_access amd64_access(const uint8_t *code, size_t at)
{
	uint8_t opcode = code[at - 1];
	bool is_two = at > 1 && code[at - 2] == TWO_BYTES;
	bool stores = is_two ? IS_ONE_OF(opcode, "\x11\x29\x7f\xd6\xe7")
	                     : IS_ONE_OF(opcode, "\x88\x89\xc6\xc7");
	return stores ? OPERAND_STORED : opcode == 0x8d && !is_two ? OPERAND_ADDRESS : OPERAND_LOADED;
}

static void amd64_scan(const struct code_operands *operands, const uint8_t *code, size_t size,
                       uint64_t pc)
{
	const size_t displacement = 4, longest = 4; /* longest immediate */
	uint64_t span = operands->high - operands->low;
	for (size_t at = 1; at + displacement < size; at++) {
		if ((code[at] & 0xc7) != 5)
			continue;
		size_t end = at + 1 + displacement;
		uint64_t address = pc + end + (uint64_t)(int64_t)(int32_t)code_word(code + at + 1);
		if (address + longest - operands->low >= span + longest)
			continue;
		int immediate = amd64_immediate(code, at);
		if (immediate == NOT)
			continue;
		address += (uint64_t)immediate;
		if (address - operands->low < span)
			operands->use(operands->self, pc + at, address, amd64_access(code, at));
	}
}

/* ---- arm64 */

enum { INSTRUCTION = 4, NEAR = 3 /* the rest is at most this many instructions after ADRP */ };

static bool arm64_page(uint32_t word, uint64_t pc, uint64_t *page)
{
	uint64_t pages = (uint64_t)(word >> 5 & 0x7ffff) << 2 | (word >> 29 & 3);
	if ((word & 0x9f000000) != 0x90000000)
		return false;
	if (pages & 1 << 20)
		pages |= ~(uint64_t)0 << 21;
	*page = (pc & ~(uint64_t)0xfff) + (pages << 12);
	return true;
}

/* Returns true if the instruction is an add, load or store with this base register; *offset is its
   immediate. */
static bool arm64_offset(uint32_t word, unsigned base, uint64_t *offset,
                         enum operand_access *access)
{
	uint64_t immediate = word >> 10 & 0xfff;
	bool is_vector = word & 1 << 26, is_wide = word & 1 << 23, is_load = word & 1 << 22;
	*access = OPERAND_ADDRESS;
	if ((word >> 5 & 31) != base)
		return false;
	*offset = immediate;
	if ((word & 0xffc00000) == 0x91000000) /* ADD, 64 bits, not shifted */
		return true;
	*offset = immediate << (is_vector && is_wide ? 4 : word >> 30);
	*access = !is_load && (is_vector || !is_wide) ? OPERAND_STORED : OPERAND_LOADED;
	return (word & 0x3b000000) == 0x39000000; /* LDR or STR with an unsigned offset */
}

static void arm64_scan(const struct code_operands *operands, const uint8_t *code, size_t size,
                       uint64_t pc)
{
	for (size_t at = 0; at + INSTRUCTION <= size; at += INSTRUCTION) {
		uint64_t page, offset;
		enum operand_access access;
		uint32_t word = code_word(code + at);
		if (!arm64_page(word, pc + at, &page) || page + 0xfff < operands->low
		    || page >= operands->high)
			continue;
		for (size_t i = 1; i <= NEAR && at + (i + 1) * INSTRUCTION <= size; i++) {
			if (!arm64_offset(code_word(code + at + i * INSTRUCTION), word & 31, &offset, &access))
				continue;
			if (page + offset - operands->low < operands->high - operands->low)
				operands->use(operands->self, pc + at, page + offset, access);
			break;
		}
	}
}

/* ---- Whole programs */

enum { FUNCTIONS = 1 << 10 /* scanned between two looks at the progress */ };

code_operands_scan *code_operands_of(unsigned machine)
{
	return machine == EM_X86_64 ? amd64_scan : machine == EM_AARCH64 ? arm64_scan : NULL;
}

void code_operands_of_program(const struct pclntab *table, const struct code_operands *operands)
{
	GElf_Ehdr header;
	code_operands_scan *scan =
		gelf_getehdr(table->image->elf, &header) ? code_operands_of(header.e_machine) : NULL;
	if (!scan || operands->high <= operands->low)
		return;
	for (size_t i = 0; i < table->count; i++) {
		if (i % FUNCTIONS == 0 && !progress_step(operands->progress, 0))
			return;
		uint64_t entry = table->functions[i].entry;
		const struct pclntab *of = pclntab_of(table, i);
		uint64_t end = i + 1 < table->count && table->functions[i + 1].entry < of->end
		                   ? table->functions[i + 1].entry
		                   : of->end;
		uint64_t room = image_room(table->image, entry);
		uint64_t size = end - entry < room ? end - entry : room;
		const uint8_t *code = image_bytes(table->image, entry, size);
		if (!code || end <= entry)
			continue;
		operands->enter(operands->self, i);
		scan(operands, code, (size_t)size, entry);
	}
}
