#include "table/findings/finding.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

PLUGINS(finders);

struct finding *findings_add(struct findings *findings, const struct finding_kind *kind)
{
	MEM_PUSH(findings->finding, findings->count, findings->capacity,
	         ((struct finding){.kind = kind}));
	return &findings->finding[findings->count - 1];
}

bool findings_is_much(const struct findings *findings, uint64_t bytes, unsigned percent)
{
	return bytes && bytes * 100 >= findings->whole * percent;
}

static int finding_compare(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	if (x->kind->rank != y->kind->rank)
		return x->kind->rank < y->kind->rank ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return strcmp(buf_text(&x->name), buf_text(&y->name));
}

bool findings_find(struct findings *findings, const struct analysis *analysis,
                   struct progress *progress, struct err *err)
{
	*findings = (struct findings){analysis, analysis_reach(analysis)->bytes, NULL, 0, 0};
	const void *const *const range[] = {PLUGINS_OF(finders)};
	for (const void *const *at = range[0]; at < range[1]; at++) {
		const struct finder *finder = *at;
		if (heap_has(analysis_heap(analysis), finder->parts)
		    && !finder->find(findings, progress, err))
			return false;
	}
	if (findings->count)
		qsort(findings->finding, findings->count, sizeof *findings->finding, finding_compare);
	return true;
}

void findings_fini(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		buf_free(&findings->finding[i].what);
		buf_free(&findings->finding[i].name);
		buf_free(&findings->finding[i].link);
	}
	free(findings->finding);
}
