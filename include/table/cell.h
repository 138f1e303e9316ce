/* What the tables' cell functions are written with. A value comes to them as VALUE_NONE. */
#ifndef TABLE_CELL_H
#define TABLE_CELL_H

#include "table/table.h"

void cell_number(struct value *value, enum value_kind kind, uint64_t number);
void cell_share(struct value *value, uint64_t part, uint64_t whole);
void cell_text(struct value *value, const char *text);      /* a text of ours */
void cell_dump_text(struct value *value, struct text text); /* made visible */
/* For texts that are put together: the buffer to append to. Nothing appended is VALUE_NONE:
 * cell_end. */
struct buf *cell_begin(struct value *value);
void cell_end(struct value *value);

/* Of an object: NONE for OBJECT_NONE. */
void cell_object(struct value *value, const struct heap *heap, uint32_t id);
void cell_object_size(struct value *value, const struct heap *heap, uint32_t id);

/* Tables whose rows are ids: rows->data is an array of u32, or NULL when row and id are the same.
 */
uint32_t rows_id(const struct rows *rows, size_t row);

/* Links to the page of an object; nothing for OBJECT_NONE. */
void link_object(const struct heap *heap, uint32_t id, struct buf *command);

#endif
