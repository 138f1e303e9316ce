#include "table/findings/finding.h"

#include "base/mem.h"
#include "base/task.h"

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

/* Makes what the finders ask for in a second thread; who asks meanwhile waits for it. */
struct findings_ahead {
	const struct analysis *analysis;
	const struct progress *whole;
};

static void findings_work_ahead(void *self, struct progress *progress)
{
	const struct findings_ahead *ahead = self;
	const struct analysis *analysis = ahead->analysis;
	const void *const *const range[] = {PLUGINS_OF(finders)};
	progress->whole = ahead->whole;
	for (const void *const *at = range[0]; at < range[1]; at++) {
		const struct finder *finder = *at;
		if (finder->slow && heap_has(analysis_heap(analysis), finder->parts))
			analysis_kept(analysis, finder->slow, analysis_retained(analysis)->retain, progress);
	}
}

static bool findings_find_all(struct findings *findings, struct progress *progress, struct err *err)
{
	const void *const *const range[] = {PLUGINS_OF(finders)};
	bool found = true;
	for (int slow = 0; slow <= 1; slow++)
		for (const void *const *at = range[0]; found && at < range[1]; at++) {
			const struct finder *finder = *at;
			if (!finder->slow == !slow
			    && heap_has(analysis_heap(findings->analysis), finder->parts))
				found = finder->find(findings, progress, err);
		}
	return found;
}

bool findings_find(struct findings *findings, const struct analysis *analysis,
                   struct progress *progress, struct err *err)
{
	struct findings_ahead ahead = {analysis, progress};
	struct task *task = task_start(findings_work_ahead, &ahead, NULL);
	*findings = (struct findings){analysis, analysis_reach(analysis)->bytes, NULL, 0, 0};
	bool found = findings_find_all(findings, progress, err);
	task_end(task);
	if (!found)
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
