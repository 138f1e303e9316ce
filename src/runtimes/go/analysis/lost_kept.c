/* Lost goroutines as a cached result in the index: part of runtimes/go/analysis/lost.h. */
#include "runtimes/go/analysis/lost.h"

#include "analysis/kept.h"
#include "base/mem.h"
#include "base/plugin.h"

/* The fields that are not arrays. */
struct lost_sums {
	uint64_t stack_bytes, objects, bytes, shared_bytes;
	uint64_t unknown, unknown_reasons, unknown_coroutines, waiting, main_parked;
};

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

static void lost_kept_save(const void *made, enum retain retain, struct index_writer *writer)
{
	const struct lost *lost = made;
	const struct lost_sums sums = {lost->stack_bytes,        lost->objects, lost->bytes,
	                               lost->shared_bytes,       lost->unknown, lost->unknown_reasons,
	                               lost->unknown_coroutines, lost->waiting, lost->main_parked};
	(void)retain;
	index_put_copy(writer, "lost/sums", &sums, sizeof sums);
	index_put(writer, "lost/goroutine", lost->goroutine, lost->count * sizeof *lost->goroutine);
	index_put(writer, "lost/awaited", lost->awaited, lost->awaited_count * sizeof *lost->awaited);
}

static void *lost_kept_load(const struct analysis *analysis, enum retain retain,
                            struct index_file *file)
{
	struct lost_sums sums;
	struct lost *lost = mem_alloc(sizeof *lost);
	size_t count = 0;
	(void)analysis, (void)retain;
	lost->goroutine = index_array(file, "lost/goroutine", sizeof *lost->goroutine, &count);
	lost->count = (uint32_t)count;
	lost->awaited = index_array(file, "lost/awaited", sizeof *lost->awaited, &lost->awaited_count);
	if (!lost->goroutine || !lost->awaited
	    || !index_struct(file, "lost/sums", &sums, sizeof sums)) {
		lost_free(lost);
		return NULL;
	}
	lost->stack_bytes = sums.stack_bytes;
	lost->objects = sums.objects;
	lost->bytes = sums.bytes;
	lost->shared_bytes = sums.shared_bytes;
	lost->unknown = (uint32_t)sums.unknown;
	lost->unknown_reasons = (uint32_t)sums.unknown_reasons;
	lost->unknown_coroutines = (uint32_t)sums.unknown_coroutines;
	lost->waiting = (uint32_t)sums.waiting;
	lost->main_parked = sums.main_parked;
	return lost;
}

static const struct kept_kind lost_kept = {
	.needs = STAGE_NAMED | STAGE_REVERSED,
	.make = lost_kept_make,
	.free = lost_kept_free,
	.save = lost_kept_save,
	.load = lost_kept_load,
};
PLUGIN(kept_kinds, lost_kept);

const struct lost *analysis_lost(const struct analysis *analysis, struct progress *progress)
{
	return analysis_kept(analysis, &lost_kept, RETAIN_ALIVE, progress);
}
