/* Sets of values: the elements of containers, or all values of a type. A value need not be an
   object: entries of maps, elements of slices, arrays and channels, and fields of structs are
   values, too. */
#pragma once

#include "table/contents/datum.h"

/* Values of one type at equal distances, or the value of one entry of a map. */
struct value_run {
	uint64_t first;     /* the number of its first value in the set */
	uint64_t address;   /* of that value */
	uint64_t stride;    /* from one to the next, modulo 2^64: they may descend */
	uint64_t key;       /* the address of the entry's key; else the index of the first value */
	gotype_id type;     /* of each value */
	gotype_id key_type; /* 0: there is no key */
	bool indexed;       /* `key` is an index */
};

struct value_set {
	struct govalue in;
	struct value_run *run;
	size_t runs, capacity;
	uint64_t count; /* the number of values */
	uint64_t most;  /* runs that are allowed: no more memory than in proportion to the dump */
	bool cut;       /* values were left out because there are more */
	bool of_type;   /* all values of a type but those of local variables */
	/* Objects of as many elements as an array of the type, or more, of which it is not known
	   whether they are one. */
	uint64_t doubtful;
	uint64_t absent; /* variables that contain such values, without their bytes in the dump */
	uint64_t lost;   /* containers of which the dump lacks elements */
	uint64_t failed; /* values from which the steps of an expression did not lead on */
	struct err why;  /* of the first of them */
};

/* Initializes an empty set; there must be types. */
void value_set_init(struct value_set *set, const struct analysis *analysis);
void value_set_fini(struct value_set *set);

/* Adds `count` values from an address on, whose indices begin with `index`; UINT64_MAX: they have
   none. */
void value_set_add(struct value_set *set, uint64_t address, gotype_id type, uint64_t count,
                   uint64_t index);
/* Adds the value of an entry with the key at an address. */
void value_set_add_entry(struct value_set *set, uint64_t address, gotype_id type, uint64_t key,
                         gotype_id key_type);
/* Returns the address and the type of value n < set->count, and nothing else. */
struct datum value_set_place(const struct value_set *set, uint64_t n);
/* Stores value n < set->count. */
void value_set_get(const struct value_set *set, uint64_t n, struct datum *value);
/* Stores its key; false: it has an index instead, or neither: *index is UINT64_MAX then. */
bool value_set_key(const struct value_set *set, uint64_t n, struct datum *key, uint64_t *index);

/* Visits the elements of a map, channel, slice or array, or of one that a value references: those
   in use. `key` has type 0 if `index` says which it is. False: it is none of these. */
struct value_visit {
	void (*element)(void *self, const struct datum *element, const struct datum *key,
	                uint64_t index);
	/* The same for consecutive elements, row->count many; NULL, or false: one at a time. */
	bool (*row)(void *self, const struct datum *row);
	void *self;
	uint64_t *lost; /* incremented if the dump lacks some of the elements */
};
bool value_set_each(const struct govalue *in, const struct datum *container,
                    const struct value_visit *visit);
/* Returns true if value_set_each finds no elements in values of a type, whatever their bytes:
   structs that are no containers, and pointers to such. */
bool value_set_is_single(const struct govalue *in, gotype_id type);

/* Adds the elements of the containers that an expression leads to; [*] stands for all elements. A
   value that is no container is added itself. False: *err. */
bool value_set_of_expression(struct value_set *set, const struct analysis *analysis,
                             const char *text, struct err *err);
/* Adds all values of the types with a name that lie in reachable objects, those objects included,
   and in global variables. After STAGE_TYPED and STAGE_REACHED; arrays that are objects are found
   after STAGE_REVERSED. "~main.T": only those in objects whose type is a guess. False:
   cancelled. */
bool value_set_of_type(struct value_set *set, const struct analysis *analysis, const char *name,
                       struct progress *progress);
/* Returns the number of these values. */
uint64_t value_set_count(const struct analysis *analysis, const char *name);
