/* How much memory queries may take: SQLite's own, and that of their results. */
#pragma once

#include "base/err.h"

#include <stdint.h>

/* Allows queries from now on a share of what is free, beside what they have. */
void sql_memory_renew(void);
/* Returns false if a result of so many bytes is too much. */
bool sql_memory_allows(uint64_t bytes);
/* Sets *err to what is allowed, and returns false. */
bool sql_memory_fail(struct err *err);
