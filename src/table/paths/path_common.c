#include "table/paths/path_common.h"

#include "base/mem.h"
#include "table/contents/object_set.h"
#include "table/naming/operand.h"
#include "table/paths/path_tree.h"

bool path_common_find(const struct analysis *analysis, const uint32_t *objects, size_t count,
                      struct progress *progress, struct path_common *common)
{
	struct path_tree *tree = path_tree_new(analysis, objects, count, progress);
	const struct merge_node *best = NULL;
	*common = (struct path_common){.example = OBJECT_NONE};
	if (!tree)
		return false;
	for (size_t i = 0; i < tree->merged_paths->count; i++) {
		const struct merge_node *node = &tree->merged_paths->node[i];
		if (node->here && (!best || node->here > best->here))
			best = node;
	}
	if (best) {
		common->example = best->example;
		common->objects = best->here;
		path_exact_add(tree, (uint32_t)(best - tree->merged_paths->node), &common->name);
	}
	path_tree_free(tree);
	return true;
}

bool path_common_named(const struct analysis *analysis, const char *text, struct path_named *named,
                       struct err *err)
{
	SCOPED_BUF set = {0};
	struct operand operand;
	struct path_common common;
	*named = (struct path_named){.object = OBJECT_NONE};
	if (!object_set_named(analysis, text, &operand, &set, err))
		return false;
	if (!set.len)
		return operand_object(analysis, &operand, &named->object, err);
	SCOPED_FREE uint32_t *ids =
		object_set_ids(analysis, buf_text(&set), true, NULL, &named->count, err);
	if (!ids)
		return false;
	path_common_find(analysis, ids, named->count, NULL, &common);
	named->alike = common.objects;
	named->object = common.example == OBJECT_NONE ? *ids : common.example;
	buf_free(&common.name);
	return true;
}
