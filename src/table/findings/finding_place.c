/* What a finding about a place of the tree of shortest paths says of it. */
#include "table/findings/finding.h"

#include "base/mem.h"
#include "heap/heap.h"
#include "table/paths/path_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OTHERS = 8 }; /* so many are left out at most */

/* Leaves out of the set of a place what stands at others of its name: those of other types, and of
   the same one in the entries that have places of their own, `main.inputs["blue"][*]`. */
static void finding_place_leave_others(struct finding *finding, const struct path_tree *tree,
                                       uint32_t place)
{
	const struct merge_node *node = tree->merged_paths->node;
	const char *type = step_classes_type(tree->step_classes, node[place].label);
	SCOPED_BUF other = {0};
	size_t places, left = 0;
	SCOPED_FREE bool *is_one =
		path_tree_find_places(tree, buf_text(&finding->name), false, &places);
	if (places > 1)
		buf_addf(&finding->expression, " type=%s", type);
	for (uint32_t at = 0; places > 1 && left < OTHERS && at < tree->merged_paths->count; at++) {
		if (!is_one[at] || at == place
		    || strcmp(step_classes_type(tree->step_classes, node[at].label), type) != 0)
			continue;
		buf_clear(&other);
		path_exact_add(tree, at, &other);
		if (strcmp(buf_text(&other), buf_text(&finding->name)) == 0)
			continue; /* nothing tells it from this one */
		buf_addf(&finding->expression, " minus at=%s", buf_text(&other));
		left++;
	}
}

void finding_place_take(struct finding *finding, const struct analysis *analysis,
                        const struct path_tree *tree, uint32_t place)
{
	const struct merge_node *node = &tree->merged_paths->node[place];
	uint64_t address = heap_address(analysis_heap(analysis), node->example);
	finding->place = place + 1;
	path_exact_add(tree, place, &finding->name);
	if (node->members == 1 && address) {
		buf_addf(&finding->expression, "object=0x%" PRIx64, address);
		buf_addf(&finding->link, "object 0x%" PRIx64, address);
		return;
	}
	buf_addf(&finding->expression, "at=%s", buf_text(&finding->name));
	finding_place_leave_others(finding, tree, place);
	buf_addf(&finding->link, "objects %s", buf_text(&finding->expression));
}
