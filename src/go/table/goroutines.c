/* The table of goroutines: all, or those of one group. */
#include "go/table/waits.h"
#include "table/columns.h"
#include "table/growth/delta.h"
#include "table/naming/argument.h"
#include "table/naming/thread.h"
#include "table/owners/node.h"

#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"

#include <inttypes.h>
#include <string.h>

static const void *goroutines_row_of(const struct rows *rows, size_t row)
{
	return &analysis_heap(rows->analysis)->threads[rows_id(rows, row)];
}

static bool select_group(struct rows *rows, uint64_t number, struct err *err)
{
	const struct groups *groups = analysis_groups(rows->analysis);
	if (number >= groups->count) {
		err_set(err,
		        "There is no group %" PRIu64
		        " of goroutines; the table goroutines by stack lists them",
		        number);
		return argument_absent(analysis_heap(rows->analysis), DAMAGE_THREADS, err);
	}
	const struct group *group = &groups->group[number];
	rows->count = group->count;
	rows->data = memcpy(mem_alloc(group->count * sizeof(uint32_t)), groups->members + group->first,
	                    group->count * sizeof(uint32_t));
	const struct heap *heap = analysis_heap(rows->analysis);
	const struct thread *first = &heap->threads[groups->members[group->first]];
	rows->alike = true;
	buf_add(&rows->title, "goroutines");
	thread_add_function(rows->analysis, first, &rows->title);
	buf_add(&rows->title, ", ");
	thread_add_reason(rows->analysis, first, &rows->title);
	return true;
}

static void select_named(struct rows *rows, thread_name *add, const char *wanted)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	uint32_t *kept = rows->data = mem_alloc(heap->thread_count * sizeof *kept);
	SCOPED_BUF name = {0};
	for (uint32_t g = 0; g < heap->thread_count; g++) {
		buf_clear(&name);
		add(rows->analysis, &heap->threads[g], &name);
		if (strcmp(buf_text(&name), wanted) == 0)
			kept[rows->count++] = g;
	}
}

static bool select_some(struct rows *rows, const char *argument, struct err *err)
{
	static const struct {
		const char *word, *title;
		thread_name *add;
	} names[] = {
		{"creator=", "goroutines started by ", thread_add_creator},
		{"reason=", "goroutines that wait for ", thread_add_reason},
	};
	uint64_t number;
	bool ok = false;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t length = strlen(names[i].word);
		if (strncmp(argument, names[i].word, length) != 0)
			continue;
		select_named(rows, names[i].add, argument + length);
		buf_addf(&rows->title, "%s%s", names[i].title, argument + length);
		if (rows->count)
			return true;
		err_set(err, "There are no %s%.100s; the table goroutines by %.*s lists them",
		        names[i].title, argument + length, (int)length - 1, argument);
		return argument_absent(analysis_heap(rows->analysis), DAMAGE_THREADS, err);
	}
	if (!argument_setting(argument, "group", &number, &ok) || !ok)
		return err_set(err,
		               "Goroutines can be selected by group=N, creator=FUNCTION or "
		               "reason=WORDS, not by \"%.60s\"; the table goroutines by stack, creator and "
		               "reason list these",
		               argument);
	return select_group(rows, number, err);
}

static bool goroutines_open(struct rows *rows, const char *argument, struct err *err)
{
	if (*argument)
		return select_some(rows, argument, err);
	rows->count = analysis_heap(rows->analysis)->thread_count;
	buf_add(&rows->title, "all goroutines");
	return true;
}

static void goroutines_waited_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct analysis *analysis = rows->analysis;
	const struct thread *thread = goroutines_row_of(rows, row);
	uint64_t waited;
	if (thread_waited(analysis_heap(analysis), thread, &waited))
		cell_number(value, VALUE_TIME, waited);
}

static void goroutines_waits_on_cell(const struct rows *rows, size_t row, struct value *value)
{
	waits_add(rows->analysis, rows_id(rows, row), cell_begin(value));
}

static void goroutines_stack_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	cell_number(value, VALUE_BYTES, heap_thread_stack(heap, rows_id(rows, row)).bytes);
}

static void goroutines_stack_known_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	bool exact = heap_thread_stack(heap, rows_id(rows, row)).exact;
	cell_text(value, exact ? "exact" : "estimate");
}

static void goroutines_own_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	uint64_t stack = heap_thread_stack(heap, rows_id(rows, row)).bytes;
	struct value retained = {0};
	cell_retained_thread(&retained, rows->analysis, rows_id(rows, row));
	cell_number(value, VALUE_BYTES, stack + retained.number);
}

static void goroutines_group_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct analysis *analysis = rows->analysis;
	cell_number(value, VALUE_ID, analysis_groups(analysis)->of[rows_id(rows, row)]);
}

static void goroutines_created_by_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct analysis *analysis = rows->analysis;
	const struct thread *thread = goroutines_row_of(rows, row);
	cell_creator(value, analysis, thread);
}

static void goroutines_creator_cell(const struct rows *rows, size_t row, struct value *value)
{
	thread_add_creator(rows->analysis, goroutines_row_of(rows, row), cell_begin(value));
}

static void goroutines_reason_cell(const struct rows *rows, size_t row, struct value *value)
{
	thread_add_reason(rows->analysis, goroutines_row_of(rows, row), cell_begin(value));
}

static void goroutines_retained_bytes_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct analysis *analysis = rows->analysis;
	cell_retained_thread(value, analysis, rows_id(rows, row));
}

static void goroutines_count_delta_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct series *series = analysis_series(rows->analysis);
	uint32_t before;
	if (series)
		cell_delta(value, VALUE_COUNT,
		           series_thread(series, 0, goroutines_row_of(rows, row), &before), 1);
}

