#include "table/findings/finding.h"

#include "base/mem.h"
#include "base/task.h"
#include "base/text.h"
#include "table/paths/path_tree.h"

#include <stdlib.h>
#include <string.h>

enum { MOSTLY = 80 }; /* percent of a set: what is not used of it says as much */

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

enum {
	SMALL = 1,      /* percent of the reachable bytes, or of the largest finding if that has more */
	SMALL_LAST = 10 /* the same, of what is not the program's own */
};

/* Marks findings that say little beside the others: all but those that grew or can never run. */
static void findings_mark_small(struct findings *findings)
{
	uint64_t most = findings->whole;
	for (size_t i = 0; i < findings->count; i++)
		most = findings->finding[i].bytes > most ? findings->finding[i].bytes : most;
	for (size_t i = 0; i < findings->count && !findings->of_libraries; i++) {
		struct finding *finding = &findings->finding[i];
		const char *mark = finding->kind->mark;
		unsigned percent = finding->kind->rank == FINDING_LAST ? SMALL_LAST : SMALL;
		finding->is_small = *mark != '!' && *mark != '+' && finding->bytes < most / 100 * percent;
	}
}

static int finding_compare(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	if (x->is_small != y->is_small)
		return x->is_small ? 1 : -1;
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
			if (!finder->slow == !slow && (finder->libraries || !findings->of_libraries)
			    && heap_has(analysis_heap(findings->analysis), finder->parts))
				found = finder->find(findings, progress, err);
		}
	return found;
}

void finding_fini(struct finding *finding)
{
	buf_free(&finding->what);
	buf_free(&finding->name);
	buf_free(&finding->link);
	buf_free(&finding->expression);
	buf_free(&finding->held_by);
	free(finding->thread);
	free(finding->object);
}

/* Removes the places of the runtime's timers if a row tells of all timers. */
static void findings_drop_timers(struct findings *findings)
{
	size_t kept = 0;
	bool told = false;
	for (size_t i = 0; i < findings->count; i++)
		told = told || strcmp(findings->finding[i].kind->name, "timers") == 0;
	for (size_t i = 0; i < findings->count; i++) {
		if (told && findings->finding[i].of_timers)
			finding_fini(&findings->finding[i]);
		else
			findings->finding[kept++] = findings->finding[i];
	}
	findings->count = kept;
}

/* Returns true if a place is that of elements outside of a slice, or below. */
static bool finding_is_of_outside(const struct finding *place, const struct finding *outside)
{
	static const char step[] = "[*] outside";
	size_t len = outside->name.len;
	return strcmp(outside->kind->name, "outside slices") == 0 && place->name.len > len
	       && memcmp(buf_text(&place->name), buf_text(&outside->name), len) == 0
	       && strncmp(buf_text(&place->name) + len, step, strlen(step)) == 0;
}

static void findings_remove(struct findings *findings, size_t i)
{
	finding_fini(&findings->finding[i]);
	findings->count--;
	memmove(&findings->finding[i], &findings->finding[i + 1],
	        (findings->count - i) * sizeof *findings->finding);
}

/* Leaves out places of objects outside of slices where another row tells of them. */
static void findings_drop_outside(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		for (size_t k = findings->count; k-- > 0;)
			if (finding_is_of_outside(&findings->finding[k], &findings->finding[i])) {
				findings_remove(findings, k);
				i -= k < i;
			}
}

/* Returns true if of two findings about a place that stays which is the first: what is not used, if
   that is three quarters of what stands there or more. */
static bool finding_stays(const struct finding *x, const struct finding *y)
{
	if (!x->waste == !y->waste)
		return x->bytes >= y->bytes;
	return x->waste ? x->bytes >= y->bytes / 4 * 3 : y->bytes < x->bytes / 4 * 3;
}

/* Leaves one of several findings about a place; it says of the others what is not used. */
static void findings_join_places(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		for (size_t k = findings->count; findings->finding[i].place && k-- > i + 1;) {
			struct finding *x = &findings->finding[i], *y = &findings->finding[k];
			if (y->place != x->place || (!x->waste && !y->waste))
				continue;
			if (!finding_stays(x, y)) {
				struct finding swapped = *x;
				*x = *y;
				*y = swapped;
			}
			if (y->waste) {
				x->recoverable += y->recoverable;
				buf_addf(&x->what, ", %s %s", text_size(y->recoverable).text, y->waste);
			}
			findings_remove(findings, k);
		}
}

/* Returns true if the place of a finding is below that of another one. */
static bool finding_is_below(const struct finding *finding, const struct finding *above,
                             const struct merge_node *node)
{
	uint32_t place = finding->place - 1, end = above->place - 1;
	while (place != OBJECT_NONE && place > end) /* a place stands behind the one above it */
		place = node[place].parent;
	return place == end && finding->place != above->place;
}

/* Leaves out a set that holds little but what is not used of a place below it. */
static void findings_drop_wasted(struct findings *findings, struct progress *progress)
{
	const struct path_tree *tree =
		analysis_kept(findings->analysis, &path_tree_whole, RETAIN_ALIVE, progress);
	for (size_t i = 0; tree && i < findings->count; i++)
		for (size_t k = findings->count; findings->finding[i].waste && k-- > 0;) {
			const struct finding *waste = &findings->finding[i], *set = &findings->finding[k];
			if (!set->waste && set->place && waste->place
			    && waste->bytes >= set->bytes / 100 * MOSTLY
			    && finding_is_below(waste, set, tree->merged_paths->node)) {
				findings_remove(findings, k);
				i -= k < i;
			}
		}
}

bool findings_find(struct findings *findings, const struct analysis *analysis, bool of_libraries,
                   struct progress *progress, struct err *err)
{
	struct findings_ahead ahead = {analysis, progress};
	struct task *task = of_libraries ? NULL : task_start(findings_work_ahead, &ahead, NULL);
	*findings = (struct findings){
		.analysis = analysis,
		.of_libraries = of_libraries,
		.whole = analysis_reach(analysis)->bytes,
	};
	bool found = findings_find_all(findings, progress, err);
	task_end(task);
	if (!found)
		return false;
	findings_drop_timers(findings);
	findings_drop_outside(findings);
	findings_join_places(findings);
	findings_drop_wasted(findings, progress);
	if (!findings_count_frees(findings, progress, err))
		return false;
	findings_mark_small(findings);
	if (findings->count)
		qsort(findings->finding, findings->count, sizeof *findings->finding, finding_compare);
	return true;
}

void findings_fini(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		finding_fini(&findings->finding[i]);
	free(findings->finding);
	buf_free(&findings->doubt);
}
