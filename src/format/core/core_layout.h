/* Where the fields of the runtime's structures are, 64 bits: as the debug information of the
   executable says, or that of programs built by each version from Go 1.17 to 1.27. */
#ifndef FORMAT_CORE_LAYOUT_H
#define FORMAT_CORE_LAYOUT_H

#include "core_memory.h"

enum core_field {
#define CORE_FIELD(name, of, field) RT_##name,
#include "core_fields.def"
#undef CORE_FIELD
	RT_COUNT
};

enum { CORE_MINOR_FIRST = 17, CORE_MINOR_LAST = 27 };
#define RT_NONE UINT32_MAX

struct core_layout {
	unsigned minor;            /* 24 of Go 1.24 */
	uint32_t offset[RT_COUNT]; /* RT_NONE: this version has no such field; of a constant its value
	                            */
	uint8_t size[RT_COUNT];    /* bytes that are read */
};

/* As the table has it; of versions before the first or after the last there is nothing. */
void core_layout_init(struct core_layout *layout, unsigned minor, bool arm64);
/* Puts what the executable's debug information says over that. False: it has none that can be
   read. */
bool core_layout_ask(struct core_layout *layout, const struct image *image);
/* Are all fields known that nothing can be read without? False: *err names one. */
bool core_layout_suffices(const struct core_layout *layout, struct err *err);

/* A field of the structure at an address; 0 where there is no such field or memory. */
uint64_t core_field(const struct core_memory *memory, const struct core_layout *layout,
                    uint64_t structure, enum core_field field);
/* The address of a field; 0 where this version has none. */
static inline uint64_t core_place(const struct core_layout *layout, uint64_t structure,
                                  enum core_field field)
{
	return layout->offset[field] == RT_NONE ? 0 : structure + layout->offset[field];
}

#endif
