/* What of an executable's debug information cannot be read. libdw only says that a call failed;
   whoever reads a thing of the file asks debug_complained after it, and counts the thing as lost.
   Private to src/exe. */
#ifndef EXE_DEBUG_DAMAGE_H
#define EXE_DEBUG_DAMAGE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum debug_part { DEBUG_UNITS, DEBUG_FUNCTIONS, DEBUG_TYPES, DEBUG_VARIABLES, DEBUG_PARTS };

struct debug_damage {
	struct buf sections; /* parts of a sentence on sections as a whole; empty: they are fine */
	uint64_t lost[DEBUG_PARTS]; /* how many could not be read */
};

/* Forgets what libdw and the system said before. */
void debug_begin(void);
/* Has libdw failed since debug_begin or the last question? Where it lacked memory the program ends,
   as it does whenever there is none (base/mem.h). */
bool debug_complained(void);
/* Counts one as lost if libdw has complained. */
void debug_count(struct debug_damage *damage, enum debug_part part);

/* A fact about a section: ".debug_info cannot be unpacked". */
void debug_section(struct debug_damage *damage, const char *name, const char *what);
/* Appends what is lost: ".debug_info cannot be unpacked, 2 units and 17 variables cannot be read".
   Nothing when nothing is. */
void debug_explain(const struct debug_damage *damage, struct buf *out);

#endif
