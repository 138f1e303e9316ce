#include "ui/path_browser.h"

#include "base/mem.h"
#include "base/text.h"
#include "table/tables/path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	QUICK_OBJECTS = 1 << 20
}; /* up to this number of objects, the next path is searched in advance */

/* A search: its parameters and its result. */
struct path_browser_search {
	struct path_browser *browser;
	void (*work)(struct path_browser_search *search, struct progress *progress);
	size_t number;
	struct path_segment segment;
	size_t alternative;
	struct path found;                      /* no steps: nothing found */
	struct path_dominators path_dominators; /* of `found`, if dominators are known */
	struct path_steps steps;
	bool typed;
	size_t known, alike;
	bool exhausted, cancelled;
};

void path_browser_init(struct path_browser *browser, const struct analysis *analysis,
                       uint32_t object)
{
	*browser = (struct path_browser){.analysis = analysis, .object = object};
	browser->kinds = path_kinds_open(analysis, object);
}

void path_browser_drop(struct path_browser *browser)
{
	struct path_browser_search *search = browser->search;
	browser->search = NULL;
	if (!search)
		return;
	path_segment_fini(&search->segment);
	path_dominators_fini(&search->path_dominators);
	path_steps_fini(&search->steps);
	free(search->found.step);
	free(search);
}

void path_browser_fini(struct path_browser *browser)
{
	path_browser_drop(browser);
	path_dominators_fini(&browser->path_dominators);
	path_steps_fini(&browser->steps);
	free(browser->path.step);
	path_kinds_close(browser->kinds);
}

bool path_browser_has_dominators(const struct path_browser *browser)
{
	return browser->path_dominators.count > 0;
}

/* Lists the steps that have a row. */
static void path_browser_list_steps(const struct analysis *analysis, const struct path *path,
                                    const struct path_dominators *dominators,
                                    struct path_steps *steps)
{
	path_steps_init(steps, analysis, path);
	path_steps_fold(steps, analysis, path, dominators);
}

void path_browser_refresh(struct path_browser *browser)
{
	if (browser->path.count && !path_browser_has_dominators(browser) && !browser->search)
		path_rows_dominators(browser->analysis, &browser->path, &browser->path_dominators);
	bool typed = analysis_typing(browser->analysis);
	bool dominated = path_browser_has_dominators(browser);
	if (browser->path.count && (typed != browser->typed || dominated != browser->dominated)) {
		path_steps_fini(&browser->steps);
		path_browser_list_steps(browser->analysis, &browser->path, &browser->path_dominators,
		                        &browser->steps);
		browser->typed = typed;
		browser->dominated = dominated;
	}
}

/* ---- Searching */

void path_browser_run(struct path_browser *browser, struct progress *progress)
{
	struct path_browser_search *search = browser->search;
	progress_begin(progress, "looking for another path", 0);
	search->work(search, progress);
	search->cancelled = !progress_step(progress, 0);
	if (!search->found.count)
		return;
	search->typed = analysis_typing(browser->analysis) != NULL;
	path_rows_dominators(browser->analysis, &search->found, &search->path_dominators);
	path_browser_list_steps(browser->analysis, &search->found, &search->path_dominators,
	                        &search->steps);
}

static struct path_browser_search *path_browser_begin(struct path_browser *browser,
                                                      void (*work)(struct path_browser_search *,
                                                                   struct progress *))
{
	path_browser_drop(browser);
	struct path_browser_search *search = browser->search = mem_alloc(sizeof *search);
	search->browser = browser;
	search->work = work;
	return search;
}

/* Searches the path with a number, and one more, to know whether there is one. */
static void path_browser_do_find(struct path_browser_search *search, struct progress *progress)
{
	struct path_kinds *kinds = search->browser->kinds;
	size_t number = search->number;
	if (!path_kinds_get(kinds, number, progress)) {
		search->exhausted = path_kinds_exhausted(kinds);
		return;
	}
	bool quick = heap_object_count(analysis_heap(search->browser->analysis)) <= QUICK_OBJECTS;
	search->known = number + 1 + (quick && path_kinds_get(kinds, number + 1, progress));
	search->exhausted = path_kinds_exhausted(kinds);
	const struct path *path = path_kinds_get(kinds, number, NULL);
	search->found = *path;
	search->found.step = mem_alloc(path->count * sizeof *path->step);
	memcpy(search->found.step, path->step, path->count * sizeof *path->step);
	search->alike = path_kinds_alike(kinds, number);
}

void path_browser_find(struct path_browser *browser, size_t number)
{
	struct path_browser_search *search = path_browser_begin(browser, path_browser_do_find);
	search->number = number;
}

/* Searches an alternative of a segment. Uses its own dominators, because the screen is drawn from
   the browser's meanwhile. */
static void path_browser_do_turn(struct path_browser_search *search, struct progress *progress)
{
	struct path_browser *browser = search->browser;
	struct path_dominators path_dominators;
	path_dominators_init(&path_dominators, browser->path_dominators.dominators,
	                     browser->path_dominators.reach, &browser->path);
	path_segment_take(&search->segment, &path_dominators, &browser->path, search->alternative,
	                  progress, &search->found);
	path_dominators_fini(&path_dominators);
}

static bool must_have_path_dominators(const struct path_browser *browser, struct err *err)
{
	return path_browser_has_dominators(browser)
	       || err_set(err, "Other paths are known once dominators are");
}

/* Finds the first segment with alternatives that begins at one of the steps of a row. False: there
   is none; *segment is then the segment of the row's step. */
