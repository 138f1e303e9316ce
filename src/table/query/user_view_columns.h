/* A view of the user, and its columns: private to table/query/user_views.c. */
#pragma once

#include "table/table.h"

enum { USER_VIEW_COLUMNS = 24, USER_VIEW_SHOWN = 60 };

enum user_part { PART_BY, PART_SHOW, PART_WHERE, PART_SORT, PARTS_OF_VIEW };

struct user_view {
	size_t line;
	char *name, *of, *argument;
	struct {
		char *text; /* NULL: there is no such line */
		size_t line;
	} part[PARTS_OF_VIEW];
	enum { VIEW_READ, VIEW_BUSY, VIEW_MADE, VIEW_WRONG } state;
	struct table table;
	struct column column[USER_VIEW_COLUMNS]; /* few enough that fields have room beside them */
};

/* Makes the columns of a view of a table from its lines `by` and `show`. False: *err, and *line is
   the line that is wrong. */
bool user_view_columns(struct user_view *view, const struct table *of, size_t *line,
                       struct err *err);
/* Returns the column of a table with a name; NULL: *err says which is meant. */
const struct column *user_column_of(const struct table *of, const char *name, struct err *err);
/* Returns true if the rows of a table are about objects; `each`: each about one. */
bool user_has_objects(const struct table *of, bool each);
