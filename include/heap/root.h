/* GC roots: places outside the heap that hold pointers into it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct heap;

enum root_kind {
	ROOT_DATA,
	ROOT_BSS,
	ROOT_FRAME,
	ROOT_FINALIZER,
	ROOT_QUEUED_FINALIZER,
	ROOT_DEFER,
	ROOT_PANIC,
	ROOT_OTHER,
	ROOT_CLEANUP, /* this one and the next only in core files */
	ROOT_WEAK_HANDLE,
	/* of listed objects: in the order of enum log_root_kind, then all others; the format has their
	   words */
	ROOT_INTERNAL,
	ROOT_LOCAL,
	ROOT_FINALIZER_QUEUE,
	ROOT_HANDLE,
	ROOT_STATIC,
	ROOT_SPECIFIC,
	ROOT_UNKNOWN,
	ROOT_KINDS
};

struct root {
	uint32_t target; /* object */
	/* ROOT_FRAME: the frame; *FINALIZER, DEFER, PANIC, OTHER and roots of a log: index of the
	   record; else 0 */
	uint32_t holder;
	/* address of the word that holds the pointer; 0 if there is none (finalizers ...) */
	uint64_t address;
	uint8_t kind; /* enum root_kind */
	/* finalizers: enum finalizer_part; defer: 0 record, 1 closure; cleanup: record after the holder
	 */
	uint8_t part;
	uint8_t flags; /* bits of enum root_flag */
};
enum finalizer_part { FINALIZER_FUNCTION, FINALIZER_OBJECT, FINALIZER_REFERENCE };

/* Returns one of the roots, for code that needs no more of the heap: &heap->roots[index]. */
const struct root *heap_root(const struct heap *heap, uint32_t index);
/* Returns the number of roots of a kind. */
uint32_t heap_root_count(const struct heap *heap, enum root_kind kind);

/* For ROOT_DEFER or ROOT_PANIC: returns the first root whose record comes after so many threads; it
   belongs to the last of them. */
uint32_t roots_behind(const struct heap *heap, enum root_kind kind, uint32_t threads);

/* Range of root kinds that dumps of this format may have: first ... end - 1. */
struct root_kinds {
	int first, end;
};
struct root_kinds heap_root_kinds(const struct heap *heap);
/* Returns the name of a kind in JSON: "data", "bss", "frame", "finalizer", ...; NULL: dumps of this
   format have no such roots. */
const char *heap_root_kind(const struct heap *heap, int kind);
