#include "table/waste/slack.h"

#include "analysis/kept.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/plugin.h"
#include "table/naming/step.h"
#include "table/naming/step_class.h"
#include "table/owners/node.h"

#include <stdlib.h>

enum { STEPS_NAMED = 64 };

/* The places of collections, with their paths as one tree. */
struct slack_places {
	struct slack_steps steps;
	struct slack_place *place;
	size_t count, capacity;
};

struct slack_search {
	const struct analysis *analysis;
	struct slack_places *places;
	struct collections found;
	struct merged_paths *merged_paths;
	struct map place_of; /* step and type -> place */
	struct map most;     /* place -> its largest unused capacity */
};

/* ---- Steps */

struct merged_paths *slack_steps_merge(struct slack_steps *steps, const struct analysis *analysis,
                                       const uint32_t *object, size_t count,
                                       struct progress *progress)
{
	struct merge_labels labels = step_classes_labels(steps->step_classes);
	struct merged_paths *paths =
		merge_paths(analysis_reach(analysis), object, count, &labels, progress);
	if (!paths)
		return NULL;
	steps->step = mem_alloc((paths->count + 1) * sizeof *steps->step);
	steps->count = paths->count;
	for (size_t i = 0; i < paths->count; i++)
		steps->step[i] = (struct slack_step){paths->node[i].parent, paths->node[i].label};
	return paths;
}

void slack_steps_add_name(const struct slack_steps *steps, uint32_t step, struct buf *out)
{
	uint32_t label[STEPS_NAMED], count = 0;
	for (; step != OBJECT_NONE && count < STEPS_NAMED; step = steps->step[step].parent)
		label[count++] = steps->step[step].label;
	if (step != OBJECT_NONE)
		buf_add(out, "… ");
	while (count > 0)
		buf_add(out, step_classes_step(steps->step_classes, label[--count]));
}

void slack_steps_fini(struct slack_steps *steps)
{
	step_classes_free(steps->step_classes);
	free(steps->step);
}

/* ---- Slices, maps, channels */

static bool slack_has_room(void *self, const struct collection *item)
{
	(void)self;
	return item->has_waste && item->waste > 0 && item->object != OBJECT_NONE;
}

static void slack_add_item(struct slack_search *s, const struct collection *item)
{
	struct slack_places *places = s->places;
	uint32_t step = merged_paths_node(s->merged_paths, item->object);
	uint64_t key = (uint64_t)step << 32 | item->type, at = places->count, most = 0;
	if (step == OBJECT_NONE)
		return;
	if (!map_get(&s->place_of, key, &at)) {
		map_put(&s->place_of, key, at);
		MEM_PUSH(
			places->place, places->count, places->capacity,
			((struct slack_place){
				.kind = (uint8_t)item->kind, .step = step, .type = item->type, .counted = true}));
	}
	struct slack_place *place = &places->place[at];
	if (!map_get(&s->most, at, &most) || item->waste > most) {
		map_put(&s->most, at, item->waste);
		place->example = item->object;
		place->has_length = item->has_length;
	}
	place->count++;
	place->length += item->length;
	place->capacity += item->capacity;
	place->wasted += item->waste;
}

/* Merges the paths to all items into one tree. False: cancelled. */
static bool slack_merge(struct slack_search *s, struct progress *progress)
{
	const struct collections *found = &s->found;
	uint32_t *ids = mem_alloc((found->count + 1) * sizeof *ids);
	size_t count = 0;
	for (size_t i = 0; i < found->count; i++)
		ids[count++] = found->item[i].object;
	s->merged_paths = slack_steps_merge(&s->places->steps, s->analysis, ids, count, progress);
	free(ids);
	if (!s->merged_paths)
		return false;
	for (size_t i = 0; i < found->count; i++)
		slack_add_item(s, &found->item[i]);
	merged_paths_free(s->merged_paths);
	return true;
}

static void slack_places_free(void *made)
{
	struct slack_places *places = made;
	slack_steps_fini(&places->steps);
	free(places->place);
	free(places);
}

static void *slack_places_empty(const struct analysis *analysis, enum retain retain)
{
	struct slack_places *places = mem_alloc(sizeof *places);
	(void)retain;
	places->steps.step_classes = step_classes_new(analysis);
	return places;
}

static void *slack_places_make(const struct analysis *analysis, enum retain retain,
                               struct progress *progress)
{
	struct slack_search s = {.analysis = analysis, .places = slack_places_empty(analysis, retain)};
	bool done =
		collections_find(&s.found, analysis, COLLECTIONS_ALL, slack_has_room, NULL, progress)
		&& slack_merge(&s, progress);
	collections_fini(&s.found);
	map_free(&s.place_of);
	map_free(&s.most);
	if (done)
		return s.places;
	slack_places_free(s.places);
	return NULL;
}

static bool slack_places_index(void *made, const struct index_io *io)
{
	struct slack_places *places = made;
	return INDEX_ARRAY(io, "place", places->place, places->count)
	       && INDEX_ARRAY(io, "step", places->steps.step, places->steps.count)
	       && step_classes_index(places->steps.step_classes, io);
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, slack_kept) = {
	.name = "slack",
	.needs = STAGE_TYPED | STAGE_REACHED,
	.make = slack_places_make,
	.free = slack_places_free,
	.empty = slack_places_empty,
	.index = slack_places_index,
};

/* ---- Pools */

/* Adds the pools with the bytes that only the pool retains, without its own array. */
static void slack_add_pools(struct slack *slack, const struct analysis *analysis)
{
	const struct sync_pools *pools = &analysis_root_nodes(analysis)->pools;
	for (uint32_t i = 0; i < pools->count; i++) {
		uint32_t id = pools->object[i];
		uint64_t own = heap_size(analysis_heap(analysis), id), bytes = 0;
		if (!node_retained(analysis, id, &bytes) || bytes <= own)
			continue;
		MEM_PUSH(slack->place, slack->count, slack->capacity,
		         ((struct slack_place){.kind = SLACK_POOL,
		                               .step = OBJECT_NONE,
		                               .example = id,
		                               .count = 1,
		                               .wasted = bytes - own}));
	}
}

/* ---- Public functions */

struct slack *slack_new(const struct analysis *analysis, struct progress *progress)
{
	const struct slack_places *places =
		analysis_kept(analysis, &slack_kept, RETAIN_ALIVE, progress);
	if (!places)
		return NULL;
	struct slack *slack = mem_alloc(sizeof *slack);
	slack->places = places;
	for (size_t i = 0; i < places->count; i++)
		MEM_PUSH(slack->place, slack->count, slack->capacity, places->place[i]);
	slack_add_pools(slack, analysis);
	for (size_t i = 0; i < slack->count; i++)
		slack->wasted += slack->place[i].wasted;
	return slack;
}

void slack_free(struct slack *slack)
{
	if (!slack)
		return;
	free(slack->place);
	free(slack);
}

void slack_add_name(const struct slack *slack, const struct analysis *analysis,
                    const struct slack_place *place, struct buf *out)
{
	if (place->count > 1)
		slack_steps_add_name(&slack->places->steps, place->step, out);
	else
		step_add_object(analysis, place->example, out);
}
