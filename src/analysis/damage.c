#include "analysis/damage.h"

bool damage_has_roots(const struct heap *heap)
{
	return heap->segment_count || heap->goroutine_count || heap->finalizer_count ||
		   heap->otherroot_count || heap->foundroot_count ||
		   (heap->listed && heap->listed->root_count);
}

static bool has(const struct heap *heap, enum format_part part)
{
	return heap->format->has & part;
}

static bool lacks_roots(const struct heap *heap)
{
	return has(heap, HAS_OBJECTS) && !damage_has_roots(heap);
}

static bool lacks_goroutines(const struct heap *heap)
{
	return has(heap, HAS_RUNTIME) && damage_has_roots(heap) && !heap->goroutine_count;
}

/* The last of the roots but for finalizers. */
static bool lacks_globals(const struct heap *heap)
{
	return has(heap, HAS_RUNTIME) && damage_has_roots(heap) && !heap->segment_count &&
		   !heap->foundroot_count;
}

/* Finalizers stand between the global variables and the statistics. */
static bool lacks_finalizers(const struct heap *heap)
{
	return !heap->complete && !heap->memstats.present && heap->segment_count;
}

static bool lacks_statistics(const struct heap *heap)
{
	return has(heap, HAS_RUNTIME) && !heap->complete && !heap->memstats.present;
}

static bool lacks_profile(const struct heap *heap)
{
	return has(heap, HAS_RUNTIME) && !heap->complete;
}

const char *damage_meaning(const struct heap *heap, size_t k)
{
	static const struct {
		bool (*holds)(const struct heap *heap);
		const char *text;
	} meanings[] = {
		{lacks_roots, "There are no roots in the dump: what is alive cannot be told. The objects "
					  "that it holds are all there is."},
		{lacks_goroutines, "The goroutines are missing: what only their stacks hold seems to have "
						   "no root."},
		{lacks_globals, "The global variables are missing: what only they hold seems to have no "
						"root."},
		{lacks_finalizers, "Finalizers may be missing: what only they hold seems to have no root."},
		{lacks_statistics, "The statistics of the runtime are missing."},
		{lacks_profile, "Records of the allocation profile may be missing."},
	};
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
		if (meanings[i].holds(heap) && k-- == 0)
			return meanings[i].text;
	return NULL;
}
