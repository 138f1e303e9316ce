#include "ui/route.h"

#include "analysis/apart.h"
#include "analysis/job.h"
#include "analysis/stretch.h"
#include "base/mem.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { QUICK_OBJECTS = 1 << 20 }; /* up to here the next way is looked for beforehand */

/* What a search is for, and what it has found. Of the job until that has ended. */
struct route_search {
	struct route *route;
	struct job *job;
	void (*work)(struct route_search *search, struct progress *progress);
	size_t number;
	struct stretch stretch;
	size_t way;
	struct path found;  /* no steps: nothing */
	struct gates gates; /* of it, where dominators are known */
	size_t known;
	bool exhausted;
};

static struct path copy(const struct path *path)
{
	struct path copied = *path;
	copied.step = mem_alloc(path->count * sizeof *path->step);
	memcpy(copied.step, path->step, path->count * sizeof *path->step);
	return copied;
}

void route_init(struct route *route, const struct analysis *analysis, uint32_t object)
{
	*route = (struct route){.analysis = analysis, .object = object};
	route->paths = paths_open(analysis->heap, analysis->reach, object);
}

static void search_free(struct route_search *search)
{
	if (!search)
		return;
	job_end(search->job);
	stretch_fini(&search->stretch);
	gates_fini(&search->gates);
	free(search->found.step);
	free(search);
}

void route_fini(struct route *route)
{
	search_free(route->search);
	gates_fini(&route->gates);
	free(route->path.step);
	paths_close(route->paths);
}

static bool has_gates(const struct route *route)
{
	return route->gates.count > 0;
}

void route_refresh(struct route *route)
{
	const struct dominators *dominators = analysis_dominators_of(route->analysis, route->object);
	if (dominators && route->path.count && !has_gates(route) && !route->search)
		gates_init(&route->gates, dominators, route->analysis->reach, &route->path);
}

/* ---- Searching */

static void run(void *arg, struct progress *progress)
{
	struct route_search *search = arg;
	const struct analysis *analysis = search->route->analysis;
	const struct dominators *dominators = analysis_dominators_of(analysis, search->route->object);
	search->work(search, progress);
	if (search->found.count && dominators)
		gates_init(&search->gates, dominators, analysis->reach, &search->found);
}

static struct route_search *begin(struct route *route,
                                  void (*work)(struct route_search *, struct progress *))
{
	search_free(route->search);
	struct route_search *search = route->search = mem_alloc(sizeof *search);
	search->route = route;
	search->work = work;
	return search;
}

static void start(struct route_search *search)
{
	search->job = job_start(run, search);
}

/* One further than asked for, to say whether there is more. */
static void find(struct route_search *search, struct progress *progress)
{
	struct paths *paths = search->route->paths;
	size_t number = search->number;
	progress_begin(progress, "looking for another way", 0);
	if (!paths_get(paths, number, progress)) {
		search->exhausted = paths_exhausted(paths);
		return;
	}
	bool quick = heap_object_count(search->route->analysis->heap) <= QUICK_OBJECTS;
	search->known = number + 1 + (quick && paths_get(paths, number + 1, progress));
	search->exhausted = paths_exhausted(paths);
	search->found = copy(paths_get(paths, number, progress));
}

void route_find(struct route *route, size_t number)
{
	struct route_search *search = begin(route, find);
	search->number = number;
	start(search);
}

/* With gates of its own: those of the route are drawn from meanwhile. */
static void turn(struct route_search *search, struct progress *progress)
{
	struct route *route = search->route;
	struct gates gates;
	gates_init(&gates, route->gates.dominators, route->gates.reach, &route->path);
	stretch_take(&search->stretch, &gates, &route->path, search->way, progress, &search->found);
	gates_fini(&gates);
}

static bool must_have_gates(const struct route *route, struct err *err)
{
	return has_gates(route) ||
	       err_set(err, "Which ways there are besides is known when dominators are");
}

bool route_turn(struct route *route, size_t step, int by, struct err *err)
{
	if (!must_have_gates(route, err))
		return false;
	struct route_search *search = begin(route, turn);
	stretch_init(&search->stretch, &route->gates, &route->path, step);
	size_t ways = search->stretch.ways;
	if (ways == 1) {
		search_free(search);
		route->search = NULL;
		return err_set(err, "This stretch has one way only: the marked steps before and after it "
		                    "are on every way");
	}
	search->way = (search->stretch.way + ways + (size_t)by) % ways;
	start(search);
	return true;
}

