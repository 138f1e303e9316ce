/* How many goroutines do what. */
#include "ui/tally.h"

#include <stdlib.h>

static struct tally_row *find_row(struct tally *tally, const struct goroutine_record *record)
{
	for (size_t i = 0; i < tally->count; i++)
		if (tally->row[i].status == record->status &&
		    text_equal(tally->row[i].reason, record->wait_reason))
			return &tally->row[i];
	if (tally->count == TALLY_ROWS)
		return NULL;
	struct tally_row *row = &tally->row[tally->count++];
	*row = (struct tally_row){.status = record->status, .reason = record->wait_reason};
	return row;
}

static int most_first(const void *a, const void *b)
{
	const struct tally_row *x = a, *y = b;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return x->status < y->status ? -1 : x->status > y->status;
}

void tally_goroutines(struct tally *tally, const struct groups *groups, const struct heap *heap)
{
	*tally = (struct tally){0};
	for (uint32_t i = 0; i < groups->count; i++) {
		const struct group *group = &groups->group[i];
		const struct goroutine *first = &heap->goroutines[groups->members[group->first]];
		struct tally_row *row = find_row(tally, &first->record);
		*(row ? &row->count : &tally->others) += group->count;
	}
	qsort(tally->row, tally->count, sizeof *tally->row, most_first);
}

void tally_name(const struct tally_row *row, struct buf *out)
{
	char name[32];
	if (row->status == GOROUTINE_WAITING && row->reason.len)
		text_add_visible(out, row->reason.data, row->reason.len, 60);
	else
		buf_add(out, goroutine_status_name(row->status, name));
}
