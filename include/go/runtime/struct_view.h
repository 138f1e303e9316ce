/* A struct in memory with access to fields by name: structs of the runtime and the standard
   library, whose layout differs between versions. */
#pragma once

#include "go/runtime/goruntime.h"

struct struct_view {
	const struct goruntime *in;
	gotype_id type;
	const uint8_t *data; /* `size` bytes, borrowed */
	uint64_t size;
};

/* Makes a view of the struct at an address in the dump. Returns false if its bytes are not all
   known. */
bool struct_view_at(const struct goruntime *in, gotype_id type, uint64_t address,
                    struct struct_view *out);
/* Reads a field of at most 8 bytes. Returns false if there is no such field, or it is not
   complete. */
bool struct_view_number(const struct struct_view *from, const char *name, uint64_t *number);
/* Makes a view of a field of any size. */
bool struct_view_field(const struct struct_view *from, const char *name, struct struct_view *out);
/* Makes a view of the target of a pointer field, by its type. */
bool struct_view_follow(const struct struct_view *from, const char *name, struct struct_view *out);
