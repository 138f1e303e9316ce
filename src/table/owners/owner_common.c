#include "table/owners/owner_common.h"

#include "heap/heap.h"

enum { OBJECTS = 256 }; /* most objects on a path, with the parts of maps */

struct owner_common {
	uint32_t object[OBJECTS]; /* from the top down */
	size_t count;
	bool any; /* nodes have been seen */
};

/* Takes the path of a node, as far as it is below `above`. */
static void owner_common_take(struct owner_common *common, const struct analysis *analysis,
                              uint32_t above, uint32_t node)
{
	const struct reach *reach = analysis_reach(analysis);
	uint32_t objects = heap_object_count(reach->heap), at = node, path[OBJECTS];
	size_t count = 0, equal = 0;
	for (; at < objects && at != above && count < OBJECTS; at = reach_before(reach, at))
		path[count++] = at;
	if (at < objects && at != above)
		count = 0; /* it is too long */
	while (common->any && equal < common->count && equal < count
	       && common->object[equal] == path[count - 1 - equal])
		equal++;
	for (size_t i = 0; !common->any && i < count; i++)
		common->object[i] = path[count - 1 - i];
	common->count = common->any ? equal : count;
	common->any = true;
}

uint32_t owner_common_of(const struct analysis *analysis, uint32_t above, struct ids nodes)
{
	struct owner_common common = {.count = 0};
	for (size_t i = 0; i < nodes.count && (common.count || !i); i++)
		owner_common_take(&common, analysis, above, nodes.id[i]);
	return common.count ? common.object[common.count - 1] : OBJECT_NONE;
}
