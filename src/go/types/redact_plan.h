/* The words of a type that stay, private to src/go/types. */
#pragma once

#include "base/map.h"
#include "go/runtime/goruntime.h"

enum redact_word {
	REDACT_POINTER, /* stays if it leads to known memory, unless that is a constant */
	REDACT_TEXT,   /* the same to the bytes of a text, which are a constant in all of the program */
	REDACT_LENGTH, /* stays unless it is too large */
	REDACT_NUMBER, /* of the runtime */
	REDACT_SEED,   /* of hashes: no number, but not zero */
	REDACT_ROW,    /* `size` is a number of values of type `of` */
};
struct redact_item {
	uint64_t offset, size;
	gotype_id of;
	enum redact_word word;
};
struct redact_plan {
	struct redact_item *item;
	size_t count, capacity;
};

/* Cache of plans. `struct redact_plans plans = {.runtime = ...}` is empty. */
struct redact_plans {
	const struct goruntime *runtime;
	struct redact_plan **plan;
	size_t count, capacity;
	struct map known[2]; /* type -> number of a plan; [1]: of a variable of the runtime */
};
/* Returns the words of a type; `of_runtime`: its numbers stay, too. Valid as long as the cache. */
const struct redact_plan *redact_plan_of(struct redact_plans *plans, gotype_id type,
                                         bool of_runtime);
/* Returns true for a name of the runtime, or of a package that shares its state: locks, timers,
   file descriptors. */
bool redact_is_of_runtime(const char *name);
void redact_plans_fini(struct redact_plans *plans);
