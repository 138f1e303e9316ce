/* A struct in memory whose fields are asked for by their names: the runtime's own and those of the
   standard library, which are laid out otherwise in every version. */
#ifndef GORUNTIME_STRUCT_VIEW_H
#define GORUNTIME_STRUCT_VIEW_H

#include "goruntime/goruntime.h"

struct struct_view {
	const struct goruntime *in;
	gotype_id type;
	const uint8_t *data; /* `size` bytes of it are there */
	uint64_t size;
};

/* The one at an address of the dump. False: not all of it is known. */
bool struct_view_at(const struct goruntime *in, gotype_id type, uint64_t address,
                    struct struct_view *out);
/* A field of at most 8 bytes. False: there is none of that name, or it is not all there. */
bool struct_view_number(const struct struct_view *from, const char *name, uint64_t *number);
/* A field of any size, and where it begins. */
bool struct_view_field(const struct struct_view *from, const char *name, struct struct_view *out);
/* What a field that is a pointer points to, by the type of the field. */
bool struct_view_follow(const struct struct_view *from, const char *name, struct struct_view *out);

#endif
