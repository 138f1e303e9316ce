#include "table/waste/slack.h"

#include "base/map.h"
#include "base/mem.h"
#include "table/naming/step.h"
#include "table/owners/node.h"

#include <stdlib.h>

enum { STEPS_NAMED = 64 };

struct slack_search {
	const struct analysis *analysis;
	struct slack *slack;
	struct map places; /* node and type -> place */
};

static bool slack_has_room(const struct collection *item)
{
	return item->has_waste && item->waste > 0 && item->object != OBJECT_NONE;
}

static struct slack_place *slack_add_place(struct slack *slack, struct slack_place place)
{
	slack->place = mem_grow(slack->place, slack->count, &slack->capacity, sizeof *slack->place);
	slack->place[slack->count] = place;
	return &slack->place[slack->count++];
}

/* ---- Slices, maps, channels */

static void slack_add_item(struct slack_search *s, size_t index)
{
	struct slack *slack = s->slack;
	const struct collection *item = &slack->found.item[index];
	uint32_t node = slack->merged_paths->node_of[item->object];
	uint64_t key = (uint64_t)node << 32 | item->type, at = slack->count;
	if (node == OBJECT_NONE)
		return;
	if (!map_get(&s->places, key, &at)) {
		map_put(&s->places, key, at);
		slack_add_place(slack,
		                (struct slack_place){.kind = item->kind, .node = node, .counted = true});
	}
	struct slack_place *place = &slack->place[at];
	if (!place->count || item->waste > slack->found.item[place->item].waste) {
		place->example = item->object;
		place->item = index;
	}
	place->count++;
	place->length += item->length;
	place->capacity += item->capacity;
	place->wasted += item->waste;
}

/* Merges the paths to all items into one tree. False: cancelled. */
static bool slack_merge(struct slack_search *s, struct progress *progress)
{
	struct slack *slack = s->slack;
	struct merge_labels labels = step_classes_labels(slack->step_classes);
	uint32_t *ids = mem_alloc((slack->found.count + 1) * sizeof *ids);
	size_t count = 0;
	for (size_t i = 0; i < slack->found.count; i++)
		if (slack_has_room(&slack->found.item[i]))
			ids[count++] = slack->found.item[i].object;
	slack->merged_paths = merge_paths(analysis_reach(s->analysis), ids, count, &labels, progress);
	free(ids);
	for (size_t i = 0; slack->merged_paths && i < slack->found.count; i++)
		if (slack_has_room(&slack->found.item[i]))
			slack_add_item(s, i);
	map_free(&s->places);
	return slack->merged_paths != NULL;
}

/* ---- Pools */

/* Adds the pools with the bytes that only the pool retains, without its own array. */
static void slack_add_pools(struct slack_search *s)
{
	const struct sync_pools *pools = &analysis_root_nodes(s->analysis)->pools;
	for (uint32_t i = 0; i < pools->count; i++) {
		uint32_t id = pools->object[i];
		uint64_t own = heap_size(analysis_heap(s->analysis), id), bytes = 0;
		if (!node_retained(s->analysis, id, &bytes) || bytes <= own)
			continue;
		slack_add_place(s->slack, (struct slack_place){
									  .kind = SLACK_POOL,
									  .node = OBJECT_NONE,
									  .example = id,
									  .count = 1,
									  .wasted = bytes - own,
								  });
	}
}

/* ---- Public functions */

struct slack *slack_new(const struct analysis *analysis, struct progress *progress)
{
	struct slack *slack = mem_alloc(sizeof *slack);
	struct slack_search s = {.analysis = analysis, .slack = slack};
	slack->step_classes = step_classes_new(analysis);
	if (!collections_find(&slack->found, analysis, (1U << COLLECTION_KINDS) - 1, progress)
	    || !slack_merge(&s, progress)) {
		slack_free(slack);
		return NULL;
	}
	slack_add_pools(&s);
	for (size_t i = 0; i < slack->count; i++)
		slack->wasted += slack->place[i].wasted;
	return slack;
}

void slack_free(struct slack *slack)
{
	if (!slack)
		return;
	collections_fini(&slack->found);
	merged_paths_free(slack->merged_paths);
	step_classes_free(slack->step_classes);
	free(slack->place);
	free(slack);
}

void slack_add_name(const struct slack *slack, const struct analysis *analysis,
                    const struct slack_place *place, struct buf *out)
{
	if (place->count > 1) {
		/* Of a deep place only the last steps are named. */
		uint32_t node = place->node;
		uint32_t steps[STEPS_NAMED], count = 0;
		for (; node != OBJECT_NONE && count < STEPS_NAMED;
		     node = slack->merged_paths->node[node].parent)
			steps[count++] = slack->merged_paths->node[node].label;
		if (node != OBJECT_NONE)
			buf_add(out, "… ");
		while (count > 0)
			buf_add(out, step_classes_step(slack->step_classes, steps[--count]));
	} else
		step_add_object(analysis, place->example, out);
}
