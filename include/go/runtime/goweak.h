/* Weak pointers of package weak (internal/weak in Go 1.23): a pointer to a handle, a word with the
   address of the object, which the collector sets to zero when it frees the object
   (runtime/mheap.go). */
#pragma once

#include "go/runtime/struct_view.h"

/* Returns true for the name of a weak.Pointer[T]. */
bool goweak_is_pointer(const char *name);

enum goweak_state {
	GOWEAK_UNKNOWN, /* the pointer or its handle is not in the dump, or its contents are left out */
	GOWEAK_NIL,     /* it never led to an object */
	GOWEAK_DEAD,    /* the object was freed */
	GOWEAK_LIVE
};
/* Stores the address of the object that a weak pointer leads to. */
enum goweak_state goweak_state(const struct struct_view *pointer, uint64_t *target);
