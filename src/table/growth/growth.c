/* Finds places of the table where that have grown. A place has grown if it has more or larger
   objects than the growth of its parent explains. For example, each of 400 sessions has a body: 800
   sessions with as many bodies are growth of the map that contains them, and of nothing below it.
   The size of a place does not matter: a thousand more entries of a log of a million are growth. */
#include "table/growth/growth.h"

#include "base/mem.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "table/naming/step.h"
#include "table/naming/step_class.h"
#include "table/naming/typed.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* If the parent has grown, too, small differences are chance: growth must exceed the explained
   number by a 20th, or be TIMES the explained growth. */
enum { NOTABLE = 20, TIMES = 2, LEAST = 64 /* bytes, for objects that are no container */ };
enum { SIBLINGS = 1024 /* more than the fields of any struct that is linked */ };

static const struct merged_rows *growth_tree(const struct growth *growth, size_t dump)
{
	return growth->places[dump].rows->data;
}

/* Returns the place in an earlier dump for a place of the newest; UINT32_MAX: it did not exist. */
static uint32_t growth_place(const struct growth *growth, uint32_t place, size_t dump)
{
	return dump + 1 == growth->dumps ? place : growth->before[dump][place];
}

/* ---- Counts of a place */

/* Returns true for records, such as finalizers. Each references one object, so their number is that
   of the objects. */
static bool growth_is_record(const struct growth *growth, uint32_t place)
{
	const struct merged_rows *tree = growth_tree(growth, growth->dumps - 1);
	const struct root *root = growth_root(growth, place);
	enum root_kind kind = root ? root->kind : ROOT_UNKNOWN;
	return tree->merged_paths->node[place].parent == OBJECT_NONE && kind != ROOT_FRAME
	       && kind != ROOT_DATA && kind != ROOT_BSS;
}

static const struct merge_node *growth_node_of(const struct growth *growth, uint32_t place)
{
	return &growth_tree(growth, growth->dumps - 1)->merged_paths->node[place];
}

/* Returns true if the place has maps, slices or channels, at least one not empty, with known
   lengths in each dump that has them. */
static bool growth_holds(const struct growth *growth, uint32_t place)
{
	bool any = false;
	for (size_t dump = 0; dump < growth->dumps; dump++) {
		uint32_t then = growth_place(growth, place, dump);
		if (then == UINT32_MAX)
			continue;
		if (!growth->places[dump].place[then].holds)
			return false;
		any |= growth->places[dump].place[then].count > 0;
	}
	return any;
}

static uint64_t growth_members(const struct growth *growth, uint32_t place, size_t dump)
{
	uint32_t then = growth_place(growth, place, dump);
	return then == UINT32_MAX ? 0 : growth_tree(growth, dump)->merged_paths->node[then].members;
}

static uint64_t growth_count(const struct growth *growth, uint32_t place, size_t dump)
{
	uint32_t then = growth_place(growth, place, dump);
	if (then == UINT32_MAX)
		return 0;
	const struct place *p = &growth->places[dump].place[then];
	if (growth_is_record(growth, place))
		return p->heads;
	return growth_holds(growth, place) ? p->count : growth_members(growth, place, dump);
}

static struct growth_then growth_place_then(const struct growth *growth, uint32_t place,
                                            size_t dump)
{
	uint32_t then = growth_place(growth, place, dump);
	if (then == UINT32_MAX)
		return (struct growth_then){0};
	const struct merged_rows *tree = growth_tree(growth, dump);
	const struct merge_node *node = &tree->merged_paths->node[then];
	return (struct growth_then){growth_count(growth, place, dump), tree->retained[then],
	                            node->bytes, node->own_bytes};
}

struct growth_then growth_then(const struct growth *growth, const struct growth_row *row,
                               size_t dump)
{
	struct growth_then sum = growth_place_then(growth, row->place, dump), other = {0};
	if (row->twin != UINT32_MAX)
		other = growth_place_then(growth, row->twin, dump);
	return (struct growth_then){sum.count + other.count, sum.retained + other.retained,
	                            sum.bytes + other.bytes, sum.own_bytes + other.own_bytes};
}

static const char *growth_step(const struct growth *growth, uint32_t place)
{
	return step_classes_step(growth_tree(growth, growth->dumps - 1)->step_classes,
	                         growth_node_of(growth, place)->label);
}

/* ---- Comparison */

/* Returns the number of objects or entries of the parent; 0: it did not exist. Variables and
   threads have no parent, which counts as 1. */
static uint64_t growth_holders(const struct growth *growth, uint32_t place, size_t dump)
{
	uint32_t parent = growth_node_of(growth, place)->parent;
	const char *step = growth_step(growth, place);
	bool field = *step == '.' && !strstr(step, "[*]"); /* else an element of the containers */
	if (parent == OBJECT_NONE)
		return 1;
	return field ? growth_members(growth, parent, dump) : growth_count(growth, parent, dump);
}

/* Returns the expected count: each new parent has as many as each old one, and at least one. */
static double growth_explained(double was, double held, double holds)
{
	if (holds <= held)
		return was * holds / held;
	double each = was > held && held > 0 ? was / held : 1;
	return was + (holds - held) * each;
}

