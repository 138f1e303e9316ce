/* Attributes of DIEs, including those specific to Go. Private to src/go/exe. */
#pragma once

#include <elfutils/libdw.h>

#include <dwarf.h>
#include <stdbool.h>
#include <stdint.h>

enum { /* defined in cmd/internal/dwarf */
	   AT_GO_KIND = 0x2900,
	   AT_GO_KEY,
	   AT_GO_ELEM,
	   AT_GO_EMBEDDED,
	   AT_GO_RUNTIME_TYPE,
	   AT_GO_CLOSURE_OFFSET = 0x2907
};
enum { DIE_NAME_MAX = 1 << 14 };

/* Return NULL or false if the attribute is absent or malformed. They follow abstract origins. */
const char *die_name(Dwarf_Die *die); /* NULL also if longer than DIE_NAME_MAX */
bool die_number(Dwarf_Die *die, unsigned attribute, uint64_t *value);
bool die_address(Dwarf_Die *die, unsigned attribute, uint64_t *value);
bool die_reference(Dwarf_Die *die, unsigned attribute, Dwarf_Die *to);
/* Like die_reference, but returns the offset in .debug_info, or 0. */
Dwarf_Off die_reference_offset(Dwarf_Die *die, unsigned attribute);
/* Returns the string value of an attribute. */
const char *attribute_text(Dwarf_Attribute *attribute);
