#include "analysis/dominators.h"

#include "analysis/dom_graph.h"
#include "base/mem.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

bool retain_parse(const char *name, bool has_weak, enum retain *retain)
{
	bool all = strcmp(name, "all") == 0, strong = strcmp(name, "strong") == 0;
	if (has_weak)
		*retain = all ? RETAIN_WEAK : RETAIN_ALIVE;
	else
		*retain = all ? RETAIN_ALIVE : RETAIN_STRONGEST;
	return all || strong;
}

bool dom_graph_search(struct dom_graph *graph, uint64_t edges, struct progress *progress)
{
	graph->column = graph->nodes * sizeof(uint32_t);
	graph->number = mem_column_most(graph->column);
	graph->parent = mem_column_most(graph->column);
	graph->page = root_has_page(graph->root_nodes->heap);
	dom_edges_init(&graph->edges, edges);
	if (!dom_dfs(graph, progress))
		return false;
	dom_edges_sort(graph);
	return dom_semi_nca(graph, progress);
}

void dom_graph_fini(struct dom_graph *graph)
{
	dom_edges_fini(&graph->edges);
	mem_column_recycle(graph->number, graph->column);
	mem_column_recycle_part(graph->parent, dom_numbers_size(graph), graph->column);
	mem_column_recycle(graph->dominator, dom_numbers_size(graph));
	mem_column_recycle(graph->jump, graph->jump_size);
	dom_edges_drop(graph);
}

static bool dominators_too_many(const struct root_nodes *root_nodes, struct err *err)
{
	const struct heap *heap = root_nodes->heap;
	if ((uint64_t)heap_object_count(heap) + root_nodes->count < DOM_RECORD_FRESH - 2
	    && heap->edge_count + root_nodes->row[root_nodes->count] < UINT32_MAX
	    && dom_records_fit(heap))
		return false;
	err_set(err, "The dump has more objects, roots or pointers than goheapx can number");
	return true;
}

struct dominators *dominators_new(const struct root_nodes *root_nodes, enum retain retain,
                                  struct progress *progress, struct err *err)
{
	const struct heap *heap = root_nodes->heap;
	struct dom_graph graph = {.root_nodes = root_nodes,
	                          .retain = retain,
	                          .objects = heap_object_count(heap),
	                          .references = heap_edges(heap)};
	struct dominators *out = NULL;
	if (dominators_too_many(root_nodes, err))
		return NULL;
	graph.nodes = graph.objects + root_nodes->count;
	if (dom_graph_search(&graph, heap->edge_count + root_nodes->row[root_nodes->count], progress)) {
		out = mem_alloc(sizeof *out);
		*out = (struct dominators){.root_nodes = root_nodes,
		                           .retain = retain,
		                           .nodes = graph.nodes,
		                           .root = graph.objects};
		dom_leaves(&graph);
		dom_retained(&graph, out);
	}
	dom_graph_fini(&graph);
	return out;
}

void dominators_free(struct dominators *dominators)
{
	if (!dominators)
		return;
	dom_tree_drop(dominators);
	dom_difference_fini(dominators);
	free(dominators);
}

static int dominators_most_first(const void *a, const void *b, void *dominators)
{
	const struct dominators *d = dominators;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint64_t x_bytes = dominators_bytes(d, x), y_bytes = dominators_bytes(d, y);
	if (x_bytes != y_bytes)
		return x_bytes > y_bytes ? -1 : 1;
	return x < y ? -1 : x > y;
}

uint32_t *dominators_children(const struct dominators *dominators, uint32_t node, size_t *count)
{
	uint32_t *children = NULL;
	size_t capacity = 0;
	*count = 0;
	for (uint32_t n = 0; n < dominators->nodes; n++) {
		if (dominators_above(dominators, n) != node)
			continue;
		MEM_PUSH(children, *count, capacity, n);
	}
	if (*count)
		qsort_r(children, *count, sizeof *children, dominators_most_first,
		        (void *)(uintptr_t)dominators);
	return children;
}

/* ---- Index sections */

struct index_io dominators_section(const struct index_io *io, const char *name, enum retain retain)
{
	static const char *const kinds[RETAIN_COUNT] = {"alive", "strongest", "weak"};
	const struct index_io below = index_io_below(io, name);
	return index_io_below(&below, kinds[retain]);
}

bool dominators_index(struct dominators *d, const struct index_io *io)
{
	const struct index_io own = dominators_section(io, "trees", d->retain);
	return d->like ? dom_difference_index(d, &own)
	               : INDEX_COLUMN(&own, "idom", d->idom, d->nodes) && dom_sums_index(d, &own);
}

struct dominators *dominators_load(const struct root_nodes *root_nodes, enum retain retain,
                                   const struct dominators *like, const struct index_io *io)
{
	struct dominators *d = mem_alloc(sizeof *d);
	*d = (struct dominators){.root_nodes = root_nodes,
	                         .retain = retain,
	                         .nodes = heap_object_count(root_nodes->heap) + root_nodes->count,
	                         .root = root_nodes_node(root_nodes, 0),
	                         .like = like};
	bool done = dominators_index(d, io);
	if (!done && like) {
		d->like = NULL;
		done = dominators_index(d, io);
	}
	if (done)
		return d;
	dominators_free(d);
	return NULL;
}

uint32_t dominators_topmost(const struct dominators *d, uint32_t node)
{
	while (!dominators_is_topmost(d, node))
		node = dominators_above(d, node);
	return node;
}
