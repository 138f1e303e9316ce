/* Counts the parts of an executable's debug information that cannot be read. libdw only reports
   that a call failed: after reading an item call debug_complained, and count the item as lost.
   Private to src/go/exe. */
#pragma once

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum debug_part { DEBUG_UNITS, DEBUG_FUNCTIONS, DEBUG_TYPES, DEBUG_VARIABLES, DEBUG_PARTS };

struct debug_damage {
	struct buf sections;        /* parts of a sentence about whole sections; empty: no damage */
	uint64_t lost[DEBUG_PARTS]; /* number of unreadable items */
};

/* Clears pending errors of libdw and errno. */
void debug_begin(void);
/* Returns true if libdw has failed since debug_begin or the last call. Ends the program if libdw
   ran out of memory (base/mem.h). */
bool debug_complained(void);
/* Counts one lost item if libdw has reported an error. */
void debug_count(struct debug_damage *damage, enum debug_part part);

/* Records damage of a whole section: ".debug_info cannot be unpacked". */
void debug_section(struct debug_damage *damage, const char *name, const char *what);
/* Appends a summary such as ".debug_info cannot be unpacked, 2 units and 17 variables cannot be
   read", or nothing if there is no damage. */
void debug_explain(const struct debug_damage *damage, struct buf *out);
