/* The runtime's memory profile in the dump, for go tool pprof. */
#include "main/exporter.h"
#include "main/pprof.h"
#include "table/breakdown/breakdown_query.h"

#include "base/mem.h"
#include "base/text.h"

enum { NAME_LIMIT = 1000 };

static bool pprof_alloc_write(const struct analysis *analysis, const struct export_request *request,
                              struct buf *out, struct err *err)
{
	static const struct pprof_type types[] = {{"alloc_objects", "count"},
	                                          {"alloc_space", "bytes"},
	                                          {"inuse_objects", "count"},
	                                          {"inuse_space", "bytes"}};
	const struct heap *heap = analysis_heap(analysis);
	struct pprof pprof;
	struct buf rate = {0};
	(void)request;
	if (!heap->profiles.count)
		return breakdown_query_none(analysis, err);
	pprof_begin(&pprof, out, types, 4, 3, export_time(heap));
	for (uint32_t i = 0; i < heap->profiles.count && pprof.ok; i++) {
		const struct profile_record *profile = &heap->profiles.profile[i];
		struct stack_walk walk = stack_walk_outside(profile);
		for (struct stack_frame frame; stack_walk_next(&walk, &frame);) {
			struct buf function = {0}, file = {0};
			text_add_symbol(&function, frame.function.data, frame.function.len, NAME_LIMIT);
			text_add_escaped(&file, frame.file.data, frame.file.len, NAME_LIMIT);
			pprof_push(&pprof,
			           pprof_location(&pprof, buf_text(&function), buf_text(&file), frame.line));
			buf_free(&function);
			buf_free(&file);
		}
		struct profile_amount all = profile_scaled(&heap->profiles, profile, profile->allocs);
		struct profile_amount live =
			profile_scaled(&heap->profiles, profile, profile_live(profile));
		pprof_sample(&pprof, (const uint64_t[]){all.count, all.bytes, live.count, live.bytes});
	}
	profile_rate_add(&heap->profiles, &rate);
	pprof_period(&pprof, (struct pprof_type){"space", "bytes"}, heap->profiles.rate);
	bool written = pprof_end(&pprof, buf_text(&rate));
	buf_free(&rate);
	return written;
}

static const struct exporter exporter_pprof_alloc = {
	.rank = 24,
	.name = "pprof-alloc",
	.help = "the memory profile of the runtime by call stack, for go tool pprof",
	.about = "The numbers are those of the table profiles: the profiler's samples, scaled by its "
			 "sampling rate as in the program's own /debug/pprof/heap.",
	.needs = STAGE_READ,
	.parts = PART_GO,
	.binary = true,
	.write = pprof_alloc_write,
};
PLUGIN(exporters, exporter_pprof_alloc);