/* Words of one variable are the same root. */
static bool is_same(const struct anchors *anchors, const struct path *a, const struct path *b)
{
	return anchors->of_root[a->root] == anchors->of_root[b->root] && a->count == b->count &&
	       memcmp(a->step, b->step, a->count * sizeof *a->step) == 0;
}

/* The one of the two that is not shown yet. */
static void part(struct route_search *search, struct progress *progress)
{
	struct route *route = search->route;
	struct gates gates;
	struct apart apart;
	gates_init(&gates, route->gates.dominators, route->gates.reach, &route->path);
	if (apart_find(&gates, &route->path, progress, &apart)) {
		bool second = is_same(gates.dominators->anchors, &apart.path[0], &route->path);
		search->found = apart.path[second];
		apart.path[second].step = NULL;
		apart_fini(&apart);
	}
	gates_fini(&gates);
}

bool route_part(struct route *route, struct err *err)
{
	if (!must_have_gates(route, err))
		return false;
	start(begin(route, part));
	return true;
}

bool route_wait(struct route *route, int milliseconds)
{
	return !route->search || job_wait(route->search->job, milliseconds);
}

void route_progress(const struct route *route, struct buf *out)
{
	if (route->search)
		job_tell(route->search->job, "looking for another way", out);
}

/* ---- What has been found */

static bool say_none(const struct route_search *search, struct err *err)
{
	uint64_t address = heap_address(search->route->analysis->heap, search->route->object);
	if (search->work == part)
		return err_set(err, "There is a single way to 0x%" PRIx64, address);
	if (search->number && search->exhausted)
		return err_set(err, "There is no other way that differs by its root or by its last holder");
	return err_set(err, "No other way was found; the search is bounded, there may be some");
}

static size_t first_difference(const struct path *a, const struct path *b)
{
	size_t at = 0;
	if (a->root != b->root)
		return 0;
	while (at < a->count && at < b->count && a->step[at] == b->step[at])
		at++;
	return at;
}

static void take(struct route *route, struct route_search *search, size_t *first)
{
	*first = first_difference(&route->path, &search->found);
	gates_fini(&route->gates);
	free(route->path.step);
	route->path = search->found;
	route->gates = search->gates;
	search->found.step = NULL;
	search->gates = (struct gates){0};
	if (search->work == find) {
		route->kind = ROUTE_NUMBERED;
		route->number = search->number;
		route->known = search->known > route->known ? search->known : route->known;
		route->exhausted = search->exhausted;
	} else {
		route->kind = search->work == turn ? ROUTE_TURNED : ROUTE_APART;
	}
}

bool route_end(struct route *route, size_t *first, struct err *err)
{
	struct route_search *search = route->search;
	if (!search)
		return false;
	bool ended = job_wait(search->job, 0), found = ended && search->found.count;
	if (found)
		take(route, search, first);
	else if (ended)
		say_none(search, err);
	search_free(search);
	route->search = NULL;
	route_refresh(route);
	return found;
}

void route_add_title(const struct route *route, struct buf *out)
{
	if (route->kind == ROUTE_APART)
		buf_add(out, "one of the two ways that differ most");
	else
		buf_addf(out, "%sway %zu of %zu%s", route->kind == ROUTE_TURNED ? "turned off " : "",
		         route->number + 1, route->known, route->exhausted ? "" : "+");
}

bool route_forks(struct route *route, size_t step, struct buf *out)
{
	if (!has_gates(route) || (step && !gates_at(&route->gates, step - 1)))
		return false;
	struct stretch stretch;
	stretch_init(&stretch, &route->gates, &route->path, step);
	bool forks = stretch.ways > 1;
	if (forks) {
		text_add_count(out, stretch.way + 1);
		buf_add(out, " of ");
		text_add_count(out, stretch.ways);
		buf_addf(out, "%s ways: < >", stretch.limited ? "+" : "");
	}
	stretch_fini(&stretch);
	return forks;
}
