/* The report of goheapx info for people: one screen. */
#ifndef MAIN_INFO_H
#define MAIN_INFO_H

#include "analysis/analysis.h"
#include "base/buf.h"

/* After STAGE_REACHED. */
void info_report(const struct analysis *analysis, struct buf *out);

#endif
