#include "analysis/dom_graph.h"

#include "base/bits.h"
#include "base/mem.h"
#include "heap/heap.h"

#include <stdlib.h>

enum { AHEAD_ROW = 24 };

/* Marks the objects that records do not reference: those without references, unless a root node
   points at them, because only referrers are considered for the others. */
static void dom_records_find_excluded(struct dom_records *r, const struct dom_graph *g)
{
	const struct root_nodes *h = g->root_nodes;
	for (uint32_t id = 0; id < g->objects; id++)
		if (!edges_of(r->edges, id).count)
			word_bit_set(r->excluded, id);
	for (uint32_t i = 0; i < h->row[h->count]; i++)
		word_bit_clear(r->excluded, h->target[i]);
}

/* Writes a record. Its end stays unused if some of the objects that it references take no part. */
static void dom_records_fill(struct dom_records *r, uint32_t object, uint32_t edges)
{
	const uint32_t *to = r->edges.to;
	uint32_t first = starts_at(r->edges.starts, object),
			 end = starts_at(r->edges.starts, object + 1);
	uint32_t at = first + object, next = at + 1;
	for (uint32_t e = first; e < end; e++) {
		if (e + (uint64_t)AHEAD_ROW < edges)
			starts_prefetch(r->edges.starts, to[e + AHEAD_ROW]);
		r->word[next] = dom_record_at(r, to[e]);
		next += !word_bit_is_set(r->excluded, to[e]);
	}
	r->word[at] = DOM_RECORD_FRESH | (next - at - 1);
}

bool dom_records_fit(const struct heap *heap)
{
	if (heap->edge_count + heap_object_count(heap) >= UINT32_MAX)
		return false;
	if (heap->edge_count < INT32_MAX - 1)
		return true;
	for (uint32_t id = 0; id < heap_object_count(heap); id++)
		if (heap_references(heap, id).count >= INT32_MAX - 1)
			return false;
	return true;
}

void dom_records_init(struct dom_records *records, const struct dom_graph *graph)
{
	uint32_t edges = starts_at(graph->references.starts, graph->objects);
	records->edges = graph->references;
	records->size = ((size_t)edges + graph->nodes) * sizeof *records->word;
	records->word = mem_column(records->size);
	records->excluded = mem_alloc((graph->objects / 64 + 1) * sizeof *records->excluded);
	if (!graph->members && !graph->page) /* dom_leaves looks at all referrers */
		dom_records_find_excluded(records, graph);
	for (uint32_t id = 0; id < graph->objects; id++)
		if (word_bit_is_set(records->excluded, id))
			records->word[dom_record_at(records, id)] = DOM_RECORD_ALONE;
		else
			dom_records_fill(records, id, edges);
}

void dom_records_hold(struct dom_records *records, const struct dom_graph *graph, bool held)
{
	for (uint32_t i = 0; i < graph->root_nodes->pools.count; i++) {
		uint32_t object = dom_graph_at(graph, graph->root_nodes->pools.object[i]);
		if (held)
			records->word[dom_record_at(records, object)] = DOM_RECORD_HELD;
		else
			dom_records_fill(records, object, 0);
	}
}

/* Works in place: the record of an object never lies before its number. */
void dom_records_number(struct dom_records *records, struct dom_graph *graph)
{
	uint32_t *number = records->word;
	for (uint32_t id = 0; id < graph->objects; id++) {
		uint32_t word = records->word[dom_record_at(records, id)];
		if (word >= DOM_RECORD_FRESH)
			word = (uint32_t)(word == DOM_RECORD_ALONE ? DOM_ALONE : DOM_FRESH);
		number[id] = word;
	}
	for (uint32_t node = graph->objects; node < graph->nodes; node++)
		number[node] = graph->number[node];
	mem_column_free(graph->number, graph->column);
	graph->number = mem_column_cut(number, graph->column, records->size);
	records->word = NULL;
}

void dom_records_fini(struct dom_records *records)
{
	mem_column_recycle(records->word, records->size);
	free(records->excluded);
}
