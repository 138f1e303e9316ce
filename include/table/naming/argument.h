/* The arguments of tables: addresses, threads, filters. Malformed text is an error, and so is a
   reference to something that the dump does not have; the latter sets err->absent, because it is an
   answer, too. */
#pragma once

#include "analysis/damage.h"

struct analysis;
struct err;
struct heap;
struct operand;

/* Parses a hexadecimal address, with or without 0x. False: it is none. */
bool argument_address(const char *text, uint64_t *address);

/* Appends a hint to *err (which may be NULL) if damage of the file may have lost what a text names;
   `part` is the part of the file that would hold it. Returns false. */
bool argument_unknown(const struct heap *heap, enum damage_part part, struct err *err);
/* Likewise of what the dump does not have, which is an answer: sets err->absent. */
bool argument_absent(const struct heap *heap, enum damage_part part, struct err *err);

/* Returns false with *err if text is left behind an argument. */
bool argument_ends(const char *rest, struct err *err);

/* Stores the object that a text names (table/naming/operand.h): by an address, a variable, a
   thread, a path. False: *err. */
bool argument_object(const struct analysis *analysis, const char *text, uint32_t *id,
                     struct err *err);
/* Like argument_object for the first of several operands; advances *text past it. */
bool argument_next_object(const struct analysis *analysis, const char **text, uint32_t *id,
                          struct err *err);
/* Parses an operand (table/naming/operand.h). Fails if any input is left. */
bool argument_operand(const struct analysis *analysis, const char *text, struct operand *operand,
                      struct err *err);
/* Stores the node that a text names: a variable, a thread, a frame, an object. After
   STAGE_DOMINATED. argument_next_node advances *text past it. */
bool argument_node(const struct analysis *analysis, const char *text, uint32_t *node,
                   struct err *err);
bool argument_next_node(const struct analysis *analysis, const char **text, uint32_t *node,
                        struct err *err);

/* Stores the index in heap->threads of the thread with an id: its number, alone or behind the
   runtime's word. */
bool argument_thread(const struct heap *heap, const char *text, uint32_t *index, struct err *err);

bool argument_next_thread(const struct heap *heap, const char **text, uint32_t *index,
                          struct err *err);

/* Returns the stage that resolving a text requires; STAGE_NONE for an address. */
unsigned argument_needs(const char *text);

/* Parses "NAME=NUMBER". Returns true if the text begins with NAME=; *ok says whether the rest is a
   number. */
bool argument_setting(const char *text, const char *name, uint64_t *number, bool *ok);

/* Appends the bytes that 0x0a1b describes, or else the text itself. */
bool argument_bytes(const char *text, struct buf *bytes, struct err *err);

/* Splits "FIRST [SECOND]" at blanks; *second is empty if there is none. The caller frees both. */
void argument_split(const char *text, struct buf *first, struct buf *second);
