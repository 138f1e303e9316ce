/* The growth of a path's retained size since the oldest earlier dump: growth() of assertions. */
#pragma once

#include "analysis/analysis.h"
#include "table/naming/operand.h"

/* Reads an operand that is the whole of a path. False: *err. */
bool path_operand(const struct analysis *analysis, const char *path, struct operand *operand,
                  struct err *err);
/* Stores the bytes that the variable or object of a path retains; an empty path stands for all that
   is reachable. After STAGE_TYPED and STAGE_DOMINATED. False: *err. */
bool path_retained(const struct analysis *analysis, const char *path, uint64_t *bytes,
                   struct err *err);
/* Stores the growth; an empty path stands for all that is reachable. A path that does not exist in
   the oldest dump counts as 0 there. After STAGE_TYPED and STAGE_DOMINATED. False: *err. */
bool path_growth(const struct analysis *analysis, const char *path, uint64_t *bytes, bool *negative,
                 struct err *err);