static bool path_browser_fork(struct path_browser *browser, size_t number,
                              struct path_segment *segment)
{
	size_t last = browser->steps.at[number];
	for (size_t step = path_steps_first(&browser->steps, number); step <= last; step++) {
		if (step && !path_dominators_at(&browser->path_dominators, step - 1))
			continue;
		path_segment_init(segment, &browser->path_dominators, &browser->path, step);
		if (segment->count > 1)
			return true;
		path_segment_fini(segment);
	}
	path_segment_init(segment, &browser->path_dominators, &browser->path, last);
	return false;
}

bool path_browser_turn(struct path_browser *browser, size_t number, int by, struct err *err)
{
	if (!must_have_path_dominators(browser, err))
		return false;
	struct path_browser_search *search = path_browser_begin(browser, path_browser_do_turn);
	path_browser_fork(browser, number, &search->segment);
	size_t count = search->segment.count;
	if (count == 1) {
		path_browser_drop(browser);
		return err_set(err, "This segment has one path only: the marked steps before and after it "
		                    "are on every path");
	}
	search->alternative = (search->segment.current + count + (size_t)by) % count;
	return true;
}

/* Searches the disjoint path that is not shown. */
static void path_browser_do_part(struct path_browser_search *search, struct progress *progress)
{
	struct path_browser *browser = search->browser;
	struct path_dominators path_dominators;
	struct disjoint_paths disjoint;
	path_dominators_init(&path_dominators, browser->path_dominators.dominators,
	                     browser->path_dominators.reach, &browser->path);
	if (disjoint_paths_find(&path_dominators, &browser->path, progress, &disjoint)) {
		const struct path *one = &disjoint.path[0], *shown = &browser->path;
		const uint32_t *node = path_dominators.dominators->root_nodes->of_root;
		/* All words of one variable count as the same root. */
		bool second = node[one->root] == node[shown->root] && one->count == shown->count
		              && memcmp(one->step, shown->step, one->count * sizeof *one->step) == 0;
		search->found = disjoint.path[second];
		disjoint.path[second].step = NULL;
		disjoint_paths_fini(&disjoint);
	}
	path_dominators_fini(&path_dominators);
}

bool path_browser_part(struct path_browser *browser, struct err *err)
{
	if (!must_have_path_dominators(browser, err))
		return false;
	path_browser_begin(browser, path_browser_do_part);
	return true;
}

/* ---- Results */

static bool say_none(const struct path_browser_search *search, struct err *err)
{
	uint64_t address =
		heap_address(analysis_heap(search->browser->analysis), search->browser->object);
	if (search->work == path_browser_do_part)
		return err_set(err, "There is only one path to 0x%" PRIx64, address);
	if (search->number && search->exhausted)
		return err_set(err,
		               "There is no path of another kind: by another variable, function or field");
	return err_set(err, "No other path was found; the search is limited, there may be some");
}

static void path_browser_take(struct path_browser *browser, struct path_browser_search *search,
                              size_t *first)
{
	const struct path *a = &browser->path, *b = &search->found;
	size_t at = 0;
	*first = 0; /* the first row whose step differs */
	while (a->root == b->root && at < a->count && at < b->count && a->step[at] == b->step[at])
		at++;
	while (a->root == b->root && *first < search->steps.count && search->steps.at[*first] < at)
		++*first;
	path_dominators_fini(&browser->path_dominators);
	path_steps_fini(&browser->steps);
	free(browser->path.step);
	browser->path = search->found;
	browser->path_dominators = search->path_dominators;
	browser->steps = search->steps;
	browser->typed = search->typed;
	browser->dominated = path_browser_has_dominators(browser);
	search->found.step = NULL;
	search->path_dominators = (struct path_dominators){0};
	search->steps = (struct path_steps){0};
	if (search->work == path_browser_do_find) {
		browser->kind = PATH_BROWSER_NUMBERED;
		browser->number = search->number;
		browser->known = search->known > browser->known ? search->known : browser->known;
		browser->exhausted = search->exhausted;
		browser->alike = search->alike;
	} else {
		browser->kind = search->work == path_browser_do_turn ? PATH_BROWSER_TURNED
		                                                     : PATH_BROWSER_DISJOINT;
	}
}

bool path_browser_end(struct path_browser *browser, size_t *first, struct err *err)
{
	struct path_browser_search *search = browser->search;
	if (!search)
		return false;
	bool found = search->found.count;
	if (found)
		path_browser_take(browser, search, first);
	else if (!search->cancelled)
		say_none(search, err);
	path_browser_drop(browser);
	path_browser_refresh(browser);
	return found;
}

void path_browser_add_title(const struct path_browser *browser, struct buf *out)
{
	if (browser->kind == PATH_BROWSER_DISJOINT)
		buf_add(out, "one of the two paths that differ most");
	else
		buf_addf(out, "%spath %zu of %zu%s",
		         browser->kind == PATH_BROWSER_TURNED ? "variant of " : "", browser->number + 1,
		         browser->known, browser->exhausted ? "" : "+");
	if (browser->kind == PATH_BROWSER_NUMBERED && browser->alike > 1) {
		buf_addf(out, ", %s%s alike", text_count(browser->alike).text,
		         browser->exhausted ? "" : "+");
	}
}

bool path_browser_forks(struct path_browser *browser, size_t number, struct buf *out)
{
	if (!path_browser_has_dominators(browser))
		return false;
	struct path_segment segment;
	bool forks = path_browser_fork(browser, number, &segment);
	if (forks) {
		buf_addf(out, "%s of %s%s paths: < >", text_count(segment.current + 1).text,
		         text_count(segment.count).text, segment.limited ? "+" : "");
	}
	path_segment_fini(&segment);
	return forks;
}
