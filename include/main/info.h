/* goheapx info: the report for people, one screen, and facts that only some formats have. */
#ifndef MAIN_INFO_H
#define MAIN_INFO_H

#include "analysis/analysis.h"
#include "base/buf.h"
#include "main/key_values.h"

/* After STAGE_REACHED. */
void info_report(const struct analysis *analysis, struct buf *out);

/* What the app domains of a log have together. */
void info_add_domains(struct key_values *values, const struct heap *heap);

#endif
