/* The statistics that runtime.ReadMemStats would have told at the instant of the core. */
#ifndef FORMAT_CORE_MEMSTATS_H
#define FORMAT_CORE_MEMSTATS_H

#include "core_runtime.h"
#include "format/record.h"

/* What the spans say is told of every program, the rest where debug information says where the
   runtime counts it: record->unknown has the others. */
void core_memstats(const struct core_runtime *rt, struct memstats_record *record);

#endif
