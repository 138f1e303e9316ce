/* The table of goroutines grouped by stack, state and wait reason. */
#include "go/table/goroutine_sums.h"
#include "go/table/waits.h"
#include "table/columns.h"
#include "table/growth/delta.h"

#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"

#include <stdlib.h>

static const void *groups_first_of(const struct rows *rows, size_t row)
{
	const struct groups *groups = analysis_groups(rows->analysis);
	return &analysis_heap(rows->analysis)->threads[groups->members[groups->group[row].first]];
}

struct groups_data {
	struct goroutine_sums sums;
	uint32_t *before; /* by row: the group in the oldest earlier dump, UINT32_MAX: none */
};

static void groups_fill(struct rows *rows)
{
	const struct groups *groups = analysis_groups(rows->analysis);
	struct groups_data *data = rows->data = mem_alloc(sizeof *data);
	const struct analysis *oldest = delta_oldest(rows);
	goroutine_sums_init(&data->sums, rows, groups->of, groups->count);
	if (oldest)
		data->before = groups_in(analysis_heap(rows->analysis), groups, analysis_heap(oldest),
		                         analysis_groups(oldest));
	rows->count = groups->count;
	buf_add(&rows->title, "goroutines, grouped by identical stack");
}

static void groups_count_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct group *group = &analysis_groups(rows->analysis)->group[row];
	cell_number(value, VALUE_COUNT, group->count);
}

static void groups_waited_cell(const struct rows *rows, size_t row, struct value *value)
{
	uint64_t longest = analysis_groups(rows->analysis)->group[row].longest_wait, waited;
	if (longest
	    || thread_waited(analysis_heap(rows->analysis), groups_first_of(rows, row), &waited))
		cell_number(value, VALUE_TIME, longest);
}

static void groups_waits_on_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct groups *groups = analysis_groups(rows->analysis);
	waits_add_common(rows->analysis, groups_members(groups, (uint32_t)row), cell_begin(value));
}

/* Returns the group in the oldest dump; UINT32_MAX: none. */
static uint32_t groups_before(const struct rows *rows, size_t row)
{
	return ((const struct groups_data *)rows->data)->before[row];
}

static void groups_stuck_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct groups *groups = analysis_groups(rows->analysis);
	const struct group *group = &groups->group[row];
	uint64_t stuck = 0;
	for (uint32_t i = 0; !delta_absent(rows) && i < group->count; i++)
		stuck += series_thread_waits(rows->analysis, 0, groups->members[group->first + i]);
	if (!delta_absent(rows))
		cell_number(value, VALUE_COUNT, stuck);
}

static const struct column columns[] = {
	{"group", "group", "Number of the group, for goroutines group=N", VALUE_ID, 6, 2,
     .cell = row_number_cell},
	{"count", "count", "Goroutines in the group", VALUE_COUNT, 7, 0, .cell = groups_count_cell},
	{SUMS_OWN_BYTES, .width = 9},
	{THREAD_STATUS, .width = 8, .rank = 1},
	{"wait_reason", "waits for", "The runtime's wait reason", VALUE_TEXT, 14, 0,
     FIELD(struct thread, record.wait_reason)},
	{THREADS_WAITED, .width = 8, .cell = groups_waited_cell},
	{"retained_bytes", "retained", "Bytes that the group as a whole retains", VALUE_BYTES, 9, 2,
     .cell = sums_sum_cell, FIELD(struct owner_sum, bytes), .stages = STAGE_DOMINATED,
     .absent = sums_unknown},
	{THREAD_FUNCTION},
	{THREAD_SOURCE, .width = 16, .rank = 1},
	{"frames", "frames", "Number of calls on the stack of each", VALUE_COUNT, 6, 2,
     FIELD(struct thread, frames)},
	{"waits_on", "waits on",
     "What all of them wait for: a channel, a lock, channels of one type, connections, timers; "
     "empty if that cannot be told",
     VALUE_TEXT, 40, 1, .cell = groups_waits_on_cell, .stages = STAGE_REVERSED | STAGE_TYPED,
     .cut_end = true},
	{SUMS_STACK_BYTES, .width = 8, .rank = 2},
	{"dumping", "dumping", "Did it write this dump?", VALUE_BOOL, 7, 3,
     FIELD(struct thread, dumping)},
	{"shared_bytes", "shared", "Bytes that the group shares with other owners, up to 64 of them",
     VALUE_BYTES, 9, 3, .cell = sums_sum_cell, FIELD(struct owner_sum, shared),
     .stages = STAGE_DOMINATED, .absent = sums_unknown},
	{SUMS_BYTE_SECONDS, .width = 12, .rank = 4},
	{COUNT_DELTA_OF("count"), .width = 7},
	{"bytes_delta", "more stacks",
     "Change in the bytes of their stacks since the oldest earlier dump", VALUE_BYTES, 11, 2,
     DELTA("stack_bytes")},
	{"stuck", "stuck",
     "Number of them that waited for the same at the same place in the oldest earlier dump, and "
     "have not run since as far as collections have recorded",
     VALUE_COUNT, 6, 0, .cell = groups_stuck_cell, .absent = delta_absent},
};

static void groups_close(struct rows *rows)
{
	struct groups_data *data = rows->data;
	goroutine_sums_fini(&data->sums);
	free(data->before);
}

static struct entity groups_entity(const struct rows *rows, size_t row)
{
	(void)rows;
	return (struct entity){ENTITY_GROUP, (uint32_t)row, 0};
}

static enum row_style groups_style(const struct rows *rows, size_t row)
{
	const struct thread *first = groups_first_of(rows, row);
	return first->record.system || first->dumping ? ROW_FAINT : ROW_PLAIN;
}

DEFINE_PLUGIN(tables, struct table, table_groups) = {
	.rank = 220,
	.name = "goroutines-stack",
	.form_of = "goroutines",
	.former = "groups",
	.grouped = "goroutines",
	.from = DAMAGE_THREADS,
	.help = "Goroutines with the same stack, state and wait reason, as one row",
	.needs = STAGE_NAMED,
	.parts = PART_GO,
	COLUMNS(columns),
	.fill = groups_fill,
	.none = "The dump holds no goroutines.",
	.record = groups_first_of,
	.before = groups_before,
	.entity = groups_entity,
	.style = groups_style,
	.sort = "own_bytes",
	.close = groups_close,
};
