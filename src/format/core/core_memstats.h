/* The statistics that runtime.ReadMemStats would have returned when the core file was written. */
#ifndef FORMAT_CORE_MEMSTATS_H
#define FORMAT_CORE_MEMSTATS_H

#include "core_runtime.h"
#include "format/record.h"

/* Fills in the record. Sums over spans are always known, other fields only with debug information;
   record->unknown has the unknown ones. */
void core_memstats(const struct core_runtime *rt, struct memstats_record *record);

#endif
