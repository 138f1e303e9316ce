#include "main/export/stacks.h"

#include "base/mem.h"
#include "table/naming/entity.h"
#include "table/naming/step_class.h"

#include <stdlib.h>
#include <string.h>

/* ---- Names of root nodes */

/* Labels along dominators: steps have the same labels as along paths. */
struct stack_labels {
	const struct analysis *analysis;
	struct step_classes *step_classes;
	struct merge_labels paths;
	uint32_t last;    /* 1 + the root node of `names`; 0: none */
	struct buf names; /* a line each */
};

static void stacks_add_root_node(const struct analysis *analysis, uint32_t root_node,
                                 struct buf *out)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	const struct root_node *is = &root_nodes->root_node[root_node];
	struct entity entity = {ENTITY_ROOT_NODE, root_node, 0};
	if (is->kind == ROOT_NODE_CLASS || is->kind == ROOT_NODE_GLOBAL)
		entity_add_name(analysis, entity, out);
	else if (is->kind == ROOT_NODE_FRAME || is->kind == ROOT_NODE_SLOT)
		entity_add_label(analysis, entity, out);
	else
		entity_add_alike(analysis, entity, out);
	buf_add_char(out, '\n');
}

/* Collects the names of a root node and its ancestors. */
static void stacks_name_root(struct stack_labels *labels, uint32_t root_node)
{
	const struct root_node *all = analysis_root_nodes(labels->analysis)->root_node;
	enum { LEVELS = 8 }; /* an upper bound; there are five */
	uint32_t above[LEVELS];
	size_t count = 0;
	buf_clear(&labels->names);
	labels->last = root_node + 1;
	if (root_node == 0)
		buf_add(&labels->names, "shared by several\n");
	for (; root_node && count < LEVELS; root_node = all[root_node].parent)
		above[count++] = root_node;
	while (count)
		stacks_add_root_node(labels->analysis, above[--count], &labels->names);
}

static uint32_t stacks_label_root(void *self, uint32_t root_node, uint32_t to)
{
	struct stack_labels *labels = self;
	if (labels->last != root_node + 1)
		stacks_name_root(labels, root_node);
	return step_classes_of(labels->step_classes, buf_text(&labels->names), to);
}

static uint32_t stacks_label_step(void *self, uint32_t from, uint64_t offset, uint32_t to)
{
	const struct stack_labels *labels = self;
	return labels->paths.step(labels->paths.self, from, offset, to);
}

/* ---- Sums */

/* Adds up sums. Nodes come after their parents, so sums of nodes that are too deep move up level by
   level. */
static void stacks_sum(struct stacks *stacks, const struct heap *heap)
{
	const struct merged_paths *merged = stacks->merged;
	struct stack_sum all = {heap_object_count(heap), objects_bytes(heap_objects(heap))};
	stacks->sum = mem_alloc(merged->count * sizeof *stacks->sum);
	for (size_t i = 0; i < merged->count; i++) {
		const struct merge_node *node = &merged->node[i];
		stacks->sum[i] = (struct stack_sum){node->here, node->own_bytes};
		all.objects -= node->here;
		all.bytes -= node->own_bytes;
	}
	for (size_t i = merged->count; i-- > 0;) {
		const struct merge_node *node = &merged->node[i];
		if (node->depth < STACK_MOST)
			continue;
		stacks->sum[node->parent].objects += stacks->sum[i].objects;
		stacks->sum[node->parent].bytes += stacks->sum[i].bytes;
		stacks->sum[i] = (struct stack_sum){0};
	}
	stacks->unreachable = all;
}

bool stacks_by_dominators(struct stacks *stacks, const struct analysis *analysis, struct err *err)
{
	const struct dominators *dominators = analysis_retained(analysis);
	struct step_classes *step_classes = step_classes_new(analysis);
	struct stack_labels labels = {.analysis = analysis,
	                              .step_classes = step_classes,
	                              .paths = step_classes_labels(step_classes)};
	const struct merge_labels merge = {&labels, stacks_label_root, stacks_label_step, NULL, NULL};
	*stacks = (struct stacks){.step_classes = step_classes};
	size_t size = dominators->nodes * sizeof(uint32_t);
	uint32_t *above = mem_column(size);
	for (uint32_t node = 0; node < dominators->nodes; node++)
		above[node] = dominators_above(dominators, node);
	stacks->merged = merge_tree(analysis_heap(analysis), above, &merge, NULL);
	mem_column_free(above, size);
	buf_free(&labels.names);
	if (!stacks->merged)
		return err_set(err, "Merging the dominators was cancelled");
	stacks_sum(stacks, analysis_heap(analysis));
	return true;
}

bool stacks_by_paths(struct stacks *stacks, const struct analysis *analysis, struct err *err)
{
	const struct heap *heap = analysis_heap(analysis);
	*stacks = (struct stacks){.step_classes = step_classes_new(analysis)};
	struct merge_labels labels = step_classes_labels(stacks->step_classes);
	stacks->merged =
		merge_paths(analysis_reach(analysis), NULL, heap_object_count(heap), &labels, NULL);
	if (!stacks->merged)
		return err_set(err, "Merging the paths was cancelled");
	stacks_sum(stacks, heap);
	return true;
}

void stacks_fini(struct stacks *stacks)
{
	merged_paths_free(stacks->merged);
	step_classes_free(stacks->step_classes);
	free(stacks->sum);
}

/* ---- Results */

void stacks_add_names(const struct stacks *stacks, size_t node, struct buf *out)
{
	uint32_t label = stacks->merged->node[node].label;
	const char *step = step_classes_step(stacks->step_classes, label);
	const char *type = step_classes_type(stacks->step_classes, label);
	size_t len = strlen(step);
	buf_add(out, step);
	if (len && *type && step[len - 1] != '\n')
		buf_add_char(out, ' ');
	buf_add(out, *type || len ? type : "?");
	if (*type || !len || step[len - 1] != '\n')
		buf_add_char(out, '\n');
}

size_t stacks_walk(const struct stacks *stacks, size_t node, uint32_t nodes[STACK_MOST])
{
	const struct merge_node *all = stacks->merged->node;
	size_t count = 0;
	if (all[node].depth >= STACK_MOST)
		return 0;
	for (uint32_t at = (uint32_t)node; at != OBJECT_NONE; at = all[at].parent)
		nodes[count++] = at;
	return count;
}
