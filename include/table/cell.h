/* What the tables' cell functions are written with. A value comes to them as VALUE_NONE. */
#ifndef TABLE_CELL_H
#define TABLE_CELL_H

#include "table/table.h"

void cell_number(struct value *value, enum value_kind kind, uint64_t number);
void cell_offset(struct value *value, uint64_t offset); /* nothing for UINT64_MAX */
void cell_share(struct value *value, uint64_t part, uint64_t whole);
void cell_text(struct value *value, const char *text);      /* a text of ours */
void cell_dump_text(struct value *value, struct text text); /* made visible */
void cell_symbol(struct value *value, struct text name);    /* of a function: text_add_symbol */
/* For texts that are put together: the buffer to append to. Nothing appended is VALUE_NONE:
 * cell_end. */
struct buf *cell_begin(struct value *value);
void cell_end(struct value *value);

/* Of an object: NONE for OBJECT_NONE. */
void cell_object(struct value *value, const struct heap *heap, uint32_t id);
void cell_object_size(struct value *value, const struct heap *heap, uint32_t id);

/* The function that a code address lies in, by the executable; NONE where that is not known. */
void cell_called(struct value *value, const struct analysis *analysis, uint64_t pc);

/* Is there a path to it from a root? NONE for OBJECT_NONE, and where a dump without roots cannot
 * tell. */
void cell_reachable(struct value *value, const struct analysis *analysis, uint32_t id);
/* As struct table has it: rows about objects are faint without a root. */
enum row_style style_reachable(const struct rows *rows, size_t row);
/* Fails with the sentence that a dump without roots calls for. */
bool reach_must_be_known(const struct analysis *analysis, struct err *err);

/* Tables whose rows are ids: rows->data is an array of u32, or NULL when row and id are the
   same. */
uint32_t rows_id(const struct rows *rows, size_t row);

/* Where these are objects. */
struct entity rows_id_entity(const struct rows *rows, size_t row);

#endif
