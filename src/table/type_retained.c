/* What the objects of each type retain together: part of table/typed.h. */
#include "table/typed.h"

#include "analysis/retained_of_class.h"
#include "base/map.h"
#include "base/mem.h"
#include "table/entity.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 14 };

static int compare_name(const void *name, const void *group)
{
	return strcmp(name, ((const struct type_group *)group)->name);
}

static uint32_t group_named(const struct type_groups *groups, const char *name)
{
	const struct type_group *found =
		bsearch(name, groups->group, groups->count, sizeof *groups->group, compare_name);
	return found ? (uint32_t)(found - groups->group) : UINT32_MAX;
}

/* By the type; of the objects without one there is one group. */
static uint32_t find_group(const struct type_groups *groups, const struct analysis *analysis,
                           uint32_t object)
{
	struct buf name = {0};
	if (typed_add_part(analysis, object, &name)) {
		buf_clear(&name);
		entity_add_alike(analysis, entity_of_node(analysis, object), &name);
	} else {
		buf_add(&name, "(not known)");
	}
	uint32_t group = group_named(groups, buf_text(&name));
	buf_free(&name);
	return group;
}

static bool classify(const struct type_groups *groups, const struct analysis *analysis,
                     uint32_t *class_of, struct progress *progress)
{
	struct map known = {0};
	bool more = true;
	uint32_t objects = heap_object_count(analysis_heap(analysis));
	progress_begin(progress, "looking at types", objects);
	for (uint32_t id = 0; id < objects && more; id++) {
		uint64_t key = entity_key(analysis, entity_of_node(analysis, id)), group;
		if (!map_get(&known, key, &group)) {
			group = find_group(groups, analysis, id);
			map_put(&known, key, group);
		}
		class_of[id] = (uint32_t)group;
		more = id % STEP || progress_step(progress, id);
	}
	map_free(&known);
	return more;
}

bool type_groups_retain(struct type_groups *groups, const struct analysis *analysis,
                        struct progress *progress)
{
	size_t size = heap_object_count(analysis_heap(analysis)) * sizeof(uint32_t);
	uint32_t *class_of = mem_column(size);
	uint64_t *bytes = mem_alloc(groups->count * sizeof *bytes);
	bool done = classify(groups, analysis, class_of, progress)
	            && retained_of_class_sum(analysis_retained(analysis), class_of,
	                                     (uint32_t)groups->count, bytes, progress);
	for (size_t i = 0; i < groups->count && done; i++)
		groups->group[i].retained = bytes[i];
	mem_column_free(class_of, size);
	free(bytes);
	return done;
}
