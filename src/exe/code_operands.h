/* Addresses in the operands of instructions: private to src/exe. */
#ifndef EXE_CODE_OPERANDS_H
#define EXE_CODE_OPERANDS_H

#include "exe/pclntab.h"

/* What an instruction does with an address. */
enum operand_access {
	OPERAND_LOADED,  /* it reads there, or reads and writes */
	OPERAND_ADDRESS, /* it takes the address */
	OPERAND_STORED   /* it only writes there */
};

/* Which addresses are looked for, and who takes them. */
struct code_operands {
	uint64_t low, high; /* [low, high) */
	/* A function begins: its number in the table of functions. */
	void (*enter)(void *self, size_t function);
	/* An instruction refers to an address; `pc` is in the instruction. */
	void (*use)(void *self, uint64_t pc, uint64_t address, enum operand_access access);
	void *self;
};

/* Reads the code of one function, whose first instruction is at `pc`. */
typedef void code_operands_scan(const struct code_operands *operands, const uint8_t *code,
                                size_t size, uint64_t pc);
/* The one of an ELF machine; NULL: that is not known. */
code_operands_scan *code_operands_of(unsigned machine);

/* Reads all code of a program, in the order of its functions: amd64 and arm64; of other machines
   nothing is found. The code is not disassembled: bytes that only look like such an instruction are
   reported, too. Costs about 2 ms a megabyte of code. */
void code_operands_of_program(const struct pclntab *table, const struct code_operands *operands);

#endif
