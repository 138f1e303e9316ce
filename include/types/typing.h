/* Which Go type every object has. Types spread from what is certain (allocation headers, the
   runtime's records, globals and locals of the executable) along the pointers of typed memory. */
#ifndef TYPES_TYPING_H
#define TYPES_TYPING_H

#include "goruntime/goruntime.h"

/* How a type is known, the weakest first. */
enum type_source {
	SOURCE_NONE,
	SOURCE_GUESS,    /* of all types only this one fits it and its neighbours */
	SOURCE_LOOKS,    /* two words that look like an interface lead to it */
	SOURCE_WHOLE,    /* all that points into the object says the same of its parts */
	SOURCE_BLOCK,    /* a block of small values, which are its parts */
	SOURCE_CONTENTS, /* what is in it names it: a channel */
	SOURCE_ELEMENTS, /* the allocator has written what its elements are, but not how many */
	SOURCE_PROFILE,  /* others that were allocated at the same place are of it */
	SOURCE_FIELD,    /* a field of typed memory, a global or a local points to it */
	SOURCE_PAIR,     /* an interface that holds it names it */
	SOURCE_CLOSURE,  /* its first word is the entry of a function */
	SOURCE_RECORD,   /* a record of the dump says what it is */
	SOURCE_HEADER,   /* the allocator has written its type into it */
	SOURCE_COUNT
};
extern const char *const type_source_names[SOURCE_COUNT]; /* for people: "a field points to it" */

enum type_known { KNOWN_NONE, KNOWN_GUESS, KNOWN_INFERRED, KNOWN_EXACT, KNOWN_COUNT };
extern const char *const type_known_names[KNOWN_COUNT]; /* "none", "guess", "inferred", "exact" */
/* At best: what follows from less sure memory is as little sure as that. */
enum type_known type_known(enum type_source source);

struct typed {
	gotype_id type; /* 0: none */
	uint32_t count; /* elements of that type, from the start of what the program sees */
	enum type_source source;
	enum type_known known;
	bool text; /* bytes of a string */
};

/* A part of memory with a type: of an object that is reached by its middle, of a global, of a
   frame. */
struct typed_part {
	uint64_t offset; /* from the region's first byte (slot, segment, sp) */
	gotype_id type;
	uint32_t count, next;
	uint8_t source, unused[3]; /* 0: an index has all bytes */
};

struct typing;

struct typing_options {
	/* What the dump's addresses are above the executable's, and those of global variables
	   (types/exe_match.h). */
	uint64_t bias, data_bias;
	bool what_if_headers; /* what allocation headers say is inferred, so that it can be compared */
};
/* heap must be linked. Only this thread may use `types` meanwhile. NULL: cancelled. */
struct typing *typing_new(const struct heap *heap, struct gotypes *types,
                          struct typing_options options, struct progress *progress);
void typing_free(struct typing *typing);
/* Into an index, and from there, with the types that they were saved with and the same options.
   NULL: the file has none of this heap. */
void typing_save(const struct typing *typing, struct index_writer *writer);
struct typing *typing_load(const struct heap *heap, struct gotypes *types,
                           struct typing_options options, struct index_file *file);

/* The types that ids are of. */
const struct gotypes *typing_types(const struct typing *typing);
/* What the dump and the types together tell, settled. */
const struct goruntime *typing_runtime(const struct typing *typing);

/* Does its type say what all of an object is? What is left of its slot then is what the allocator
   has rounded up; else something is there that is not known, such as variables of a closure. */
bool typing_fills(const struct typing *typing, uint32_t object);
struct typed typing_object(const struct typing *typing, uint32_t object);
/* The first of it alone. */
gotype_id typing_type(const struct typing *typing, uint32_t object);
/* Asks memory for what both will need. */
void typing_ahead(const struct typing *typing, uint32_t object);
/* Parts of an object that has no type as a whole, in no order, or the values in a block, by
   address: `uint32_t part = 0; while (typing_part(...))`. part counts up; false at the end. */
bool typing_part(const struct typing *typing, uint32_t object, uint32_t *part,
                 struct typed_part *out);

#endif
