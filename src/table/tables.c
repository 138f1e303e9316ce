/* All tables, in the order of help and manual. A new one is a file, a name in table/plugins.h and a
 * line here. */
#include "table/plugins.h"

const struct table *const tables[] = {
	&table_owners,      &table_top,         &table_root_classes,  &table_dominators, &table_dominated,
	&table_owned,       &table_retained,
	&table_objects,     &table_sizes,       &table_shapes,     &table_unreachable,
	&table_found,
	&table_fields,      &table_references,  &table_referrers,  &table_holders,
	&table_path,        &table_merged_paths,      &table_what_if,       &table_between,
	&table_goroutines,  &table_groups,      &table_creators,   &table_reasons,
	&table_frames,      &table_slots,
	&table_stack,
	&table_roots,       &table_domains,     &table_segments,   &table_finalizers,
	&table_defers,      &table_panics,
	&table_types,       &table_packages,    &table_layout,     &table_descriptors,
	&table_itabs,       &table_threads,
	&table_profiles,    &table_profile,     &table_samples,    &table_heaps,
	&table_breakdown,
	&table_memstats,    &table_pauses,      &table_records,    &table_warnings,
	NULL,
};
