/* Words of the command line that are files, wherever they stand. */
#ifndef MAIN_OPERANDS_H
#define MAIN_OPERANDS_H

#include "main/subcommand.h"

/* Takes an ELF program and its debug file out of the operands of a subcommand that reads dumps, as
   if --exe and --debug-file had named them, and puts a copy of the standard input in the stead of
   "-". False: *err. */
bool operands_settle(struct options *options, const struct subcommand *subcommand, struct err *err);

#endif
