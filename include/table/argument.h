/* The arguments of tables: addresses, goroutines, filters. What is not understood, and what is not
   in the dump, become an error; the latter with err->absent, since it is an answer, too. */
#ifndef TABLE_ARGUMENT_H
#define TABLE_ARGUMENT_H

#include "analysis/analysis.h"
#include "analysis/damage.h"

/* An address is hexadecimal, with or without 0x. False: not one. */
bool argument_address(const char *text, uint64_t *address);

/* Marks an error as the answer that there is none, and adds where the dump may have lost it: `part`
   is where it stands. Returns false. */
bool argument_absent(const struct heap *heap, enum damage_part part, struct err *err);

/* Returns false with *err if text is left behind an argument. */
bool argument_ends(const char *rest, struct err *err);

/* The object that is named (table/operand.h): by an address, a variable, a goroutine, a path. */
bool argument_object(const struct analysis *analysis, const char *text, uint32_t *id,
                     struct err *err);
/* The same of the first of several, which *text is moved behind. */
bool argument_next_object(const struct analysis *analysis, const char **text, uint32_t *id,
                          struct err *err);
/* What is named, and nothing behind it. */
struct operand;
bool argument_operand(const struct analysis *analysis, const char *text, struct operand *operand,
                      struct err *err);
/* What holds objects: a variable, a goroutine, a frame, an object. After STAGE_DOMINATED. */
bool argument_node(const struct analysis *analysis, const char *text, uint32_t *node,
                   struct err *err);
bool argument_next_node(const struct analysis *analysis, const char **text, uint32_t *node,
                        struct err *err);

/* The goroutine with an id, "17" or "goroutine 17"; *index is its place in heap->goroutines. */
bool argument_goroutine(const struct heap *heap, const char *text, uint32_t *index,
                        struct err *err);

bool argument_next_goroutine(const struct heap *heap, const char **text, uint32_t *index,
                             struct err *err);

/* The stage that what is named needs; STAGE_NONE for an address. */
unsigned argument_needs(const char *text);

/* "NAME=NUMBER": true when the text begins with NAME=, *ok says whether a number follows and is all
 * of it. */
bool argument_setting(const char *text, const char *name, uint64_t *number, bool *ok);

/* Bytes as 0x0a1b, or else the text itself. */
bool argument_bytes(const char *text, struct buf *bytes, struct err *err);

/* Splits "FIRST [SECOND]" at blanks: *second is empty when there is none. Free both with buf_free.
 */
void argument_split(const char *text, struct buf *first, struct buf *second);

#endif
