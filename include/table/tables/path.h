/* A retaining path as rows of the table `path`: what there is to say of its root and of each of its
   steps, once for the screen, text, JSON and CSV. The whole path as one expression is in
   table/step.h. Paths may have millions of steps: cells are made as they are asked for. */
#ifndef TABLE_TABLES_PATH_H
#define TABLE_TABLES_PATH_H

#include "analysis/path_dominators.h"
#include "table/path_steps.h"
#include "table/table.h"

/* What the rows are of. */
struct path_rows {
	const struct path *path;                  /* NULL: there is none */
	const struct path_dominators *dominators; /* of it; without any: they are not known yet */
	const struct path_steps *steps;           /* of it: those that have a row */
};

/* "ADDR [WAY]", of the table and of the view: the first way is number 1. */
bool path_rows_argument(const struct analysis *analysis, const char *argument, uint32_t *object,
                        uint64_t *way, struct err *err);

/* Row 0 is the root, row n + 1 step n of those that have a row. They need no closing; `of` must
 * stay as long. */
struct rows path_rows(const struct analysis *analysis, struct path_rows *of);

/* The dominators of a path, which path_dominators_fini frees; none where they are not known yet. */
void path_rows_dominators(const struct analysis *analysis, const struct path *path,
                          struct path_dominators *dominators);

#endif
