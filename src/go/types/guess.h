/* Guesses types of untyped objects, by pointer words and their targets. Private to src/go/types. */
#pragma once

#include "go/types/propagate.h"
#include "go/types/scalar_fields.h"

enum {
	GUESS_IMPOSSIBLE = -1,
	GUESS_LARGEST = 8192, /* maximum bytes of an object */
	GUESS_TARGETS = 32
};

/* Where an address leads: all candidates of an object ask for the same addresses. */
struct guess_target {
	uint64_t address;
	bool asked, found;
	struct region region;
};

struct guess_candidate {
	gotype_id type;
	uint32_t size;   /* bytes of the type */
	uint32_t leaves; /* index */
	uint32_t next;   /* next candidate with the same pointer words: index + 1 */
};

/* Leaves of a type, and a hash shared by types with equal leaves at equal offsets. */
struct guess_leaves {
	uint32_t first, count;
	uint64_t layout;
};

struct guesser {
	struct typing *typing;
	struct scalar_fields scalars;
	struct map first;     /* pointer words -> candidate: index + 1 */
	struct map pointers;  /* type -> pointer type to it */
	struct map leaves_of; /* type -> leaves: index + 1 */
	struct map maps;      /* bucket or group type -> map type */
	gotype_id *slots;     /* all bucket and group types */
	size_t slots_count, slots_capacity;
	uint64_t tried; /* number of attempts with them, for all maps */
	struct progress *progress;
	bool cancelled;
	struct guess_target target[GUESS_TARGETS]; /* the last ones, by a hash of the address */
	struct guess_candidate *candidates;
	struct guess_leaves *leaves;
	struct scalar_field *scalar;
	size_t count, capacity, leaves_count, leaves_capacity, scalar_count, scalar_capacity;
};

/* Best of several candidates; `several`: others are equally good. */
struct guess_best {
	gotype_id type;
	uint64_t layout;
	int score;
	bool several;
};
void guess_compare(struct guesser *g, gotype_id type, int score, struct guess_best *best);
/* Returns the best type; 0: none, or ambiguous. */
gotype_id guess_best_type(const struct guess_best *best);

/* Returns the leaves of a type, or NULL if there are too many. */
const struct guess_leaves *guess_leaves_of(struct guesser *g, gotype_id type);
uint64_t guess_key_of_region(const struct guesser *g, const struct region *region, uint64_t offset,
                             uint64_t words);
uint64_t guess_key_of_type(struct guesser *g, gotype_id type, bool maybe);

/* Returns the score of a type for the memory at an offset in a region; GUESS_IMPOSSIBLE if it
   cannot have the type. */
int guess_score(struct guesser *g, const struct region *region, uint64_t offset, gotype_id type);
/* The same of a type whose leaves are known. */
int guess_score_leaves(struct guesser *g, const struct region *region, uint64_t offset,
                       gotype_id type, struct guess_leaves leaves);

/* Returns the only candidate of a package (go/exe/package_uses.h), or of no package, 0, that an
   object fits; 0: none or several. Without a package its contents must give a positive score. */
gotype_id guess_type(struct guesser *g, const struct region *region, uint64_t package);
void guess_add_candidate(struct guesser *g, gotype_id type, uint64_t package);

/* Returns false once the guessing was cancelled. Every loop over objects calls it for each. */
bool guess_goes_on(struct guesser *g, uint64_t done);

/* Guesses types of untyped objects reachable from variables and frames, with the candidates of
   their packages. */
void guess_by_package(struct guesser *g);

/* Each examines all untyped objects, and returns true if it has typed any. All end early when they
   are cancelled. */
bool guess_objects(struct guesser *g);
/* `sure`: only maps whose buckets or groups have a type that is no guess, which is then theirs. */
bool guess_maps(struct guesser *g, bool sure);
bool guess_rows(struct guesser *g);
/* Returns the pointer type of an object of `count` pointers, by the target of one of them; 0: not
   known. */
gotype_id guess_pointer_to(struct guesser *g, const struct region *object, uint64_t count);
void guess_take(struct guesser *g, uint32_t object, gotype_id type, uint64_t count, unsigned marks);
