/* Field lists of Go 1.3 and 1.4: a pair is a pointer, string, slice or interface, and an object may
   be an array or a channel whose elements repeat one list. */
#pragma once

#include "base/map.h"
#include "format/record.h"

/* Kinds of pairs. For interfaces they say whether the second word, the data word, is a pointer. */
enum old_kind { OLD_NONE, OLD_POINTER, OLD_DATA, OLD_IFACE, OLD_EFACE };

struct old_fields {
	struct layout layout;
	const uint8_t *kinds; /* enum old_kind by kind in the list */
	uint8_t max_kind;
	struct map scalars; /* itabs and types whose data word is no pointer (Go 1.3) */
};
