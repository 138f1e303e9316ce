/* Infers the Go type of every object. Types propagate from certain sources (allocation headers,
   records of the runtime, globals and locals of the executable) along pointers in typed memory. */
#pragma once

#include "go/runtime/goruntime.h"

/* Sources of a type, weakest first. */
enum type_source {
	SOURCE_NONE,
	SOURCE_GUESS,    /* no other type fits it and its neighbors */
	SOURCE_LOOKS,    /* two words that look like an interface point to it */
	SOURCE_WHOLE,    /* all pointers into the object agree on the types of its parts */
	SOURCE_BLOCK,    /* a block of small values, which are its parts */
	SOURCE_CONTENTS, /* its contents determine it: a channel */
	SOURCE_ELEMENTS, /* allocation header with the type of its elements; their number is unknown */
	SOURCE_PROFILE,  /* other objects allocated at the same place have it */
	SOURCE_FIELD,    /* a field of typed memory, a global or a local points to it */
	SOURCE_PAIR,     /* an interface that holds it has its type */
	SOURCE_CLOSURE,  /* its first word is the entry of a function */
	SOURCE_RECORD,   /* a record of the dump says it */
	SOURCE_HEADER,   /* allocation header */
	SOURCE_COUNT
};
extern const char *const type_source_names[SOURCE_COUNT]; /* for people: "a field points to it" */

enum type_known { KNOWN_NONE, KNOWN_GUESS, KNOWN_INFERRED, KNOWN_EXACT, KNOWN_COUNT };
extern const char *const type_known_names[KNOWN_COUNT]; /* "none", "guess", "inferred", "exact" */
/* Returns the best certainty of a source: a type that follows from a less certain one is no more
   certain than that. */
enum type_known type_known(enum type_source source);

/* People read "~main.Session" where it is a guess that a type is main.Session. What is counted by
   type, compared with a name, or read by programs has the name alone, and the guesses beside it. */
#define TYPE_MARK '~'
/* Returns the mark as a text; "": the type is no guess. */
const char *type_mark(enum type_known known);
/* Returns the name behind the mark, if there is one. */
const char *type_unmarked(const char *name);

struct typed {
	gotype_id type; /* 0: none */
	uint32_t count; /* number of elements, from the start of what the program sees */
	enum type_source source;
	enum type_known known;
	bool text; /* bytes of a string */
};

/* A typed part of memory: of an object reached through its middle, of a global, of a frame. */
struct typed_part {
	uint64_t offset; /* offset from the region's first byte (slot, segment, sp) */
	gotype_id type;
	uint32_t count, next;
	uint8_t source, unused[3]; /* written to an index as 0 */
};

struct typing;

struct typing_options {
	/* Load bias of the dump, and that of global variables (go/types/exe_match.h). */
	uint64_t bias, data_bias;
	/* ignore allocation headers, so that the inferred types can be compared with them */
	bool what_if_headers;
};
/* Infers all types; requires heap_link. Only this thread may use `types` meanwhile. Returns NULL if
   cancelled. */
struct typing *typing_new(const struct heap *heap, struct gotypes *types,
                          struct typing_options options, struct progress *progress);
/* Packs the types of objects, and frees what only labels are made from. */
void typing_settle(struct typing *typing);
void typing_free(struct typing *typing);
/* Writes the types of objects to an index, or reads them. */
bool typing_index(struct typing *typing, const struct index_io *io);
/* Reads those of the same types and options. Returns NULL if the file lacks them. */
struct typing *typing_load(const struct heap *heap, struct gotypes *types,
                           struct typing_options options, const struct index_io *io);

/* Returns the types that ids refer to. */
const struct gotypes *typing_types(const struct typing *typing);
/* Returns the settled knowledge about the runtime. */
const struct goruntime *typing_runtime(const struct typing *typing);

/* Returns true if the type covers all of an object: the rest of its slot is rounding by the
   allocator. Otherwise it has unknown content, such as captured variables. */
bool typing_fills(const struct typing *typing, uint32_t object);
struct typed typing_object(const struct typing *typing, uint32_t object);
/* Returns a number by which types are named: TYPING_FIRST + TYPING_KEYS * the type, + 1 for several
   elements; TYPING_TEXT for the bytes of a string; 0: no type. */
enum { TYPING_KEYS = 2 };
enum { TYPING_TEXT = 1, TYPING_FIRST };
size_t typing_name_key(const struct typing *typing, uint32_t object);
/* Returns only the type. */
gotype_id typing_type(const struct typing *typing, uint32_t object);
/* Prefetches the data for typing_object and typing_type. */
void typing_ahead(const struct typing *typing, uint32_t object);
/* Iterates over the parts of an object without a type as a whole, unordered, or over the values in
   a block, ascending: `uint32_t part = 0; while (typing_part(...))`. Returns false at the end. */
bool typing_part(const struct typing *typing, uint32_t object, uint32_t *part,
                 struct typed_part *out);
