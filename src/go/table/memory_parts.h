/* The parts of a use of memory: objects by owner, type or allocation site, free slots by size,
   stacks by function, mappings by name. */
#pragma once

#include "go/table/memory_use.h"

#include "analysis/analysis.h"
#include "base/map.h"

/* The parts of a row before they are rows. */
struct memory_list {
	const struct analysis *analysis;
	struct memory_row of;
	bool estimated;       /* by allocation site, from samples */
	const uint32_t *sets; /* object_owner_sets */
	struct memory_part {
		uint32_t id; /* an object, profile, span, thread or mapping of it */
		uint64_t count, bytes, resident;
		uint64_t guessed;  /* of `count`, for types: it is a guess that they have the type */
		uint64_t samples;  /* for unreachable objects of a type; 0: sites are not known */
		uint64_t estimate; /* by allocation site: bytes that its samples stand for */
		char *name;        /* NULL: not yet, or of the smallest of very many */
	} * part;              /* largest first, once sorted */
	size_t count, capacity;
	struct map of_key;
};

extern const struct memory_kind {
	bool (*add)(struct memory_list *list, struct progress *progress); /* false: cancelled */
	void (*name)(const struct memory_list *list, uint32_t id, struct buf *out);
	const char *noun, *nouns;
	const char *link; /* what a part opens, before its name; NULL: what the whole opens */
	/* Appends what a part opens, unless that is what `link` says. */
	void (*add_link)(const struct memory_list *list, uint32_t id, struct buf *out);
	unsigned stages;
} memory_kinds[MEMORY_PARTS];

/* Finds the parts of a row. False: cancelled, and there is nothing to free. */
bool memory_list_fill(struct memory_list *list, const struct analysis *analysis,
                      const struct memory_row *of, struct progress *progress);
void memory_list_fini(struct memory_list *list);
/* Names and sorts the parts of a row, and stores what it has beyond them. False: they do not fit
   into it, as its spans or mappings are inconsistent. */
bool memory_list_settle(struct memory_list *list, const struct memory_row *whole,
                        struct memory_part *rest);
/* Adds an object to the part with a key, and returns the part; `id`: that of a new part. */
struct memory_part *memory_list_add_object(struct memory_list *list, uint64_t key, uint32_t object,
                                           uint32_t id);
/* Appends the type of an object, as the parts of unreachable objects are called. */
void memory_name_type(const struct memory_list *list, uint32_t id, struct buf *out);
void memory_part_add(struct memory_part *to, const struct memory_part *part);
/* Returns true for a part whose objects are reachable. */
bool memory_is_reachable(const struct memory_list *list, uint32_t id);
