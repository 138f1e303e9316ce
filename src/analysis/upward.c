#include "analysis/upward.h"

uint32_t upward_anchor(const struct dominators *dominators, uint32_t node)
{
	const struct anchors *anchors = dominators->anchors;
	uint32_t parent = anchors->anchor[anchors_of_node(anchors, node)].parent;
	if (anchors->anchor[parent].kind == ANCHOR_STRENGTH)
		return dominators->root;
	return anchors_node(anchors, parent);
}

void upward_start(struct upward *upward, const struct dominators *dominators,
                  const struct reach *reach, uint32_t node)
{
	*upward = (struct upward){.dominators = dominators, .self = node, .last = OBJECT_NONE};
	if (node >= heap_object_count(dominators->anchors->heap))
		return;
	upward->objects = heap_referrers(dominators->anchors->heap, node);
	upward->roots = reach_roots_of(reach, node);
}

static uint32_t take(struct ids *ids)
{
	ids->count--;
	return *ids->id++;
}

static bool next_anchor(struct upward *upward, uint32_t *node)
{
	const struct dominators *d = upward->dominators;
	bool first = upward->last == OBJECT_NONE;
	if (upward->self < heap_object_count(d->anchors->heap) || upward->self == d->root || !first)
		return false;
	*node = upward->last = upward_anchor(d, upward->self);
	return true;
}

bool upward_next(struct upward *upward, uint32_t *node)
{
	const struct dominators *d = upward->dominators;
	while (upward->objects.count) {
		uint32_t id = take(&upward->objects);
		if (id == upward->last || id == upward->self || !dominators_has(d, id))
			continue;
		*node = upward->last = id;
		return true;
	}
	while (upward->roots.count) {
		uint32_t anchor = anchors_node(d->anchors, d->anchors->of_root[take(&upward->roots)]);
		if (anchor == upward->last || !dominators_has(d, anchor))
			continue;
		*node = upward->last = anchor;
		return true;
	}
	return next_anchor(upward, node);
}
