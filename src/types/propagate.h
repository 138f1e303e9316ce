/* How types spread: private to src/types. What is added to a place of memory is checked against its
   shape, kept when it says more than what is there, and queued; following the queue adds what its
   pointers point to. */
#ifndef TYPES_PROPAGATE_H
#define TYPES_PROPAGATE_H

#include "base/map.h"
#include "base/ranks.h"
#include "goruntime/size_class.h"
#include "heap/region.h"
#include "types/seen.h"
#include "types/typing.h"
#include "types/work.h"

/* What a value of a type points to, see steps.c. */
enum step_kind {
	STEP_NONE,
	STEP_POINTER, /* to one of `type` */
	STEP_SLICE,   /* of these */
	/* what follows is itself of `type` */
	STEP_STRING,
	STEP_INTERFACE,
	STEP_CHAN,
	STEP_FUNC,
	STEP_ARRAY,  /* whose elements have pointers */
	STEP_SPECIAL /* a struct that leads to more than its fields say */
};
struct step {
	uint64_t offset;
	gotype_id type;
	enum step_kind kind;
};
struct steps {
	struct step *step;
	uint32_t count;
	bool known;
};

/* What memory of a type looks like: which words hold pointers. Made when first needed. */
struct shape {
	bool known, pointers;
	bool shared; /* the compiler's own, of generic code: others have real names */
	const struct goruntime_struct *special; /* NULL: its fields say all */
	uint32_t words;
	uint64_t *pointer; /* a bit a word */
	uint64_t *maybe;   /* the first word of an interface: may be listed or not */
	struct steps steps;
};

/* The bytes are those of a string; who points there says how many elements there are, not only that
   there is one. */
enum { TYPE_CLAIM_TEXT = 1, TYPE_CLAIM_COUNTED = 2 };

/* n elements of a type at an address of the dump. */
struct type_claim {
	uint64_t address;
	gotype_id type;
	uint64_t count;
	enum type_source source;
	unsigned marks; /* CLAIM_ */
};

/* Claims that values have led to, to be added in their order: together, as what each is about lies
   anywhere in memory and is asked for ahead. */
enum { CLAIMS = 128 };
struct claims {
	uint64_t address[CLAIMS];
	struct claim {
		uint64_t count;
		gotype_id type;
		uint8_t told, marks; /* see told_by; CLAIM_ */
	} claim[CLAIMS];
	size_t count;
};

/* One record an object, which is one wait for memory: no executable has 1 << 24 types. */
struct object_type {
	gotype_id type : 24; /* 0: unknown */
	uint32_t told : 8;   /* how it is known, see told_by */
	uint32_t count;      /* elements; without a type its label, see types/labelling.h */
};

struct typing {
	const struct heap *heap;
	struct gotypes *types;
	uint64_t bias, data_bias;
	struct goruntime runtime; /* settled at the end */
	struct regions regions;
	struct object_type *object; /* by object */
	size_t object_size;         /* bytes */
	uint32_t *first_part;       /* by object: index + 1; NULL: see part_of */
	struct sparse part_of;      /* the same, once all are found */
	size_t first_part_size;     /* bytes */
	struct typed_part *parts;
	size_t part_count, part_capacity; /* 0: it is a column, as all are found */
	struct work_queue queue;
	struct claims claims; /* come before what is queued */
	struct shape *shapes; /* by type */
	size_t shape_count;
	struct seen seen;      /* places outside of objects, and parts, that were queued */
	enum type_known trust; /* in what is being followed: what it leads to is no surer */
	gotype_id byte;        /* uint8 */
};

/* How a type is known, in a byte: by what, how surely, whether it is the bytes of a string; of an
   object with an allocation header whether it is known, too, how many elements it has. */
enum {
	TOLD_SOURCE = 0xf,
	TOLD_KNOWN_AT = 4,
	TOLD_KNOWN = 3 << TOLD_KNOWN_AT,
	TOLD_COUNT = 0x40,
	TOLD_TEXT = 0x80
};

static inline uint8_t told_by(enum type_source source, enum type_known trust, bool text)
{
	enum type_known known = source < SOURCE_FIELD ? type_known(source) : KNOWN_EXACT;
	known = known < trust ? known : trust;
	return (uint8_t)(source | known << TOLD_KNOWN_AT | (text ? TOLD_TEXT : 0));
}

static inline struct object_type object_type(gotype_id type, uint64_t count, uint8_t told)
{
	return (struct object_type){type & 0xffffff, told, (uint32_t)count};
}

static inline enum type_source told_source(uint8_t told)
{
	return (enum type_source)(told & TOLD_SOURCE);
}

static inline enum type_known told_known(uint8_t told)
{
	return (enum type_known)((told & TOLD_KNOWN) >> TOLD_KNOWN_AT);
}

/* Of no object, without columns. */
struct typing *typing_begin(const struct heap *heap, struct gotypes *types,
                            struct typing_options options);

void propagate_add(struct typing *typing, struct type_claim claim);
/* Adds what has been claimed with claim_later. */
void propagate_flush(struct typing *typing);
/* What a typed value points to: adds it with others, by propagate_flush at the latest. */
static inline void claim_later(struct typing *t, uint64_t address, struct claim claim)
{
	if (t->claims.count == CLAIMS)
		propagate_flush(t);
	t->claims.address[t->claims.count] = address;
	t->claims.claim[t->claims.count++] = claim;
}
/* A claim that holds as surely as something else that is told like this. */
void propagate_add_as(struct typing *typing, struct type_claim claim, uint8_t told);
/* Follows the queue to its end; false: cancelled. */
bool propagate_all(struct typing *typing, struct progress *progress);

const struct shape *shape_make(struct typing *typing, gotype_id type);
static inline const struct shape *shape_of(struct typing *t, gotype_id type)
{
	bool known = type < t->shape_count && t->shapes[type].known;
	return known ? &t->shapes[type] : shape_make(t, type);
}
/* Stays where it is. */
struct steps steps_of(struct typing *typing, gotype_id type);
/* Can memory of a region from `offset` on be `count` elements of a type? */
bool shape_fits(struct typing *typing, const struct region *region, uint64_t offset, gotype_id type,
                uint64_t count);
/* Has the memory pointers exactly where a value of the type has them? */
bool shape_equals(struct typing *typing, const struct region *region, uint64_t offset,
                  gotype_id type);
void propagate_free_shapes(struct typing *typing);

/* `count` values of a type in a region: adds what they point to, later. */
void points_to_values(struct typing *typing, const struct region *region, uint64_t offset,
                      gotype_id type, uint64_t count);
/* The same at once, of a value of which only the first word is there. */
void points_to_word(struct typing *typing, const struct region *region, uint64_t offset,
                    gotype_id type);

/* The object of a func value: a closure. `type` is that of the value. */
void propagate_closure(struct typing *typing, uint64_t address, gotype_id type);

/* typing_fills of an object whose slot and header are known. */
bool typed_fills(const struct typing *typing, uint32_t object, uint64_t slot, unsigned header);

/* Where types come from. */
void seed_headers(struct typing *typing);
void seed_records(struct typing *typing);
void seed_globals(struct typing *typing);
void seed_locals(struct typing *typing);
void seed_pairs(struct typing *typing);
void seed_closures(struct typing *typing);
void seed_channels(struct typing *typing);
void close_holders(struct typing *typing);
void close_blocks(struct typing *typing);
void close_parts(struct typing *typing);
void close_profiles(struct typing *typing);
/* For what is left then, and where guesses lead. False: cancelled. */
bool guess_types(struct typing *typing, struct progress *progress);

#endif
