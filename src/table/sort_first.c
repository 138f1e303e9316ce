/* Partial sorting by a buffer of twice the requested rows: full, it is sorted, and the half with
   the larger keys is dropped. */
#include "table/sort_first.h"

#include "base/bound.h"
#include "base/mem.h"

#include <stdlib.h>

ORDER_BY_TWO(sort_first_by_key, struct sort_first_row, key, row);

static void sort_first_cut(struct sort_first *first)
{
	if (first->count)
		qsort(first->item, first->count, sizeof *first->item, sort_first_by_key);
	if (first->count < first->limit)
		return;
	first->count = first->limit;
	first->below = first->item[first->limit - 1].key;
}

void sort_first_add(struct sort_first *first, uint64_t key, uint32_t row)
{
	if (first->count >= first->limit && key >= first->below)
		return;
	MEM_PUSH(first->item, first->count, first->capacity, ((struct sort_first_row){key, row}));
	if (first->count == 2 * first->limit)
		sort_first_cut(first);
}

void sort_first_end(struct sort_first *first, uint32_t *row)
{
	sort_first_cut(first);
	for (size_t i = 0; i < first->count; i++)
		row[i] = first->item[i].row;
	free(first->item);
}
