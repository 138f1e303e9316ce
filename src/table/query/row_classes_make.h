/* The classes of rows, and what is added up of them: part of table/query/row_classes.h. */
#pragma once

#include "table/query/row_classes.h"

/* Makes the classes of `count` rows of the other table, by number; NULL: all. False: cancelled. */
bool classes_make(struct rows *rows, const uint32_t *row, size_t count);
/* Sorts the classes by their keys; those without one come last. */
void classes_sort(struct rows *rows);
