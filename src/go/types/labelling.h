/* Internals of labels: private to src/go/types. Untyped objects start without a label; each step
   replaces a label by a better one. */
#pragma once

#include "base/map.h"
#include "go/runtime/size_class.h"
#include "go/types/label.h"
#include "go/types/propagate.h"
#include "heap/region.h"

enum kind {
	/* by their own contents and targets; those up to KIND_DIRECTORY are parts of maps */
	KIND_MAP,
	KIND_BUCKETS,
	KIND_GROUPS,
	KIND_TABLE,
	KIND_DIRECTORY,
	KIND_CHANNEL,
	KIND_CHANNEL_BUFFER,
	KIND_CLOSURE,
	KIND_ARENA_CHUNK, /* exact, and never replaced */
	/* by pointers to them; the last one by contents */
	KIND_BYTES,
	KIND_SLICE,
	KIND_STRING,
	KIND_TEXT,
	KIND_COUNT
};

struct label {
	uint8_t class, known; /* enum label_class, enum type_known */
	/* KIND, ROW: enum kind; NAME: 1: several values; IDENTITY: 1: the object's own type, 0: the
	   type of a pointer to it; SHAPE: 1: also at other positions of its holder, see label_join */
	uint8_t kind;
	uint16_t offset; /* SHAPE: position in its holder */
	uint32_t holder; /* SHAPE: index of its holder in labels.holders; 0: none */
	uint32_t count;  /* SHAPE: number of pointers that support it */
	/* NAME, IDENTITY: index of the descriptor; KIND: address of a function or a descriptor, or 0;
	   SITE: index of the profile; SHAPE: an object of that shape */
	uint64_t value;
};

/* A type from a record of the dump or an allocation header. */
struct descriptor {
	uint64_t address;
	struct text name;  /* empty: no name */
	uint64_t size;     /* 0: not known */
	bool pointer;      /* known to be a pointer type */
	uint8_t unused[7]; /* written to an index as 0 */
};

/* A holder of objects: a label or type, a word of data or bss, a function's frames. */
struct holder {
	enum {
		HOLDER_LABEL,
		HOLDER_TYPE,
		HOLDER_GUESS, /* a type that is a guess */
		HOLDER_DATA,
		HOLDER_BSS,
		HOLDER_FRAME
	} kind;
	uint32_t unused; /* written to an index as 0 */
	uint64_t value;  /* label, type, offset, index of a frame */
};

#define LABEL_TYPED UINT32_MAX /* used in place of a label: the object has a type */

/* Bit vectors for repeated walks over all pointers. */
struct label_walks {
	uint64_t *untyped; /* objects without a type */
	uint64_t *wanting; /* untyped objects without a good label */
	uint64_t *holders; /* objects that point to some of these */
	uint64_t *several; /* label_shapes: objects whose holders differ */
	uint64_t *edges;   /* words of these that are references, as in regions.mask */
};

struct labels {
	const struct heap *heap;
	const struct typing *typing;
	const struct regions *regions; /* valid while labels are found */
	uint32_t *of;                  /* per object; NULL: stored in the column of types */
	size_t of_size;
	struct label *label; /* label[0] means none */
	size_t count, capacity;
	struct descriptor *descriptors;
	size_t descriptor_count, descriptor_capacity;
	char *names;            /* names of descriptors from an index; NULL: names are in the dump */
	struct holder *holders; /* holder[0] means none */
	size_t holder_count, holder_capacity;
	/* Maps from keys to existing labels and other items. */
	struct map by_descriptor, by_kind[KIND_COUNT], by_name, by_shape, by_held, by_holder, by_place;
	uint64_t pair_low, pair_high; /* range of known first words of interfaces */
	uint64_t largest;             /* bytes of the largest object */
	struct held_cache *held;      /* of label_shapes.c */
	struct label_walks walks;     /* valid while labels are found */
	struct map functions;         /* entry -> frame */
	uint64_t text_low, text_high; /* address range of code */
	uint64_t text_last;           /* highest function in a frame */
};

