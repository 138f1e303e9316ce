#include "table/findings/finding.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FINDERS = 32 };

PLUGINS(finders);

static const struct finder *finders[MOST_FINDERS]; /* NULL at the end */

static unsigned finder_rank(const void *finder)
{
	return ((const struct finder *)finder)->rank;
}

__attribute__((constructor)) static void list_finders(void)
{
	plugins_list(PLUGINS_OF(finders), finder_rank, (const void **)finders, MOST_FINDERS);
}

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
	for (size_t i = 0; finders[i]; i++)
		if (heap_has(analysis_heap(analysis), finders[i]->parts)
		    && !finders[i]->find(findings, progress, err))
			return false;
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
