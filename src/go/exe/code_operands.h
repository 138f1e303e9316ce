/* Addresses in the operands of instructions. Private to src/go/exe. */
#pragma once

#include "base/progress.h"
#include "go/exe/pclntab.h"

/* How an instruction uses an address. */
enum operand_access {
	OPERAND_LOADED,  /* reads from it, or reads and writes */
	OPERAND_ADDRESS, /* computes the address */
	OPERAND_STORED   /* only writes to it */
};

/* The requested range of addresses, and callbacks. */
struct code_operands {
	uint64_t low, high; /* [low, high) */
	/* Called at the beginning of each function, with its number in the table of functions. */
	void (*enter)(void *self, size_t function);
	/* Called for each reference to an address; `pc` lies within the instruction. */
	void (*use)(void *self, uint64_t pc, uint64_t address, enum operand_access access);
	void *self;
	struct progress *progress; /* cancels a scan of all code; NULL: nothing does */
};

/* Scans the code of one function whose first instruction is at `pc`. */
typedef void code_operands_scan(const struct code_operands *operands, const uint8_t *code,
                                size_t size, uint64_t pc);
/* Returns the scanner for an ELF machine, or NULL if the machine is not supported. */
code_operands_scan *code_operands_of(unsigned machine);

/* Scans all code of a program, function by function: amd64 and arm64 only, nothing for others. The
   code is not disassembled, so bytes that only look like an instruction are reported, too. Costs
   about 2 ms per megabyte of code. */
void code_operands_of_program(const struct pclntab *table, const struct code_operands *operands);
