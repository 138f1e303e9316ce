#include "core_specials.h"

static enum core_special_kind special_kind(const struct core_layout *layout, uint64_t number)
{
	static const enum core_field kinds[] = {
		[SPECIAL_FINALIZER] = RT_KIND_FINALIZER,
		[SPECIAL_WEAK_HANDLE] = RT_KIND_WEAK_HANDLE,
		[SPECIAL_PROFILE] = RT_KIND_PROFILE,
		[SPECIAL_CLEANUP] = RT_KIND_CLEANUP,
	};
	for (size_t i = SPECIAL_OTHER + 1; i < sizeof kinds / sizeof *kinds; i++)
		if (layout->offset[kinds[i]] == number)
			return (enum core_special_kind)i;
	return SPECIAL_OTHER;
}

void core_span_specials(const struct core_runtime *rt, const struct core_span *span,
                        void (*visit)(void *self, const struct core_special *special), void *self)
{
	/* A slot has only a few special records; a longer list is cyclic. */
	uint64_t most = span->slots * 4 + 64;
	uint64_t at = rt_field(rt, span->structure, RT_MSPAN_SPECIALS);
	for (uint64_t i = 0; at && i < most; i++) {
		uint64_t offset = rt_field(rt, at, RT_SPECIAL_OFFSET);
		struct core_special special = {
			.structure = at,
			.object = span->start + offset,
			.kind = special_kind(&rt->layout, rt_field(rt, at, RT_SPECIAL_KIND)),
		};
		if (offset < span->bytes)
			visit(self, &special);
		at = rt_field(rt, at, RT_SPECIAL_NEXT);
	}
}
