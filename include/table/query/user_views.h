/* Tables that the user declares, in the file `views` of the config folder:

     view big-types: types
     by package
     show sum bytes, most largest, rows, retained, delta bytes
     where bytes > 1000

   `view` is followed by a name, a table and its argument, if it takes one. With `by` a row stands
   for all rows that are equal in these columns, and `show` says what of them: rows, bytes, sum COL,
   most COL, share COL, retained, owner; `delta` of one of those that stand before it is the change
   since the oldest earlier dump. Without `by`, `show` lists columns of the table. `where` is a
   filter, `sort` a column of the view. Lines that begin with # are comments. */
#pragma once

#include <stdbool.h>

/* Reads the file and adds the tables, once, before any other thread runs. `is_word` returns true
   for words that mean something else to the program. A view that is wrong is left out. */
void user_views_load(bool (*is_word)(const char *name));
/* Returns a line for everything that is wrong in it: the file, the number of the line, and what is
   expected there; "" if nothing is. */
const char *user_views_wrong(void);
