/* The parts of a use of memory: objects by owner or type, stacks by function, mappings by name. */
#ifndef RUNTIMES_GO_MEMORY_PARTS_H
#define RUNTIMES_GO_MEMORY_PARTS_H

#include "runtimes/go/table/memory_use.h"

#include "analysis/analysis.h"
#include "base/map.h"

/* The parts of a row before they are rows. */
struct memory_list {
	const struct analysis *analysis;
	const struct memory_words *of;
	const uint32_t *sets; /* object_owner_sets */
	struct memory_part {
		uint32_t id; /* an object, thread or mapping of it */
		uint64_t count, bytes, resident;
		char *name; /* NULL: not yet, or of the smallest of very many */
	} * part;       /* largest first, once sorted */
	size_t count, capacity;
	struct map of_key;
};

extern const struct memory_kind {
	bool (*add)(struct memory_list *list, struct progress *progress); /* false: cancelled */
	void (*name)(const struct memory_list *list, uint32_t id, struct buf *out);
	const char *noun, *nouns;
	const char *link; /* what a part opens, before its name; NULL: what the whole opens */
	unsigned stages;
} memory_kinds[MEMORY_PARTS];

/* Finds the parts of a row. False: cancelled, and there is nothing to free. */
bool memory_list_fill(struct memory_list *list, const struct analysis *analysis,
                      const struct memory_words *of, struct progress *progress);
void memory_list_fini(struct memory_list *list);
/* Names and sorts the parts of a row, and stores what it has beyond them. False: they do not fit
   into it, as its spans or mappings are inconsistent. */
bool memory_list_settle(struct memory_list *list, const struct memory_row *whole,
                        struct memory_part *rest);
void memory_part_add(struct memory_part *to, const struct memory_part *part);
/* Returns true for a part whose objects are reachable. */
bool memory_is_reachable(const struct memory_list *list, uint32_t id);

#endif
