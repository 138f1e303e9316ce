/* Goroutines that do the same, as one row: the same stack, state and wait reason. */
#include "table/goroutine_cell.h"
#include "table/goroutine_sums.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

enum { GROUP, COUNT, STATUS, WAIT_REASON, WAITED, RETAINED, FUNCTION, SOURCE, FRAMES, DUMPING,
	   SHARED, BYTE_SECONDS };

static const struct column columns[] = {
	[GROUP] = {"group", "group", "Number of the group, for goroutines group=N", VALUE_ID, 6, 2},
	[COUNT] = {"count", "count", "Goroutines in the group", VALUE_COUNT, 7, 0},
	[STATUS] = {"status", "status", "waiting, running, runnable, syscall or idle", VALUE_TEXT, 8,
				1},
	[WAIT_REASON] = {"wait_reason", "waits for", "What they wait for, in the runtime's words",
					 VALUE_TEXT, 14, 0},
	[WAITED] = {"waited", "longest",
				"How much longer the first of them has waited than the goroutine that a "
				"collection found waiting last, in nanoseconds",
				VALUE_TIME, 8, 0},
	[FUNCTION] = {"function", "where",
				  "The innermost function that is not of the runtime or of a package "
				  "that only waits",
				  VALUE_TEXT, 0, 0},
	[SOURCE] = {"source", "source", "File and line of that function", VALUE_TEXT, 16, 1},
	[FRAMES] = {"frames", "frames", "Calls on each one's stack", VALUE_COUNT, 6, 2},
	[DUMPING] = {"dumping", "dumping", "Did it write this dump?", VALUE_BOOL, 7, 3},
	[RETAINED] = {"retained_bytes", "retained",
				  "Bytes that go when the whole group goes, and only then", VALUE_BYTES, 9, 0},
	[SHARED] = {"shared_bytes", "shared",
				"Bytes that the group holds jointly with others, up to 64 of them", VALUE_BYTES, 9,
				3},
	[BYTE_SECONDS] = {"byte_seconds", "byte seconds",
					  "For each of them the bytes that it alone holds times the seconds that it has "
					  "waited at least, summed",
					  VALUE_COUNT, 12, 4},
};

static const enum stage column_needs[sizeof columns / sizeof *columns] = {
	[RETAINED] = STAGE_DOMINATED, [SHARED] = STAGE_DOMINATED, [BYTE_SECONDS] = STAGE_DOMINATED,
};

static void hide_sums(struct rows *rows, const struct goroutine_sums *sums)
{
	if (!sums->sum)
		rows->hidden |= 1U << RETAINED | 1U << SHARED | 1U << BYTE_SECONDS;
}

static const struct goroutine *first_of(const struct rows *rows, size_t row)
{
	const struct groups *groups = rows->analysis->groups;
	return &rows->analysis->heap->goroutines[groups->members[groups->group[row].first]];
}

static bool groups_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	const struct groups *groups = rows->analysis->groups;
	struct goroutine_sums *sums = rows->data = mem_alloc(sizeof *sums);
	goroutine_sums_init(sums, rows, groups->of, groups->count);
	hide_sums(rows, sums);
	rows->count = groups->count;
	buf_add(&rows->title, "goroutines, grouped by identical stack");
	if (!rows->count)
		buf_add(&rows->note, "The dump holds no goroutines.");
	return true;
}

static void groups_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	static const enum sum_part parts[] = {
		[RETAINED] = SUM_RETAINED, [SHARED] = SUM_SHARED, [BYTE_SECONDS] = SUM_BYTE_SECONDS,
	};
	const struct group *group = &rows->analysis->groups->group[row];
	const struct goroutine *first = first_of(rows, row);
	uint64_t waited;
	switch (column) {
	case GROUP:
		cell_number(value, VALUE_ID, row);
		break;
	case COUNT:
		cell_number(value, VALUE_COUNT, group->count);
		break;
	case STATUS:
		cell_status(value, first);
		break;
	case WAIT_REASON:
		cell_dump_text(value, first->record.wait_reason);
		break;
	case WAITED:
		if (group->longest_wait || goroutine_waited(rows->analysis->heap, first, &waited))
			cell_number(value, VALUE_TIME, group->longest_wait);
		break;
	case FUNCTION:
		cell_telling_function(value, rows->analysis->heap, first);
		break;
	case SOURCE:
		cell_telling_source(value, rows->analysis, first);
		break;
	case FRAMES:
		cell_number(value, VALUE_COUNT, first->frames);
		break;
	case DUMPING:
		cell_number(value, VALUE_BOOL, first->dumping);
		break;
	default:
		cell_sum(value, rows->data, rows, (uint32_t)row, parts[column]);
	}
}

static void groups_close(struct rows *rows)
{
	if (rows->data)
		goroutine_sums_fini(rows->data);
	free(rows->data);
}

static void groups_link(const struct rows *rows, size_t row, struct buf *command)
{
	if (rows->analysis->groups->group[row].count == 1)
		buf_addf(command, "goroutine %" PRIu64, first_of(rows, row)->record.id);
	else
		buf_addf(command, "goroutines group=%zu", row);
}

static enum row_style groups_style(const struct rows *rows, size_t row)
{
	const struct goroutine *first = first_of(rows, row);
	return first->record.system || first->dumping ? ROW_FAINT : ROW_PLAIN;
}

static void groups_holder(const struct rows *rows, size_t row, struct buf *out)
{
	(void)rows;
	buf_addf(out, "group=%zu", row);
}

const struct table table_groups = {
	.name = "groups",
	.from = DAMAGE_GOROUTINES,
	.help = "Goroutines with the same stack, state and wait reason, as one row",
	.needs = STAGE_NAMED,
	.parts = HAS_RUNTIME,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.column_needs = column_needs,
	.open = groups_open,
	.cell = groups_cell,
	.link = groups_link,
	.style = groups_style,
	.holder = groups_holder,
	.close = groups_close,
	.sort = -1,
};
