/* A struct in memory whose fields are asked for by their names: the runtime's own and those of the
   standard library, which are laid out otherwise in every version. */
#ifndef TYPES_GOSTRUCT_H
#define TYPES_GOSTRUCT_H

#include "types/govalue.h"

struct gostruct {
	const struct govalue *in;
	gotype_id type;
	const uint8_t *data; /* `size` bytes of it are there */
	uint64_t size;
};

/* The one at an address of the dump. False: not all of it is known. */
bool gostruct_at(const struct govalue *in, gotype_id type, uint64_t address, struct gostruct *out);
/* A field of at most 8 bytes. False: there is none of that name, or it is not all there. */
bool gostruct_number(const struct gostruct *from, const char *name, uint64_t *number);
/* A field of any size, and where it begins. */
bool gostruct_field(const struct gostruct *from, const char *name, struct gostruct *out);
/* What a field that is a pointer points to, by the type of the field. */
bool gostruct_follow(const struct gostruct *from, const char *name, struct gostruct *out);

#endif
