/* The tables by name, for the list in src/table/tables.c only. */
#ifndef TABLE_PLUGINS_H
#define TABLE_PLUGINS_H

#include "table/table.h"

extern const struct table table_found, table_objects, table_sizes, table_fields, table_references,
	table_referrers, table_holders, table_path, table_merged_paths, table_what_if, table_between;
extern const struct table table_owners, table_top, table_root_classes, table_dominators,
	table_dominated, table_owned, table_retained;
extern const struct table table_goroutines, table_groups, table_creators, table_reasons,
	table_frames, table_slots, table_stack;
extern const struct table table_roots, table_finalizers, table_defers, table_panics;
extern const struct table table_packages, table_layout;
extern const struct table table_types, table_descriptors, table_itabs, table_threads,
	table_memstats, table_warnings;
extern const struct table table_unreachable, table_shapes, table_profiles, table_profile,
	table_samples, table_segments, table_pauses, table_records, table_domains, table_heaps,
	table_breakdown;

#endif
