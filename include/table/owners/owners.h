/* What other layers ask of rows of the table owners. */
#ifndef TABLE_OWNERS_H
#define TABLE_OWNERS_H

#include "table/table.h"

/* Returns true if a row is what several owners hold jointly. */
bool owners_row_is_joint(const struct rows *rows, size_t row);

#endif
