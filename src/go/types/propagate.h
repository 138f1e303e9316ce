/* Type propagation: private to src/go/types. A claim about memory is checked against its shape,
   stored if it is more specific than before, and queued; processing the queue makes claims about
   the targets of its pointers. */
#pragma once

#include "base/map.h"
#include "base/ranks.h"
#include "go/runtime/size_class.h"
#include "go/types/typing.h"
#include "heap/region.h"

/* Kinds of pointers in a value, see steps.c. */
enum step_kind {
	STEP_NONE,
	STEP_POINTER, /* to a value of `type` */
	STEP_SLICE,   /* to elements of `type` */
	/* for these, the value itself has `type` */
	STEP_STRING,
	STEP_INTERFACE,
	STEP_CHAN,
	STEP_FUNC,
	STEP_ARRAY,  /* with elements that have pointers */
	STEP_SPECIAL /* a struct with targets that its fields do not describe */
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

/* The pointer words of a type, computed on demand. */
struct shape {
	bool known, pointers;
	bool shared; /* made by the compiler for generic code: the real type has another name */
	const struct goruntime_struct *special; /* NULL: its fields describe all pointers */
	uint32_t words;
	uint64_t *pointer; /* one bit per word */
	uint64_t *maybe;   /* first words of interfaces, which may be listed as pointers or not */
	struct steps steps;
};

/* TEXT: the bytes are those of a string. COUNTED: the source of the claim knows the number of
   elements. */
enum { TYPE_CLAIM_TEXT = 1, TYPE_CLAIM_COUNTED = 2 };

/* A claim: n elements of a type at an address of the dump. */
struct type_claim {
	uint64_t address;
	gotype_id type;
	uint64_t count;
	enum type_source source;
	unsigned marks; /* bits TYPE_CLAIM_ */
};

/* Pending claims, added in order but in blocks: their targets are anywhere in memory and are
   prefetched. */
enum { CLAIMS = 128 };
struct claims {
	uint64_t address[CLAIMS];
	struct claim {
		uint64_t count;
		gotype_id type;
		uint8_t told, marks; /* see told_by; bits TYPE_CLAIM_ */
	} claim[CLAIMS];
	size_t count;
};

/* One record per object, so that it costs one cache miss. No executable has 1 << 24 types. */
struct object_type {
	gotype_id type : 24; /* 0: unknown */
	uint32_t told : 8;   /* how it is known, see told_by */
	/* number of elements; for an untyped object its label, see go/types/labelling.h */
	uint32_t count;
};

/* Set of (address, type) pairs that were queued, with their certainty, in one word each. */
/* `struct seen seen = {0}` is empty. */
struct seen {
	uint64_t *places; /* open addressing, at most half full; 0 marks an empty place */
	unsigned bits;
	size_t count;
};

/* Returns true the first time, and if it is known more certainly than before. */
bool seen_add(struct seen *seen, uint64_t address, gotype_id type, enum type_known known);
void seen_free(struct seen *seen);

/* Queue (FIFO) of typed values whose pointers are to be followed. */
/* `count` elements of a type at an address in a region (heap/region.h). */
struct work {
	uint64_t address;
	uint32_t ref, run; /* region, and its run if it is an object */
	uint32_t count;
	gotype_id type : 24;
	uint32_t known : 8; /* enum type_known: certainty of the type */
};

/* `struct work_queue queue = {0}` is empty. */
struct work_queue {
	struct work_block *first, *last;
	struct work_block *spare; /* an empty block for reuse; NULL: none */
	size_t head, tail;        /* next position to take in the first block; end in the last one */
};

void work_put(struct work_queue *queue, struct work work);
bool work_take(struct work_queue *queue, struct work *work); /* returns false if it is empty */
void work_clear(struct work_queue *queue);

struct typing {
	const struct heap *heap;
	struct gotypes *types;
	uint64_t bias, data_bias;
	struct goruntime runtime; /* settled at the end */
	struct regions regions;
	struct object_type *object; /* per object */
	size_t object_size;         /* in bytes */
	/* Once labels are found: `coded` by code, in place of `object`, unless there are too many */
	uint16_t *code; /* per object */
	struct object_type *coded;
	size_t code_size, codes;
	uint32_t *first_part;   /* per object: index + 1; NULL: see part_of */
	struct sparse part_of;  /* sparse copy of first_part, once all parts are found */
	size_t first_part_size; /* in bytes */
	struct typed_part *parts;
	size_t part_count, part_capacity; /* 0: it is a column, complete */
	struct work_queue queue;
	struct claims claims; /* processed before the queue */
	struct shape *shapes; /* per type */
	size_t shape_count;
	struct seen seen;       /* places outside of objects, and parts, that were queued */
	enum type_known trust;  /* certainty of the value being followed: limits that of its targets */
	gotype_id byte;         /* uint8 */
	struct typed told[256]; /* what `told` of an object says, without its type and count */
};

/* Encodes how a type is known in a byte: source, certainty, whether it is the bytes of a string;
   for an object with an allocation header whether the number of elements is known. */
enum {
	TOLD_SOURCE = 0xf,
	TOLD_KNOWN_AT = 4,
	TOLD_KNOWN = 3 << TOLD_KNOWN_AT,
	TOLD_COUNT = 0x40,
	TOLD_TEXT = 0x80
};
struct typed told_typed(uint8_t told);

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

static inline struct object_type typing_told(const struct typing *t, uint32_t id)
{
	return t->code ? t->coded[t->code[id]] : t->object[id];
}

/* Replaces the types of objects by codes, if few are different. */
void typing_encode(struct typing *typing);

/* Creates a typing without columns. */
struct typing *typing_begin(const struct heap *heap, struct gotypes *types,
                            struct typing_options options);

void propagate_add(struct typing *typing, struct type_claim claim);
/* Processes all pending claims. */
void propagate_flush(struct typing *typing);
/* Adds a claim to the pending ones; propagate_flush processes them at the latest. */
static inline void claim_later(struct typing *t, uint64_t address, struct claim claim)
{
	if (t->claims.count == CLAIMS)
		propagate_flush(t);
	t->claims.address[t->claims.count] = address;
	t->claims.claim[t->claims.count++] = claim;
}
/* Adds a claim that is as certain as another one with this `told`. */
void propagate_add_as(struct typing *typing, struct type_claim claim, uint8_t told);
/* Returns true for a chunk of package arena: its values are parts, and it has no type itself. */
bool propagate_is_chunk(const struct typing *typing, const struct region *region);
/* Processes the queue to its end. Returns false if cancelled. */
bool propagate_all(struct typing *typing, struct progress *progress);

/* The result does not move. */
struct steps steps_of(struct typing *typing, gotype_id type);
/* Returns true if memory of a region from `offset` on may be `count` elements of a type. */
bool shape_fits(struct typing *typing, const struct region *region, uint64_t offset, gotype_id type,
                uint64_t count);
/* Returns true if the memory has pointers exactly where the type has them. */
bool shape_equals(struct typing *typing, const struct region *region, uint64_t offset,
                  gotype_id type);
void propagate_free_shapes(struct typing *typing);

/* Adds pending claims about the targets of `count` values of a type in a region. */
void points_to_values(struct typing *typing, const struct region *region, uint64_t offset,
                      gotype_id type, uint64_t count);
/* Adds the targets of a value of which only the first word is available, at once. */
void points_to_word(struct typing *typing, const struct region *region, uint64_t offset,
                    gotype_id type);

/* Types the object of a func value as a closure. `type` is that of the value. */
void propagate_closure(struct typing *typing, uint64_t address, gotype_id type);

/* Like typing_fills, for an object whose slot size and header are known. */
bool typed_fills(const struct typing *typing, uint32_t object, uint64_t slot, unsigned header);

/* Sources of types. */
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
/* Guesses the remaining types and propagates them. Returns false if cancelled. */
bool guess_types(struct typing *typing, struct progress *progress);

/* The shape of a type, made when it is first asked for. Private to src/go/types. */

const struct shape *shape_make(struct typing *typing, gotype_id type);
static inline const struct shape *shape_of(struct typing *t, gotype_id type)
{
	bool known = type < t->shape_count && t->shapes[type].known;
	return known ? &t->shapes[type] : shape_make(t, type);
}
