/* Roots, and the words that hold their pointers. For their names see table/naming/entity.h. */
#pragma once

#include "analysis/preview.h"
#include "table/cell.h"
#include "table/contents/datum.h"

/* Appends "pinned, weak", separated by `between`; nothing without flags. */
void root_add_flags(const struct root *root, const char *between, struct buf *out);

/* Appends what the name of a root has behind that of its root node (analysis/root_nodes.h): ".mu",
   "+0x8", ", its function"; nothing if they are equal. False: its name begins with another one. */
bool root_add_field(const struct analysis *analysis, const struct root *root, struct buf *out);

/* Appends why an object is unreachable: "no root in the dump leads to it", or which weak roots
   reach it. */
void root_add_none(const struct analysis *analysis, uint32_t object, struct buf *out);

/* Stores the place of a root's word in the dump. False: it has none (finalizers, deferred calls,
   panics ...). */
bool root_place(const struct heap *heap, const struct root *root, struct preview_place *place);

/* Appends the name of a segment: "data" or "bss"; "bss2" for the second bss segment, which programs
   with plugins have. */
void root_add_segment(const struct heap *heap, uint32_t segment, struct buf *out);

/* Stores the offset of the word from the start of its frame, segment or object. False: it has
   none. */
bool root_offset(const struct heap *heap, const struct root *root, uint64_t *offset);

/* Returns the pointer as stored, which may point into the middle of its target. */
uint64_t root_pointer(const struct heap *heap, const struct root *root);

/* Returns the value, according to the type of the variable, that contains a word of data, bss or a
   frame. Its type is 0 if unknown. */
struct datum root_value(const struct analysis *analysis, const struct root *root);
/* Returns true if `words` words from that of the root on belong to one value. The compiler stores
   only some words of certain variables; the words beside them then belong to something else. */
bool root_is_whole(const struct analysis *analysis, const struct root *root, unsigned words);

/* Returns what a variable of the runtime is: " (threads)", those of the system, for runtime.allm;
   "" for all others. */
const char *root_variable_note(const struct heap *heap, const char *name);

/* Returns the thread of a frame; NULL in a damaged file. */
const struct thread *frame_thread(const struct heap *heap, uint32_t frame);

/* Returns the thread of a deferred call or a panic: the last one recorded before it. NULL: no
   thread precedes it. */
const struct thread *thread_before(const struct heap *heap, uint32_t behind);