/* Returns the label of `value` in *map; adds a copy of `label` if there is none. */
uint32_t label_intern(struct labels *labels, struct map *map, uint64_t value, struct label label);
/* Returns the label of an object, 0 or LABEL_TYPED. */
static inline uint32_t label_at(const struct labels *labels, uint32_t object)
{
	if (labels->of)
		return labels->of[object];
	struct object_type typed = typing_told(labels->typing, object);
	return typed.type ? LABEL_TYPED : typed.count;
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
/* Returns the first untyped object from `object` on, or the number of objects. */
static inline uint32_t label_next(const struct labels *labels, uint32_t object)
{
	uint32_t end = labels->regions->objects, word = object / 64;
	uint64_t bits = labels->walks.untyped[word] & UINT64_MAX << object % 64;
	while (!bits && ++word <= end / 64)
		bits = labels->walks.untyped[word];
	return bits ? word * 64 + (uint32_t)__builtin_ctzll(bits) : end;
}
/* Returns true if the object is untyped, and has no label or one worse than `class`. */
static inline bool label_wanted(const struct labels *labels, uint32_t object,
                                enum label_class class)
{
	uint32_t label = label_at(labels, object);
	if (label == LABEL_TYPED || !label)
		return !label;
	const struct label *old = &labels->label[label];
	bool final = old->class == LABEL_KIND && old->kind == KIND_ARENA_CHUNK;
	return old->class > class && !final;
}
/* Sets the label of an object, unless it has a type or a better label. */
void label_set(struct labels *labels, uint32_t object, uint32_t label);
void label_set_kind(struct labels *labels, uint32_t object, enum kind kind, uint64_t value);

/* The steps, in order. */
void label_chunks(struct labels *labels);
void label_records(struct labels *labels);
void label_kinds(struct labels *labels);
void label_pointees(struct labels *labels);
void label_texts(struct labels *labels);
void label_sites(struct labels *labels);
void label_shapes(struct labels *labels);
void label_join(struct labels *labels);

/* Returns the plain shape of a label with a holder. */
uint32_t label_plain(const struct labels *labels, uint32_t label);

/* Returns true if the word may be the first one of an interface: a fast test before
   label_pair(). */
static inline bool label_may_pair(const struct labels *labels, uint64_t first)
{
	return first >= labels->pair_low && first <= labels->pair_high;
}

/* Labels the target of the second word of an interface by the type in the first. */
void label_pair(struct labels *labels, uint64_t first, uint32_t target);
/* Returns true for text without control characters other than white space. */
bool label_rows_is_text(const uint8_t *bytes, uint64_t size);
/* Returns true if `count` elements of `size` bytes have pointers at the same offsets, and none
   follow. */
bool label_is_periodic(const struct regions *r, const struct region *region, uint64_t size,
                       uint64_t count);
/* Returns the size of an element if `count` elements fill an object; 0: they do not. */
uint64_t label_element_size(const struct regions *r, const struct region *object, uint64_t count);
/* A pointer in a region to an object without a label better than a class. */
struct label_pointer {
	struct region from;     /* without its address, if it is an object */
	uint64_t offset, value; /* offset of the word in `from`; value of the pointer */
	uint32_t target;        /* object */
};
void label_walks_init(struct labels *labels);
void label_walks_fini(struct labels *labels);
/* Visits all such pointers, for the first time. */
void label_each_pointer(struct labels *labels, enum label_class class,
                        void (*visit)(struct labels *, const struct label_pointer *));
/* Visits them again for a class that is no better; `value` and contents of objects are not
   available. `among`: a bit for each target to visit; NULL: all. */
void label_each_again(struct labels *labels, enum label_class class, const uint64_t *among,
                      void (*visit)(struct labels *, const struct label_pointer *));
