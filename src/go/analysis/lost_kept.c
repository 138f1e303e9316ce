/* Lost goroutines as a cached result in the index: part of runtimes/go/analysis/lost.h. */
#include "go/analysis/lost.h"

#include "analysis/kept.h"
#include "base/plugin.h"

static void *lost_kept_make(const struct analysis *analysis, enum retain retain,
                            struct progress *progress)
{
	(void)retain;
	return analysis_has_roots(analysis)
	           ? lost_new(analysis_reach(analysis), analysis_waits(analysis), progress)
	           : NULL;
}

static void lost_kept_free(void *made)
{
	lost_free(made);
}

static bool lost_kept_index(void *made, const struct index_io *io)
{
	struct lost *lost = made;
	return INDEX_VALUES(io, "sums", INDEX_VALUE(lost->stack_bytes), INDEX_VALUE(lost->objects),
	                    INDEX_VALUE(lost->bytes), INDEX_VALUE(lost->shared_bytes),
	                    INDEX_VALUE(lost->unknown), INDEX_VALUE(lost->unknown_reasons),
	                    INDEX_VALUE(lost->unknown_coroutines), INDEX_VALUE(lost->waiting),
	                    INDEX_VALUE(lost->main_parked), INDEX_VALUE(lost->asleep))
	       && INDEX_ARRAY(io, "goroutine", lost->goroutine, lost->count)
	       && INDEX_ARRAY(io, "awaited", lost->awaited, lost->awaited_count);
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, lost_kept) = {
	.name = "lost",
	.needs = STAGE_NAMED | STAGE_REVERSED,
	.make = lost_kept_make,
	.free = lost_kept_free,
	.size = sizeof(struct lost),
	.index = lost_kept_index,
};

const struct lost *analysis_lost(const struct analysis *analysis, struct progress *progress)
{
	return analysis_kept(analysis, &lost_kept, RETAIN_ALIVE, progress);
}
