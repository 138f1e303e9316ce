/* Partial sorting by a buffer of twice the requested rows: full, it is sorted, and the half with
   the larger keys is dropped. */
#include "table/sort_first.h"

#include "base/bound.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- By texts */

static int sort_first_compare(const struct sort_first_texts *first, const char *a, const char *b)
{
	int order = strcmp(a, b);
	return first->descending ? (order < 0) - (order > 0) : order;
}

static int sort_first_by_text(const void *a, const void *b, void *self)
{
	const struct sort_first_texts *first = self;
	const struct sort_first_text *x = a, *y = b;
	int order = sort_first_compare(first, first->text.data + x->start, first->text.data + y->start);
	return order ? order : x->row < y->row ? -1 : x->row > y->row;
}

static void sort_first_cut_texts(struct sort_first_texts *first)
{
	if (first->count)
		qsort_r(first->item, first->count, sizeof *first->item, sort_first_by_text, first);
	if (first->count < first->limit)
		return;
	first->count = first->limit;
	first->full = true;
	first->below = first->item[first->limit - 1].start;
}

bool sort_first_add_text(struct sort_first_texts *first, const char *text, uint32_t row)
{
	if (first->full && sort_first_compare(first, text, first->text.data + first->below) >= 0)
		return false;
	MEM_PUSH(first->item, first->count, first->capacity,
	         ((struct sort_first_text){first->text.len, row}));
	buf_add_bytes(&first->text, text, strlen(text) + 1);
	if (first->count == 2 * first->limit)
		sort_first_cut_texts(first);
	return true;
}

void sort_first_end_texts(struct sort_first_texts *first, uint32_t *row)
{
	sort_first_cut_texts(first);
	for (size_t i = 0; i < first->count; i++)
		row[i] = first->item[i].row;
	free(first->item);
	buf_free(&first->text);
}
