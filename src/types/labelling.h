/* How labels are found: private to src/types. Every object without a type begins without a label;
   whoever knows a better one than it has sets it. */
#ifndef TYPES_LABELLING_H
#define TYPES_LABELLING_H

#include "base/map.h"
#include "goruntime/size_class.h"
#include "heap/region.h"
#include "types/label.h"
#include "types/propagate.h"

enum kind {
	/* by their own contents, and what these point to */
	KIND_MAP,
	KIND_BUCKETS,
	KIND_GROUPS,
	KIND_TABLE,
	KIND_DIRECTORY,
	KIND_CHANNEL,
	KIND_CHANNEL_BUFFER,
	KIND_CLOSURE,
	/* by what points to them; the last by its contents */
	KIND_BYTES,
	KIND_SLICE,
	KIND_STRING,
	KIND_TEXT,
	KIND_COUNT
};

struct label {
	uint8_t class, known; /* enum label_class, enum type_known */
	uint8_t kind;         /* KIND, ROW: enum kind; NAME: 1: several values; IDENTITY: 1: the
	                         type is the object's own, 0: of a pointer to it; SHAPE: 1: and at
	                         other places of its holder, see label_join */
	uint16_t offset;      /* SHAPE: where its holder has it */
	uint32_t holder;      /* SHAPE: what holds it, 0: nothing: see struct labels */
	uint32_t count;       /* SHAPE: pointers that it goes by */
	/* NAME, IDENTITY: index of the descriptor; KIND: address of a function or a descriptor, or 0;
	   SITE: index of the profile; SHAPE: an object of that shape */
	uint64_t value;
};

/* A type that a record of the dump tells of, or an allocation header. */
struct descriptor {
	uint64_t address;
	struct text name; /* empty: it has none */
	uint64_t size;    /* 0: not known */
	bool pointer;     /* it is known to be a pointer type */
};

/* What holds objects without being one of them: a word of data or bss, a function's frames. */
struct holder {
	enum { HOLDER_LABEL, HOLDER_TYPE, HOLDER_DATA, HOLDER_BSS, HOLDER_FRAME } kind;
	uint64_t value; /* label, type, offset, index of a frame */
};

#define LABEL_TYPED UINT32_MAX /* in the stead of a label: the object has a type */

/* Going through all pointers more than once, a bit each: */
struct label_walks {
	uint64_t *untyped; /* objects without a type */
	uint64_t *wanting; /* those of them without a good label */
	uint64_t *holders; /* those that lead to some */
	uint64_t *edges;   /* of these the words that are references, as in regions.mask */
};

struct labels {
	const struct heap *heap;
	const struct typing *typing;
	const struct regions *regions; /* while they are found */
	uint32_t *of; /* by object; NULL: where there are types, their column has room for it */
	size_t of_size;
	struct label *label; /* label[0] is none */
	size_t count, capacity;
	struct descriptor *descriptors;
	size_t descriptor_count, descriptor_capacity;
	char *names;            /* of descriptors from an index; NULL: they are in the dump */
	struct holder *holders; /* holder[0] is none */
	size_t holder_count, holder_capacity;
	/* What there is already, by what tells it apart. */
	struct map by_descriptor, by_kind[KIND_COUNT], by_name, by_shape, by_held, by_holder, by_place;
	uint64_t pair_low, pair_high; /* the first words of interfaces that are known lie between */
	uint64_t largest;             /* bytes of an object */
	struct held *held;            /* a memory of label_shapes.c */
	struct label_walks walks;     /* while they are found */
	struct map functions;         /* entry -> frame + 1 */
	uint64_t text_low, text_high; /* where functions are */
	uint64_t text_last;           /* the last one that a frame runs */
};

/* The label that stands for `value` in *map, made like `label` when there is none. */
uint32_t label_intern(struct labels *labels, struct map *map, uint64_t value, struct label label);
/* What an object has: a label, 0 or LABEL_TYPED. */
static inline uint32_t label_at(const struct labels *labels, uint32_t object)
{
	if (labels->of)
		return labels->of[object];
	const struct object_type *typed = &labels->typing->object[object];
	return typed->type ? LABEL_TYPED : typed->count;
}
static inline void label_put(struct labels *labels, uint32_t object, uint32_t label)
{
	*(labels->of ? &labels->of[object] : &labels->typing->object[object].count) = label;
}
static inline void label_fetch(const struct labels *labels, uint32_t object)
{
	__builtin_prefetch(labels->of ? (const void *)&labels->of[object]
	                              : &labels->typing->object[object]);
}
/* The first object without a type from one on; the number of objects: there is none. */
static inline uint32_t label_next(const struct labels *labels, uint32_t object)
{
	uint32_t end = labels->regions->objects, word = object / 64;
	uint64_t bits = labels->walks.untyped[word] & UINT64_MAX << object % 64;
	while (!bits && ++word <= end / 64)
		bits = labels->walks.untyped[word];
	return bits ? word * 64 + (uint32_t)__builtin_ctzll(bits) : end;
}
/* True as long as the object's label is worse than one of this class. */
static inline bool label_wanted(const struct labels *labels, uint32_t object,
                                enum label_class class)
{
	uint32_t label = label_at(labels, object);
	return label != LABEL_TYPED && (!label || labels->label[label].class > class);
}
/* Gives it to an object, unless that has a type or a better one. */
void label_set(struct labels *labels, uint32_t object, uint32_t label);
void label_set_kind(struct labels *labels, uint32_t object, enum kind kind, uint64_t value);

/* The steps, in this order. */
void label_records(struct labels *labels);
void label_kinds(struct labels *labels);
void label_pointees(struct labels *labels);
void label_texts(struct labels *labels);
void label_sites(struct labels *labels);
void label_shapes(struct labels *labels);
void label_join(struct labels *labels);

/* The plain shape of a label that says what holds it. */
uint32_t label_plain(const struct labels *labels, uint32_t label);

/* Can the word be the first of an interface? Quickly; label_pair() looks. */
static inline bool label_may_pair(const struct labels *labels, uint64_t first)
{
	return first >= labels->pair_low && first <= labels->pair_high;
}

/* The type that the two words of an interface name; what the second points to gets its label. */
void label_pair(struct labels *labels, uint64_t first, uint32_t target);
/* A pointer in a region to the first byte of an object, with the words after it. */
/* Text without control characters, but for those that lines have. */
bool label_rows_is_text(const uint8_t *bytes, uint64_t size);
/* Are the pointers of `count` elements of `size` bytes at the same places, and none behind them? */
bool label_is_periodic(const struct regions *r, const struct region *region, uint64_t size,
                       uint64_t count);
/* Bytes of one of `count` elements that fill an object; 0: so many do not fill it. */
uint64_t label_element_size(const struct regions *r, const struct region *object, uint64_t count);
void label_row(struct labels *labels, const struct region *region, uint64_t offset,
               const struct region *target);
/* Every pointer of any region that leads into an object which has no better label than `class`. */
struct label_pointer {
	struct region from;
	uint64_t offset, value; /* of the word, in `from`; of the pointer */
	uint32_t target;        /* object */
};
void label_walks_init(struct labels *labels);
void label_walks_fini(struct labels *labels);
/* The first time. */
void label_each_pointer(struct labels *labels, enum label_class class,
                        void (*visit)(struct labels *, const struct label_pointer *));
/* Once more with a class that is no better: without values, nor contents of objects. */
void label_each_again(struct labels *labels, enum label_class class,
                      void (*visit)(struct labels *, const struct label_pointer *));

#endif
