/* Counts what each finding frees if all that it is about goes. */
#include "table/findings/held_by.h"

#include "analysis/what_if.h"
#include "base/mem.h"
#include "base/memory_left.h"
#include "table/contents/object_set.h"
#include "table/paths/path_tree.h"
#include "table/paths/what_if_part.h"

#include <stdlib.h>
#include <string.h>

/* Findings that are counted in one search. */
struct frees {
	struct finding *finding[WHAT_IF_SETS];
	struct what_if *set[WHAT_IF_SETS];
	size_t count;
};

static void frees_fini(struct frees *f)
{
	for (size_t i = 0; i < f->count; i++)
		what_if_free(f->set[i]);
}

/* Takes a finding with what it is about. False: *err. */
static bool frees_take(struct frees *f, const struct analysis *analysis, struct finding *finding,
                       struct progress *progress, struct err *err)
{
	struct what_if *set = f->set[f->count] = what_if_new(analysis_heap(analysis));
	f->finding[f->count++] = finding;
	if (finding->thread_count) {
		what_if_part_take_threads(analysis, (struct ids){finding->thread, finding->thread_count},
		                          set);
		return true;
	}
	if (!finding->object)
		finding->object = object_set_ids(analysis, buf_text(&finding->expression), false, progress,
		                                 &finding->object_count, err);
	if (finding->object)
		object_set_remove(analysis, buf_text(&finding->expression),
		                  (struct ids){finding->object, finding->object_count}, set);
	return finding->object;
}

/* Counts what those that were taken free, and finds who else holds the rest; or notes in `doubt`
   why that takes too much memory. False: cancelled. */
static bool frees_search(struct frees *f, const struct analysis *analysis,
                         struct progress *progress, struct buf *doubt)
{
	struct freed freed[WHAT_IF_SETS];
	struct err refused = {0};
	struct what_if_sets *sets =
		what_if_sets_new(f->set, f->count, memory_left() / 2, progress, &refused);
	buf_add(doubt, refused.text);
	if (!sets)
		return refused.set;
	what_if_sets_count(sets, freed);
	for (size_t i = 0; i < f->count; i++) {
		struct finding *finding = f->finding[i];
		finding->frees_known = true;
		finding->frees = freed[i].bytes;
		finding->frees_objects = freed[i].objects;
		if (finding->thread_count) /* what they take is what they keep alive */
			finding->bytes = freed[i].bytes;
		if (finding->thread_count && finding->recoverable)
			finding->recoverable = freed[i].bytes;
	}
	held_by_find(f->finding, f->count, analysis, sets, progress);
	what_if_sets_free(sets);
	return true;
}

bool findings_count_frees(struct findings *findings, struct progress *progress, struct err *err)
{
	bool done = true;
	for (size_t next = 0; done && next < findings->count && !findings->doubt.len;) {
		struct frees f = {0};
		for (; done && f.count < WHAT_IF_SETS && next < findings->count; next++) {
			struct finding *finding = &findings->finding[next];
			if (finding->thread_count || finding->object || finding->expression.len)
				done = frees_take(&f, findings->analysis, finding, progress, err);
		}
		done = done
		       && (!f.count || frees_search(&f, findings->analysis, progress, &findings->doubt)
		           || err_set(err, "Counting what the findings free was cancelled"));
		frees_fini(&f);
	}
	return done;
}

bool finding_count_frees(struct finding *finding, const struct analysis *analysis,
                         struct progress *progress)
{
	const char *set = buf_text(&finding->expression);
	const struct path_tree *tree =
		analysis_kept(analysis, &path_tree_whole, RETAIN_ALIVE, progress);
	struct frees f = {0};
	struct err err = {0};
	struct object_set_form form = object_set_form(set);
	bool of_place = tree && form.of_place && !form.either;
	size_t places = 0;
	SCOPED_FREE bool *is_place =
		of_place ? path_tree_find_places(tree, set + strlen("at="), false, &places) : NULL;
	for (uint32_t place = 0; places == 1 && !finding->place; place++)
		finding->place = is_place[place] ? place + 1 : 0;
	if (finding->place)
		finding->bytes = tree->merged_paths->node[finding->place - 1].bytes;
	buf_clear(&finding->held_by);
	SCOPED_BUF doubt = {0};
	bool done = frees_take(&f, analysis, finding, progress, &err)
	            && frees_search(&f, analysis, progress, &doubt);
	frees_fini(&f);
	return done && finding->frees_known;
}
