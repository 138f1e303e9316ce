/* Field offsets of runtime structs, 64-bit: from the executable's debug information, or from a
   table made with programs of each version from Go 1.17 to 1.27. Newer versions are read by the
   newest rows. */
#pragma once

#include "core_memory.h"

enum core_field {
#define CORE_FIELD(name, of, field) RT_##name,
#include "core_fields.def"
#undef CORE_FIELD
	RT_COUNT
};

enum {
	CORE_MINOR_FIRST = 17,
	CORE_MINOR_CHECKED = 27 /* the newest version whose programs the table was compared with */
};
#define RT_NONE UINT32_MAX

struct core_layout {
	unsigned minor;            /* 24 for Go 1.24 */
	uint32_t offset[RT_COUNT]; /* RT_NONE: not in this version; for a constant its value */
	uint8_t size[RT_COUNT];    /* bytes to read */
};

/* Initializes the layout from the table. It stays empty for versions before CORE_MINOR_FIRST; one
   after CORE_MINOR_CHECKED has the newest layout, which may be wrong. */
void core_layout_init(struct core_layout *layout, unsigned minor, bool arm64);
/* Overrides offsets with the executable's debug information. Returns false if there is none that
   can be read. */
bool core_layout_ask(struct core_layout *layout, const struct image *image);
/* Returns false with *err if a required field is unknown. */
bool core_layout_suffices(const struct core_layout *layout, struct err *err);

/* Reads a field of the struct at an address; 0 if the field or the memory is missing. */
uint64_t core_field(const struct core_memory *memory, const struct core_layout *layout,
                    uint64_t structure, enum core_field field);
/* Returns the address of a field; 0 if this version has none. */
static inline uint64_t core_place(const struct core_layout *layout, uint64_t structure,
                                  enum core_field field)
{
	return layout->offset[field] == RT_NONE ? 0 : structure + layout->offset[field];
}
