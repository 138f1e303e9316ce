/* A path from a root to an object, as rows of the table `path`: its root and its steps, for the
   screen, text, JSON and CSV. For the path as one expression see table/naming/step.h. Paths may
   have millions of steps; cells are computed on demand. */
#pragma once

#include "analysis/path_dominators.h"
#include "table/paths/path_steps.h"
#include "table/table.h"

/* The subject of the rows. */
struct path_rows {
	const struct path *path;                  /* NULL: there is none */
	const struct path_dominators *dominators; /* of the path; none: unknown yet */
	const struct path_steps *steps;           /* the steps of the path that have a row */
};

/* "ADDR [K]", of the table and of the view: the first path is number 1. */
bool path_rows_argument(const struct analysis *analysis, const char *argument, uint32_t *object,
                        uint64_t *number, struct err *err);

/* Returns the rows: row 0 is the root, row n + 1 the n-th step that has a row. They need no
   rows_close; `of` must outlive them. */
struct rows path_rows(const struct analysis *analysis, struct path_rows *of);

/* Computes the dominators of a path; none if they are not ready yet. The caller calls
   path_dominators_fini. */
void path_rows_dominators(const struct analysis *analysis, const struct path *path,
                          struct path_dominators *dominators);
