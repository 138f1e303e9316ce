/* Addresses in the operands of instructions: private to src/exe. */
#ifndef EXE_CODE_OPERANDS_H
#define EXE_CODE_OPERANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an instruction does with an address. */
enum operand_access {
	OPERAND_LOADED,  /* it reads there, or reads and writes */
	OPERAND_ADDRESS, /* it takes the address */
	OPERAND_STORED   /* it only writes there */
};

/* Calls `use` with each address in [low, high) that an instruction of the code refers to, in the
   order of the instructions; `pc` is in the instruction. The code is not disassembled: bytes that
   only look like such an instruction are reported, too. */
struct code_operands {
	uint64_t low, high;
	void (*use)(void *self, uint64_t pc, uint64_t address, enum operand_access access);
	void *self;
};
typedef void code_operands_scan(const struct code_operands *operands, const uint8_t *code,
                                size_t size, uint64_t pc);

/* The one of an ELF machine; NULL: that is not known. */
code_operands_scan *code_operands_of(unsigned machine);

#endif
