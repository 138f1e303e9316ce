/* Command-line operands that are files, in any order. */
#ifndef MAIN_OPERANDS_H
#define MAIN_OPERANDS_H

#include "main/subcommand.h"

/* Removes an ELF program and its debug file from the operands of a subcommand that reads dumps, as
   if --exe and --debug-file had named them, and replaces "-" by a copy of the standard input.
   False: *err. */
bool operands_settle(struct options *options, const struct subcommand *subcommand, struct err *err);

#endif
