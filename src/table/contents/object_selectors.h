/* Selectors of objects, for src/table/contents/object_set.c only. Each adds the objects to an empty
   set, and their description to the title of the rows. `value` is what follows its name. */
#pragma once

#include "table/table.h"

/* Returns how many words a set has: a bit for each object. */
size_t object_set_words(const struct rows *rows);

bool select_reachable(struct rows *rows, const char *value, uint64_t *set, struct err *err);
bool select_unreachable(struct rows *rows, const char *value, uint64_t *set, struct err *err);
bool select_size(struct rows *rows, const char *value, uint64_t *set, struct err *err);
bool select_section(struct rows *rows, const char *value, uint64_t *set, struct err *err);
bool select_span(struct rows *rows, const char *value, uint64_t *set, struct err *err);
bool select_type(struct rows *rows, const char *value, uint64_t *set, struct err *err);
bool select_place(struct rows *rows, const char *value, uint64_t *set, struct err *err);
bool select_operand(struct rows *rows, const char *value, uint64_t *set, struct err *err);
bool select_threads(struct rows *rows, const char *value, uint64_t *set, struct err *err);
bool select_roots(struct rows *rows, const char *value, uint64_t *set, struct err *err);
bool select_owned(struct rows *rows, const char *value, uint64_t *set, struct err *err);
bool select_rows(struct rows *rows, const char *value, uint64_t *set, struct err *err);
/* Returns the stages that the table in the value of the one above requires. */
unsigned select_rows_needs(const char *value);
bool select_libraries(struct rows *rows, const char *value, uint64_t *set, struct err *err);
