/* A holder is a place of the table where. What is in it has grown when it has more things, and more
   than what is above it explains: each of 400 sessions has a body, so that 800 sessions with as
   many bodies are growth of the map that they are in, and of nothing below it. */
#include "table/growth.h"

#include "base/mem.h"
#include "table/step.h"
#include "table/step_class.h"

#include <stdlib.h>
#include <string.h>

enum { NOTABLE = 20 }; /* below other places a 20th more than explained is growth */

static const struct merged_rows *growth_tree(const struct growth *growth, size_t dump)
{
	return growth->places[dump].rows->data;
}

/* The place of the newest dump in one of them; UINT32_MAX: it was not there. */
static uint32_t growth_place(const struct growth *growth, uint32_t place, size_t dump)
{
	return dump + 1 == growth->dumps ? place : growth->before[dump][place];
}

/* ---- What a place has */

/* The kind of root that a place begins at. */
static enum root_kind growth_root_kind(const struct growth *growth, uint32_t place)
{
	const struct merged_rows *tree = growth_tree(growth, growth->dumps - 1);
	const struct merge_node *node = tree->merged_paths->node;
	const struct reach *reach = analysis_reach(growth->places[growth->dumps - 1].rows->analysis);
	while (node[place].parent != OBJECT_NONE)
		place = node[place].parent;
	uint32_t objects = heap_object_count(reach->heap), at = node[place].example;
	while (at < objects)
		at = reach_before(reach, at);
	return at == OBJECT_NONE ? ROOT_UNKNOWN : reach->heap->roots[at - objects].kind;
}

static bool is_variable(enum root_kind kind)
{
	return kind == ROOT_DATA || kind == ROOT_BSS;
}

/* Records, such as those of finalizers, are as many as they lead to. */
static bool growth_is_record(const struct growth *growth, uint32_t place)
{
	const struct merged_rows *tree = growth_tree(growth, growth->dumps - 1);
	enum root_kind kind = growth_root_kind(growth, place);
	return tree->merged_paths->node[place].parent == OBJECT_NONE && kind != ROOT_FRAME
	       && !is_variable(kind);
}

static uint64_t growth_count(const struct growth *growth, uint32_t place, size_t dump)
{
	uint32_t then = growth_place(growth, place, dump);
	if (then == UINT32_MAX)
		return 0;
	const struct place *p = &growth->places[dump].place[then];
	return growth_is_record(growth, place) ? p->heads : p->count;
}

struct growth_then growth_then(const struct growth *growth, const struct growth_row *row,
                               size_t dump)
{
	uint32_t then = growth_place(growth, row->place, dump);
	if (then == UINT32_MAX)
		return (struct growth_then){0};
	return (struct growth_then){growth_count(growth, row->place, dump),
	                            growth_tree(growth, dump)->retained[then]};
}

/* ---- Which have grown */

/* How many there were, and are, of what holds the things of a place. Nothing: it was not there. */
static uint64_t growth_holders(const struct growth *growth, uint32_t place, size_t dump)
{
	const struct merged_rows *tree = growth_tree(growth, growth->dumps - 1);
	uint32_t parent = tree->merged_paths->node[place].parent;
	uint32_t then = growth_place(growth, place, dump);
	if (parent != OBJECT_NONE)
		return growth_count(growth, parent, dump);
	if (growth_root_kind(growth, place) != ROOT_FRAME)
		return 1;
	return then == UINT32_MAX ? 0 : growth->places[dump].place[then].heads;
}

/* Is it a map, a slice, a channel, a list or tree, or what records lead to? All of these are there
   while nothing is in them; of others one cannot tell. */
static bool growth_is_holder(const struct growth *growth, uint32_t place)
{
	if (!analysis_heap(growth->places[0].rows->analysis)->complete)
		return false; /* what is not in a part of a dump may have been there */
	const struct place *p = &growth->places[growth->dumps - 1].place[place];
	return p->holds || p->count > p->heads || growth_is_record(growth, place);
}

static bool growth_has_grown(const struct growth *growth, uint32_t place)
{
	size_t newest = growth->dumps - 1;
	uint64_t was = growth_count(growth, place, 0), now = growth_count(growth, place, newest);
	uint64_t held = growth_holders(growth, place, 0), holds = growth_holders(growth, place, newest);
	if (now <= was || !held || (!was && !growth_is_holder(growth, place)))
		return false;
	if (growth_tree(growth, newest)->merged_paths->node[place].parent == OBJECT_NONE
	    && holds == held)
		return true;
	double explained = (double)was * (double)holds / (double)held;
	return (double)now > explained + explained / NOTABLE;
}

static bool growth_is_steady(const struct growth *growth, uint32_t place)
{
	bool steady = true;
	for (size_t dump = 1; dump < growth->dumps; dump++)
		steady &= growth_count(growth, place, dump) > growth_count(growth, place, dump - 1);
	return steady;
}

static int64_t growth_bytes(const struct growth *growth, const struct growth_row *row)
{
	return (int64_t)(growth_then(growth, row, growth->dumps - 1).retained
	                 - growth_then(growth, row, 0).retained);
}

static int growth_most_first(const void *a, const void *b, void *self)
{
	const struct growth *growth = self;
	const struct growth_row *x = a, *y = b;
	int64_t more = growth_bytes(growth, x), than = growth_bytes(growth, y);
	if (x->steady != y->steady)
		return x->steady ? -1 : 1;
	if (more != than)
		return more > than ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static void growth_find(struct growth *growth)
{
	size_t places = growth_tree(growth, growth->dumps - 1)->merged_paths->count;
	for (uint32_t place = 0; place < places; place++) {
		if (!growth_has_grown(growth, place))
			continue;
		growth->row = mem_grow(growth->row, growth->count, &growth->capacity, sizeof *growth->row);
		growth->row[growth->count++] = (struct growth_row){place, growth_is_steady(growth, place)};
	}
	if (growth->count)
		qsort_r(growth->row, growth->count, sizeof *growth->row, growth_most_first, growth);
}

struct growth *growth_new(const struct analysis *analysis, struct progress *progress,
                          struct err *err)
{
	const struct series *series = analysis_series(analysis);
	struct growth *growth = mem_alloc(sizeof *growth);
	growth->places = mem_alloc((series->count + 1) * sizeof *growth->places);
	growth->before = mem_alloc((series->count + 1) * sizeof *growth->before);
	for (; growth->dumps <= series->count; growth->dumps++)
		if (!places_open(&growth->places[growth->dumps],
		                 growth->dumps < series->count ? series->older[growth->dumps] : analysis,
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

/* ---- What it is called */

static void growth_add_steps(const struct merged_rows *tree, uint32_t place, struct buf *out)
{
	const struct merge_node *node = tree->merged_paths->node;
	uint32_t *way = mem_alloc((node[place].depth + (size_t)1) * sizeof *way);
	size_t count = 0;
	for (; place != OBJECT_NONE; place = node[place].parent)
		way[count++] = place;
	while (count-- > 0)
		buf_add(out, step_classes_step(tree->step_classes, node[way[count]].label));
	free(way);
}

void growth_add_name(const struct growth *growth, const struct growth_row *row, struct buf *out)
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