static void goroutines_born_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_born_thread(value, rows->analysis, rows_id(rows, row));
}

static void goroutines_stuck_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_stuck_since(value, rows->analysis, rows_id(rows, row));
}

static const struct column columns[] = {
	{"id", "id", "Number of the goroutine, as in stack traces", VALUE_ID, 7, 0,
     .cell = thread_id_cell, IDENTIFIES},
	{"own_bytes", "own", "Bytes of its stack and of what it retains", VALUE_BYTES, 9, 0,
     .cell = goroutines_own_cell, .stages = STAGE_DOMINATED},
	{THREAD_STATUS, .width = 8, .rank = 1, .common = true},
	{"wait_reason", "waits for", "The runtime's wait reason", VALUE_TEXT, 14, 0,
     FIELD(struct thread, record.wait_reason), .common = true},
	{"waited", "waiting",
     "Wait time, counted back from the goroutine that a collection found waiting last; in "
     "nanoseconds",
     VALUE_TIME, 8, 0, .cell = goroutines_waited_cell},
	{"frames", "frames", "Number of calls on its stack", VALUE_COUNT, 6, 1,
     FIELD(struct thread, frames), .common = true},
	{THREAD_FUNCTION, .common = true},
	{THREAD_SOURCE, .width = 16, .rank = 1, .common = true},
	{"address", "g", "Address of the runtime's record of it", VALUE_ADDRESS, 18, 2,
     FIELD(struct thread, record.address)},
	{"group", "group", "Its group of goroutines with the same stack", VALUE_ID, 6, 3,
     .cell = goroutines_group_cell},
	{"system", "system", "Started by the runtime for itself?", VALUE_BOOL, 6, 2,
     FIELD(struct thread, record.system)},
	{"dumping", "dumping", "Did it write this dump?", VALUE_BOOL, 7, 2,
     FIELD(struct thread, dumping)},
	{"creator_pc", "created at", "Program counter of its go statement", VALUE_ADDRESS, 14, 3,
     FIELD_UNLESS_0(struct thread, record.creator_pc)},
	{"context", "context", "Its closure while it runs one", VALUE_ADDRESS, 14, 3,
     FIELD_UNLESS_0(struct thread, record.context)},
	{"m", "m", "The runtime's record of the thread that it is on", VALUE_ADDRESS, 14, 3,
     FIELD_UNLESS_0(struct thread, record.m)},
	{"created_by", "created by", "The function with the go statement that started it", VALUE_TEXT,
     24, 4, .cell = goroutines_created_by_cell},
	{"stack_bytes", "stack",
     "Bytes of its stack, unused ones included; before Go 1.4 only those of its frames",
     VALUE_BYTES, 8, 2, .cell = goroutines_stack_cell},
	{"stack_known", "stack is", "How that is known: exact, or an estimate, the sum of its frames",
     VALUE_TEXT, 8, 4, .cell = goroutines_stack_known_cell},
	{"waits_on", "waits on",
     "The channel, the cases of a select, the lock with its state, the connection or file, or the "
     "timer that it waits for, with the owner of that; empty if that cannot be told. Times count "
     "from the latest one that the dump records",
     VALUE_TEXT, 28, 1, .cell = goroutines_waits_on_cell, .stages = STAGE_REVERSED | STAGE_TYPED},
	{"retained_bytes", "retained",
     "Bytes that would be freed without it: those that only its frames and deferred calls keep "
     "alive",
     VALUE_BYTES, 9, 2, .cell = goroutines_retained_bytes_cell, .stages = STAGE_DOMINATED},
	{"creator", "creator",
     "The function that started it, as goroutines by creator has them: (none) for one that the "
     "runtime started, or (not known)",
     VALUE_TEXT, 24, 4, .cell = goroutines_creator_cell, .on_request = true},
	{"reason", "reason",
     "The wait reason, or the state of one that does not wait, as goroutines by reason has them",
     VALUE_TEXT, 14, 4, .cell = goroutines_reason_cell, .on_request = true},
	{"born", "born", BORN_HELP, VALUE_COUNT, 4, 1, .cell = goroutines_born_cell,
     .absent = delta_absent},
	{STUCK_SINCE, .width = 11, .rank = 1, .cell = goroutines_stuck_cell},
	{"count_delta", "new", "1 if it is not in the oldest earlier dump, otherwise 0", VALUE_COUNT, 3,
     4, .cell = goroutines_count_delta_cell, .absent = delta_absent},
	{"bytes_delta", "more stack", "Change in the bytes of its stack since the oldest earlier dump",
     VALUE_BYTES, 10, 2, DELTA("stack_bytes")},
};

static struct entity goroutines_entity(const struct rows *rows, size_t row)
{
	return (struct entity){ENTITY_THREAD, rows_id(rows, row), 0};
}

static enum row_style goroutines_style(const struct rows *rows, size_t row)
{
	const struct thread *thread = goroutines_row_of(rows, row);
	return thread->record.system || thread->dumping ? ROW_FAINT : ROW_PLAIN;
}

DEFINE_PLUGIN(tables, struct table, table_goroutines) = {
	.rank = 210,
	.name = "goroutines",
	.grouped = "goroutines-stack",
	.from = DAMAGE_THREADS,
	.help =
		"The goroutines, with what each waits for and where: all, or those of one group, creator "
		"or wait reason",
	.argument = "[group=N|creator=FUNCTION|reason=WORDS]",
	.needs = STAGE_NAMED,
	.parts = PART_GO,
	COLUMNS(columns),
	.open = goroutines_open,
	.none = "The dump holds no goroutines.",
	.record = goroutines_row_of,
	.all_before = true,
	.style = goroutines_style,
	.entity = goroutines_entity,
};
