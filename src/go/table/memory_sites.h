/* Unreachable objects of one type by the calls that allocated them, where the profiler has sampled
   some: exactly if it has sampled all of them, else estimated. Objects whose type is not known are
   estimated from sampled ones with the same size and pointers. */
#pragma once

#include "go/table/memory_parts.h"

/* Notes which parts by type have samples. */
void memory_sites_mark(struct memory_list *list);

/* Functions of struct memory_kind. A part is a profile. */
bool memory_sites_add(struct memory_list *list, struct progress *progress);
void memory_sites_name(const struct memory_list *list, uint32_t profile, struct buf *out);
void memory_sites_link(const struct memory_list *list, uint32_t profile, struct buf *out);
