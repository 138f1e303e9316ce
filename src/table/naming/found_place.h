/* Names of places in the memory of a program: of words in objects, data segments and frames. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/find.h"

/* Appends the field or variable at a place: ".Name", "main.cache.name", "job.req"; nothing if
   unknown. After STAGE_TYPED. */
void found_add_name(const struct analysis *analysis, const struct find_hit *hit, struct buf *out);
/* Appends the path to a place and the field there: "main.sessions[3].Name", "main.cache.name",
   "goroutine 17 main.serve job.req". After STAGE_TYPED and STAGE_REVERSED. */
void found_add_expression(const struct analysis *analysis, const struct find_hit *hit,
                          struct buf *out);
