/* Redaction of core files. */
#pragma once

#include "core_runtime.h"

#include "base/redaction.h"

/* Everything in a core file is a zone, but for its headers and what is kept of its notes: registers
   that hold addresses, threads, and the names of programs and libraries. Constants of the program
   that are as in its executable stay, too. Appends the note that says so. */
void core_redact(const struct core_runtime *rt, struct redaction *redaction);
