/* The runtime's memory profile in the dump, for go tool pprof. */
#include "main/export/exporter.h"
#include "main/export/pprof.h"
#include "table/breakdown/breakdown_query.h"

#include "base/bound.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/profile.h"
#include "table/owners/object_owner.h"

#include <stdlib.h>

enum { NAME_LIMIT = 1000 };

static void pprof_alloc_push_stack(struct pprof *pprof, const struct profile_record *profile)
{
	struct stack_walk walk = stack_walk_outside(profile);
	pprof_stack(pprof);
	for (struct stack_frame frame; stack_walk_next(&walk, &frame);) {
		SCOPED_BUF function = {0}, file = {0};
		text_add_symbol(&function, frame.function.data, frame.function.len, NAME_LIMIT);
		text_add_escaped(&file, frame.file.data, frame.file.len, NAME_LIMIT);
		pprof_push(pprof, pprof_location(pprof, buf_text(&function), buf_text(&file), frame.line));
	}
}

/* Returns the shared sets of the sampled objects of a profile, sorted, and stores their number. If
   the dump has more of them than the profile counts as live, because the profile lags behind, some
   are left out, evenly. */
static uint32_t *pprof_alloc_owners(const struct profiles *profiles, uint32_t profile,
                                    const uint32_t *sets, uint64_t *count)
{
	uint64_t live = profile_live(&profiles->profile[profile]);
	uint64_t all = profiles->first[profile + 1] - profiles->first[profile];
	uint64_t most = live < all ? live : all, owned = 0;
	uint32_t *owner = mem_alloc((most + 1) * sizeof *owner);
	for (uint64_t i = 0; sets && i < all; i++) {
		if ((i + 1) * most / all == i * most / all)
			continue;
		uint32_t sample = profiles->by_profile[profiles->first[profile] + i];
		uint32_t object = profiles->sample[sample].object;
		if (object != OBJECT_NONE && sets[object] != UINT32_MAX)
			owner[owned++] = sets[object];
	}
	bound_sort(owner, owned, BOUND_ITSELF(uint32_t));
	*count = owned;
	return owner;
}

/* Writes a sample for each owner of live objects, and one for all else that was allocated. */
static void pprof_alloc_write_profile(struct pprof *pprof, const struct analysis *analysis,
                                      uint32_t profile, const uint32_t *sets)
{
	const struct profiles *profiles = &analysis_heap(analysis)->profiles;
	const struct profile_record *record = &profiles->profile[profile];
	uint64_t live = profile_live(record), owned;
	SCOPED_FREE uint32_t *owner = pprof_alloc_owners(profiles, profile, sets, &owned);
	pprof_alloc_push_stack(pprof, record);
	for (uint64_t first = 0, end; first < owned; first = end) {
		for (end = first + 1; end < owned && owner[end] == owner[first];)
			end++;
		struct profile_amount part = profile_part(profiles, record, first, end - first);
		pprof_owner(pprof, analysis, owner[first]);
		pprof_sample(pprof, (const uint64_t[]){part.count, part.bytes, part.count, part.bytes});
	}
	struct profile_amount all = profile_part(profiles, record, owned, record->allocs - owned);
	struct profile_amount rest = profile_part(profiles, record, owned, live - owned);
	if (!owned || all.count)
		pprof_sample(pprof, (const uint64_t[]){all.count, all.bytes, rest.count, rest.bytes});
}

static bool pprof_alloc_write(const struct analysis *analysis, const struct export_request *request,
                              struct buf *out, struct err *err)
{
	static const struct pprof_type types[] = {{"alloc_objects", "count"},
	                                          {"alloc_space", "bytes"},
	                                          {"inuse_objects", "count"},
	                                          {"inuse_space", "bytes"}};
	const struct heap *heap = analysis_heap(analysis);
	const uint32_t *sets = object_owner_sets(analysis, NULL);
	struct pprof pprof;
	SCOPED_BUF rate = {0};
	(void)request;
	if (!heap->profiles.count)
		return breakdown_query_none(analysis, err);
	pprof_begin(&pprof, out, types, 4, 3, export_time(heap));
	for (uint32_t i = 0; i < heap->profiles.count && pprof.ok; i++)
		pprof_alloc_write_profile(&pprof, analysis, i, sets);
	profile_rate_add(&heap->profiles, &rate);
	pprof_period(&pprof, (struct pprof_type){"space", "bytes"}, heap->profiles.rate);
	return pprof_end(&pprof, buf_text(&rate));
}

DEFINE_PLUGIN(exporters, struct exporter, exporter_pprof_alloc) = {
	.rank = 24,
	.name = "pprof-alloc",
	.help = "the memory profile of the runtime by call stack, for go tool pprof",
	.about = "The numbers are those of the table profiles: the profiler's samples, scaled by its "
			 "sampling rate as in the program's own /debug/pprof/heap. Live memory of a call stack "
			 "is divided by the owners of its sampled objects, as the table owners names them: "
			 "-tags shows the label owner, and -tagfocus and -tagroot take it.",
	.needs = STAGE_TYPED | STAGE_OWNED,
	.parts = PART_GO,
	.binary = true,
	.write = pprof_alloc_write,
};
