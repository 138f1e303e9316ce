/* Roots, and the words that hold their pointers. Their names: table/entity.h. */
#ifndef TABLE_ROOT_H
#define TABLE_ROOT_H

#include "analysis/preview.h"
#include "table/cell.h"
#include "table/datum.h"

/* Appends "pinned, weak"; nothing without flags. */
void root_add_flags(const struct root *root, const char *between, struct buf *out);

/* Appends why an object is unreachable: "no root in the dump leads to it", or that only weak ones
   do, and which. */
void root_add_none(const struct analysis *analysis, uint32_t object, struct buf *out);

/* The word of a root in the dump; false where it has none (finalizers, deferred calls, panics ...).
 */
bool root_place(const struct heap *heap, const struct root *root, struct preview_place *place);

/* Appends the name of a segment: "data" or "bss"; "bss2" for the second bss segment, as programs
   with plugins have. */
void root_add_segment(const struct heap *heap, uint32_t segment, struct buf *out);

/* Offset of the word from the start of its frame, segment or object; false where it has none. */
bool root_offset(const struct heap *heap, const struct root *root, uint64_t *offset);

/* The pointer as it is stored, which may point into the middle of its target. */
uint64_t root_pointer(const struct heap *heap, const struct root *root);

/* The value that a word of data, bss or a frame is part of, by the variable that it is of; without
   a type where that is not known. */
struct datum root_value(const struct analysis *analysis, const struct root *root);
/* Are so many words from that of the root on one value? Of a variable that the compiler keeps in
   part the other words are something else. */
bool root_is_whole(const struct analysis *analysis, const struct root *root, unsigned words);

/* What a variable of the runtime is about, for people: " (threads)" of runtime.allm; "" of all
   others. */
const char *root_variable_note(const char *name);

/* How many bytes of a label are not that note. */
size_t root_label_length(const char *label);

/* The goroutine of a frame, as a pointer; NULL in a damaged file. */
const struct goroutine *frame_goroutine(const struct heap *heap, uint32_t frame);

/* The goroutine of a deferred call or a panic: the last of those that it was told behind. NULL: it
   was told before any. */
const struct goroutine *goroutine_before(const struct heap *heap, uint32_t behind);

#endif
