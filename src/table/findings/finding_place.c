/* What a finding about a place of the tree of shortest paths says of it. */
#include "table/findings/finding.h"

#include "heap/heap.h"
#include "table/paths/path_tree.h"

#include <inttypes.h>
#include <stdlib.h>

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
	size_t places;
	buf_addf(&finding->expression, "at=%s", buf_text(&finding->name));
	free(path_tree_find_places(tree, buf_text(&finding->name), false, &places));
	if (places > 1)
		buf_addf(&finding->expression, " type=%s",
		         step_classes_type(tree->step_classes, node->label));
	buf_addf(&finding->link, "objects %s", buf_text(&finding->expression));
}
