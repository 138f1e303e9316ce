/* Helpers for the cell functions of tables. Each receives the value as VALUE_NONE. */
#pragma once

#include "analysis/analysis.h"
#include "table/table.h"

void cell_number(struct value *value, enum value_kind kind, uint64_t number);
void cell_offset(struct value *value, uint64_t offset); /* empty for UINT64_MAX */
void cell_share(struct value *value, uint64_t part, uint64_t whole);
void cell_text(struct value *value, const char *text);      /* a string constant of the program */
void cell_dump_text(struct value *value, struct text text); /* text of the dump, escaped */
void cell_symbol(struct value *value, struct text name); /* name of a function: text_add_symbol */
/* Returns the buffer to which to append a composed text. The cell has no value if it stays empty:
   one that may be empty sets value->kind to VALUE_TEXT, and appends to value->text. */
struct buf *cell_begin(struct value *value);

/* Shows the field that the column names with FIELD, of that struct. */
void cell_field(const struct rows *rows, const void *of, struct value *value);
/* Shows the field of the row's record unless the column is absent in these rows. */
void field_unless_absent_cell(const struct rows *rows, size_t row, struct value *value);

/* The address and the size of an object; VALUE_NONE for OBJECT_NONE. */
void cell_object(struct value *value, const struct heap *heap, uint32_t id);
void cell_object_size(struct value *value, const struct heap *heap, uint32_t id);

/* The function that contains a code address, according to the executable; VALUE_NONE: unknown. */
void cell_called(struct value *value, const struct analysis *analysis, uint64_t pc);

/* Whether a path leads from a root to an object; VALUE_NONE for OBJECT_NONE, and if a dump without
   roots leaves it unknown. */
void cell_reachable(struct value *value, const struct analysis *analysis, uint32_t id);
/* Row style for struct table: rows about unreachable objects are faint. */
enum row_style style_reachable(const struct rows *rows, size_t row);
/* Fails with a sentence about the missing roots if the dump has none. */
bool reach_must_be_known(const struct analysis *analysis, struct err *err);

/* For tables whose rows are ids: returns rows->data[row], or the row itself if data is NULL. */
uint32_t rows_id(const struct rows *rows, size_t row);

/* Returns the object with that id as an entity. */
struct entity rows_id_entity(const struct rows *rows, size_t row);
