/* Counts goroutines by state and wait reason. */
#include "go/report/goroutine_states.h"

#include "base/bound.h"
#include "format/runtime.h"
#include "heap/heap.h"

#include <stdlib.h>

static struct goroutine_states_row *find_row(struct goroutine_states *states,
                                             const struct goroutine_record *record)
{
	for (size_t i = 0; i < states->count; i++)
		if (states->row[i].status == record->status
		    && text_equal(states->row[i].reason, record->wait_reason))
			return &states->row[i];
	if (states->count == GOROUTINE_STATES_ROWS)
		return NULL;
	struct goroutine_states_row *row = &states->row[states->count++];
	*row = (struct goroutine_states_row){.status = record->status, .reason = record->wait_reason};
	return row;
}

ORDER_MOST_FIRST(goroutine_states_most_first, struct goroutine_states_row, count, status);

void goroutine_states_goroutines(struct goroutine_states *states, const struct groups *groups,
                                 const struct heap *heap)
{
	*states = (struct goroutine_states){0};
	for (uint32_t i = 0; i < groups->count; i++) {
		const struct group *group = &groups->group[i];
		const struct thread *first = &heap->threads[groups->members[group->first]];
		struct goroutine_states_row *row = find_row(states, &first->record);
		*(row ? &row->count : &states->others) += group->count;
	}
	qsort(states->row, states->count, sizeof *states->row, goroutine_states_most_first);
}

void goroutine_states_name(const struct goroutine_states_row *row, struct buf *out)
{
	char name[32];
	if (row->reason.len)
		text_add_escaped(out, row->reason.data, row->reason.len, 60);
	else
		buf_add(out, runtime_go.state(row->status, name));
}
