/* Classes of roots by strength, the strongest first. An object's path begins at the strongest root
   that reaches it. What a stronger root reaches belongs to it, whatever else references it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct heap;
struct names;
struct root;

enum root_class {
	ROOT_CLASS_GLOBAL,    /* variables of the program; without executable also of the runtime */
	ROOT_CLASS_PARKED,    /* threads that wait */
	ROOT_CLASS_RUNNING,   /* other threads, whose locals are short-lived */
	ROOT_CLASS_TIMER,     /* what running timers will call */
	ROOT_CLASS_RUNTIME,   /* variables and records of the runtime */
	ROOT_CLASS_FINALIZER, /* what a finalizer will need */
	ROOT_CLASS_POOL,      /* contents of a sync.Pool, which any collection may free */
	ROOT_CLASS_WEAK,      /* weak roots of a log, which keep nothing alive */
	ROOT_CLASSES
};
extern const char *const root_class_names[ROOT_CLASSES]; /* "global", "parked", ... (JSON names) */

/* Returns true if the class has roots of its own. Pools and timers have none: other roots reach
   what they hold. */
static inline bool root_class_has_roots(enum root_class root_class)
{
	return root_class != ROOT_CLASS_POOL && root_class != ROOT_CLASS_TIMER;
}

/* Returns the class of a root, one that has roots of its own. `names` may be NULL. */
enum root_class root_class_of(const struct heap *heap, const struct names *names,
                              const struct root *root);
/* Returns true for the variables that list the pools of package sync with content. */
bool root_is_pool_list(const struct names *names, const struct root *root);
/* Returns PARKED or RUNNING. Locals of a waiting thread last as long as it waits, whether it was
   parked before the last collection or not; those of a running thread are short-lived. */
enum root_class root_class_of_thread(const struct heap *heap, uint32_t thread);
/* Returns true if the root keeps its object alive; a weak one does not. */
bool root_retains(const struct root *root);
/* Returns true for a user root of V8, such as the global object. What these reach belongs to the
   page, as in DevTools: no reference of the browser, of Node.js or of V8 itself to it counts for
   what an object retains. */
bool root_is_of_page(const struct heap *heap, const struct root *root);
/* Returns true if there is such a root. */
bool root_has_page(const struct heap *heap);
