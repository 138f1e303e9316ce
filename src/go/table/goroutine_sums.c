#include "go/table/goroutine_sums.h"

#include "analysis/owners.h"
#include "base/mem.h"
#include "heap/heap.h"

#include <stdlib.h>

static const struct owners *known_owners(const struct rows *rows)
{
	const struct analysis *analysis = rows->analysis;
	if (!analysis_retained(analysis) || !analysis_has_roots(analysis))
		return NULL;
	return rows->progress ? analysis_owners(analysis, analysis_retain(analysis), rows->progress)
	                      : analysis_owners_made(analysis, analysis_retain(analysis));
}

static void sum_waits(struct goroutine_sums *sums, const struct owners *owners,
                      const uint32_t *class_of)
{
	const struct dominators *d = owners->dominators;
	const struct heap *heap = d->root_nodes->heap;
	for (uint32_t g = 0; g < heap->thread_count; g++) {
		uint32_t node = root_nodes_node(d->root_nodes, d->root_nodes->of_thread[g]);
		uint64_t waited;
		if (thread_waited(heap, &heap->threads[g], &waited))
			sums->byte_seconds[class_of[g]] +=
				(uint64_t)((double)dominators_bytes(d, node) * ((double)waited / 1e9));
	}
}

void goroutine_sums_init(struct goroutine_sums *sums, const struct rows *rows,
                         const uint32_t *class_of, uint32_t classes)
{
	goroutine_sums_by(sums, rows->analysis, known_owners(rows), class_of, classes);
}

void goroutine_sums_by(struct goroutine_sums *sums, const struct analysis *analysis,
                       const struct owners *owners, const uint32_t *class_of, uint32_t classes)
{
	*sums = (struct goroutine_sums){0};
	const struct heap *heap = analysis_heap(analysis);
	sums->stack = mem_alloc(classes * sizeof *sums->stack);
	for (uint32_t g = 0; g < heap->thread_count; g++)
		sums->stack[class_of[g]] += heap_thread_stack(heap, g).bytes;
	if (!owners)
		return;
	SCOPED_FREE uint32_t *owner_class = mem_alloc(owners->count * sizeof *owner_class);
	for (uint32_t o = 0; o < owners->count; o++) {
		const struct root_node *root_node =
			&analysis_root_nodes(analysis)->root_node[owners->owner[o].root_node];
		bool is_goroutine = root_node->kind == ROOT_NODE_THREAD;
		owner_class[o] = is_goroutine ? class_of[root_node->index] : UINT32_MAX;
	}
	sums->sum = mem_alloc(classes * sizeof *sums->sum);
	sums->byte_seconds = mem_alloc(classes * sizeof *sums->byte_seconds);
	owners_sum(owners, owner_class, sums->sum);
	sum_waits(sums, owners, class_of);
}

void goroutine_sums_fini(struct goroutine_sums *sums)
{
	free(sums->stack);
	free(sums->sum);
	free(sums->byte_seconds);
}

static const struct goroutine_sums *sums_of(const struct rows *rows)
{
	return rows->data;
}

bool sums_unknown(const struct rows *rows)
{
	return !sums_of(rows)->sum;
}

void sums_stack_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_number(value, VALUE_BYTES, sums_of(rows)->stack[row]);
}

void sums_own_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct goroutine_sums *sums = sums_of(rows);
	if (sums->sum)
		cell_number(value, VALUE_BYTES, sums->stack[row] + sums->sum[row].bytes);
}

void sums_sum_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (sums_of(rows)->sum)
		cell_field(rows, &sums_of(rows)->sum[row], value);
}

void sums_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (sums_of(rows)->sum)
		cell_share(value, sums_of(rows)->sum[row].bytes, analysis_reach(rows->analysis)->bytes);
}

void sums_byte_seconds_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (sums_of(rows)->sum)
		cell_number(value, VALUE_COUNT, sums_of(rows)->byte_seconds[row]);
}
