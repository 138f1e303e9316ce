/* Guesses: what an object without a type may be, by the types that have pointers where it has them
   and by what these lead to. Private to src/types. */
#ifndef TYPES_GUESS_H
#define TYPES_GUESS_H

#include "types/propagate.h"
#include "types/scalar_fields.h"

enum { GUESS_IMPOSSIBLE = -1, GUESS_LARGEST = 8192 /* bytes of an object */ };

struct guess_candidate {
	gotype_id type;
	uint32_t next; /* of the same pointers: index + 1 */
};

/* The leaves of a type, and a number that types with equal leaves at equal places share. */
struct guess_leaves {
	uint32_t first, count;
	uint64_t layout;
};

struct guesser {
	struct typing *typing;
	struct scalar_fields scalars;
	struct map first;     /* pointer words -> candidate: index + 1 */
	struct map pointers;  /* type -> that of pointers to it */
	struct map leaves_of; /* type -> leaves: index + 1 */
	struct map maps;      /* bucket or group -> map */
	gotype_id *slots;     /* all buckets and groups */
	size_t slots_count, slots_capacity;
	uint64_t tried; /* of them, for all maps */
	struct guess_candidate *candidates;
	struct guess_leaves *leaves;
	struct scalar_field *scalar;
	size_t count, capacity, leaves_count, leaves_capacity, scalar_count, scalar_capacity;
};

/* The best of several; `several`: others are as good. */
struct guess_best {
	gotype_id type;
	uint64_t layout;
	int score;
	bool several;
};
void guess_compare(struct guesser *g, gotype_id type, int score, struct guess_best *best);
/* 0: none, or several are. */
gotype_id guess_best_type(const struct guess_best *best);

/* NULL: it has too many. */
const struct guess_leaves *guess_leaves_of(struct guesser *g, gotype_id type);
uint64_t guess_key_of_region(const struct guesser *g, const struct region *region, uint64_t offset,
                             uint64_t words);
uint64_t guess_key_of_type(struct guesser *g, gotype_id type, bool maybe);

/* How much speaks for a value of the type in a region, IMPOSSIBLE: it cannot be. */
int guess_score(struct guesser *g, const struct region *region, uint64_t offset, gotype_id type);
/* The same of a pointer to `count` values. */
int guess_score_pointer(struct guesser *g, uint64_t address, gotype_id elem, uint64_t count);

/* Of the types that were added for a package (exe/package_uses.h), or for no package, 0, the only
   one that an object fits; 0: none or several. For no package its contents must speak for it. */
gotype_id guess_type(struct guesser *g, const struct region *region, uint64_t package);
void guess_add_candidate(struct guesser *g, gotype_id type, uint64_t package);

/* Looks at the untyped objects that variables and frames lead to, with the types of their packages.
 */
void guess_by_package(struct guesser *g);

/* Each looks at all objects without a type, and says whether it has given one to any. */
bool guess_objects(struct guesser *g);
bool guess_maps(struct guesser *g);
bool guess_rows(struct guesser *g);
/* Of words that are pointers, the type of these by what one of them leads to; 0: not known. */
gotype_id guess_pointer_to(struct guesser *g, const struct region *object, uint64_t count);
void guess_take(struct guesser *g, uint32_t object, gotype_id type, uint64_t count, unsigned marks);

#endif