/* Returns true if each parent has at most one object, which is bytes or no container. Such objects
   are replaced, so their sizes vary by chance. */
static bool growth_is_plain(const struct growth *growth, uint32_t place)
{
	size_t newest = growth->dumps - 1;
	const struct analysis *analysis = growth->places[newest].rows->analysis;
	uint32_t example = growth_node_of(growth, place)->example;
	if (growth_members(growth, place, newest) > growth_holders(growth, place, newest))
		return false;
	return (example < heap_object_count(analysis_heap(analysis))
	        && typed_code_is_bytes(analysis, typed_code(analysis, example)))
	       || !growth_holds(growth, place);
}

/* Returns true for growth while the number of parents stays the same. */
static bool growth_is_more(const struct growth *growth, uint32_t place,
                           const struct growth_then *was, const struct growth_then *now)
{
	bool plain = growth_is_plain(growth, place);
	if (now->count <= was->count && now->own_bytes <= was->own_bytes)
		return false;
	if (plain && now->bytes < was->bytes + LEAST)
		return false;
	bool several = growth_holders(growth, place, growth->dumps - 1) > 1;
	return !plain || !several || now->own_bytes > was->own_bytes + was->own_bytes / NOTABLE;
}

static bool growth_has_grown(const struct growth *growth, const struct growth_row *row)
{
	size_t newest = growth->dumps - 1;
	uint32_t place = row->place, parent = growth_node_of(growth, place)->parent;
	if (parent != OBJECT_NONE && growth_place(growth, parent, 0) == UINT32_MAX)
		return false;
	/* A place that a damaged dump lacks may be old. */
	if (growth_place(growth, place, 0) == UINT32_MAX
	    && !analysis_heap(growth->places[0].rows->analysis)->complete)
		return false;
	uint64_t held = growth_holders(growth, place, 0), holds = growth_holders(growth, place, newest);
	if (row->now.bytes < row->was.bytes)
		return false;
	if (held == holds)
		return growth_is_more(growth, place, &row->was, &row->now);
	double was = (double)row->was.count, now = (double)row->now.count;
	double explained = growth_explained(was, (double)held, (double)holds), more = now - was;
	return now > explained && more > 0
	       && (now > explained + explained / NOTABLE || more > TIMES * (explained - was));
}

/* Returns true if a sync.Pool references the place. A collection may empty a pool at any time. */
static bool growth_is_pool(const struct growth *growth, uint32_t place)
{
	const struct analysis *analysis = growth->places[growth->dumps - 1].rows->analysis;
	const struct step_classes *classes = growth_tree(growth, growth->dumps - 1)->step_classes;
	const struct root *root = growth_root(growth, place);
	if (root && root_is_pool_list(analysis_names(analysis), root))
		return true;
	for (; place != OBJECT_NONE; place = growth_node_of(growth, place)->parent)
		if (strstr(step_classes_type(classes, growth_node_of(growth, place)->label), "sync.pool"))
			return true;
	return false;
}

static bool growth_is_steady(const struct growth *growth, const struct growth_row *row)
{
	bool steady = true;
	for (size_t dump = 1; dump < growth->dumps; dump++) {
		struct growth_then was = growth_then(growth, row, dump - 1);
		struct growth_then now = growth_then(growth, row, dump);
		steady &= now.count > was.count
		          || (now.count == was.count && now.own_bytes > was.own_bytes);
	}
	return steady;
}

static int growth_most_first(const void *a, const void *b)
{
	const struct growth_row *x = a, *y = b;
	int64_t more = (int64_t)(x->now.bytes - x->was.bytes);
	int64_t than = (int64_t)(y->now.bytes - y->was.bytes);
	if (x->pool != y->pool)
		return x->pool ? 1 : -1;
	if (x->of_runtime != y->of_runtime)
		return x->of_runtime ? 1 : -1;
	if (x->steady != y->steady)
		return x->steady ? -1 : 1;
	if (more != than)
		return more > than ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* ---- The two halves of a list that is linked in both directions */

/* Returns the length of a step without ".next" or ".prev" at its end; SIZE_MAX: it has none. */
static size_t growth_before_link(const char *step)
{
	static const char *const links[] = {".next", ".prev"};
	size_t len = strlen(step);
	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		if (len >= strlen(links[i]) && strcasecmp(step + len - strlen(links[i]), links[i]) == 0)
			return len - strlen(links[i]);
	return SIZE_MAX;
}

static bool growth_are_links(const struct growth *growth, uint32_t a, uint32_t b)
{
	const struct step_classes *classes = growth_tree(growth, growth->dumps - 1)->step_classes;
	const char *x = growth_step(growth, a), *y = growth_step(growth, b);
	size_t len = growth_before_link(x);
	return len != SIZE_MAX && len == growth_before_link(y) && memcmp(x, y, len) == 0
	       && strcmp(step_classes_type(classes, growth_node_of(growth, a)->label),
	                 step_classes_type(classes, growth_node_of(growth, b)->label))
	              == 0;
}

/* Returns the place with the other half of a list. Shortest paths to the elements of a list that is
   linked in both directions begin at either end. UINT32_MAX: there is none. */
static uint32_t growth_twin(const struct growth *growth, uint32_t place)
{
	uint32_t parent = growth_node_of(growth, place)->parent;
	if (parent == OBJECT_NONE || growth_before_link(growth_step(growth, place)) == SIZE_MAX)
		return UINT32_MAX;
	const struct merge_node *above = growth_node_of(growth, parent);
	if (above->below > SIBLINGS)
		return UINT32_MAX;
	for (uint32_t other = above->first; other < above->first + above->below; other++)
		if (other != place && growth_are_links(growth, place, other))
			return other;
	return UINT32_MAX;
}

static void growth_find(struct growth *growth)
{
	size_t places = growth_tree(growth, growth->dumps - 1)->merged_paths->count;
	for (uint32_t place = 0; place < places; place++) {
		struct growth_row row = {.place = place, .twin = growth_twin(growth, place)};
		row.was = growth_then(growth, &row, 0);
		row.now = growth_then(growth, &row, growth->dumps - 1);
		if (row.twin < place || !growth_has_grown(growth, &row))
			continue;
		row.steady = growth_is_steady(growth, &row);
		row.pool = growth_is_pool(growth, place);
		row.of_runtime = growth_is_of_runtime(growth, place);
		MEM_PUSH(growth->row, growth->count, growth->capacity, row);
	}
	if (growth->count)
		qsort(growth->row, growth->count, sizeof *growth->row, growth_most_first);
}

/* Returns true if what was alive is known of each earlier dump. */
static bool growth_is_known(const struct analysis *analysis, size_t older, struct err *err)
{
	for (size_t i = 0; i < older; i++)
		if (!series_knows_reach(series_older(analysis, i), NULL)) {
			err_set(err, "Growth is known only between dumps with roots, and %.200s has none",
			        analysis_path(series_older(analysis, i)));
			if (err)
				err->absent = true;
			return false;
		}
	return true;
}

struct growth *growth_new(const struct analysis *analysis, struct progress *progress,
                          struct err *err)
{
	const struct series *series = analysis_series(analysis);
	if (!growth_is_known(analysis, series->count, err))
		return NULL;
	struct growth *growth = mem_alloc(sizeof *growth);
	growth->places = mem_alloc((series->count + 1) * sizeof *growth->places);
	growth->before = mem_alloc((series->count + 1) * sizeof *growth->before);
	for (; growth->dumps <= series->count; growth->dumps++)
		if (!places_open(&growth->places[growth->dumps],
		                 growth->dumps < series->count ? series_older(analysis, growth->dumps)
		                                               : analysis,
		                 progress, err)) {
			places_close(&growth->places[growth->dumps]);
			growth_free(growth);
			return NULL;
		}
	for (size_t dump = 0; dump < series->count; dump++)
		growth->before[dump] =
			places_before(growth->places[series->count].rows, growth->places[dump].rows);
	growth_find(growth);
	return growth;
}

void growth_free(struct growth *growth)
{
	if (!growth)
		return;
	for (size_t dump = 0; dump < growth->dumps; dump++) {
		places_close(&growth->places[dump]);
		free(growth->before[dump]);
	}
	free(growth->places);
	free(growth->before);
	free(growth->row);
	free(growth);
}

/* ---- Names */

static void growth_add_steps(const struct merged_rows *tree, uint32_t place, struct buf *out)
{
	const struct merge_node *node = tree->merged_paths->node;
	SCOPED_FREE uint32_t *steps = mem_alloc((node[place].depth + (size_t)1) * sizeof *steps);
	size_t count = 0;
	for (; place != OBJECT_NONE; place = node[place].parent)
		steps[count++] = place;
	while (count-- > 0)
		buf_add(out, step_classes_step(tree->step_classes, node[steps[count]].label));
}

static void growth_add_place(const struct growth *growth, const struct growth_row *row,
                             struct buf *out)
{
	const struct places *newest = &growth->places[growth->dumps - 1];
	const struct merged_rows *tree = newest->rows->data;
	const struct merge_node *node = &tree->merged_paths->node[row->place];
	const struct analysis *analysis = newest->rows->analysis;
	if (newest->place[row->place].heads > 1) {
		growth_add_steps(tree, row->place, out);
		if (growth_is_record(growth, row->place))
			buf_addf(out, "s of %s", step_classes_type(tree->step_classes, node->label));
		return;
	}
	struct paths *paths =
		paths_open(analysis_heap(analysis), analysis_reach(analysis), node->example);
	step_add_path(analysis, paths_get(paths, 0, NULL), out);
	paths_close(paths);
}

void growth_add_name(const struct growth *growth, const struct growth_row *row, struct buf *out)
{
	size_t before = out->len;
	growth_add_place(growth, row, out);
	size_t whole = growth_before_link(buf_text(out) + before);
	if (row->twin != UINT32_MAX && whole != SIZE_MAX)
		out->data[out->len = before + whole] = '\0';
}
