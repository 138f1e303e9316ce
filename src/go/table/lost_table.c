/* The table of goroutines that can never wake up. */
#include "table/columns.h"
#include "table/growth/delta.h"
#include "table/naming/thread.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "go/analysis/lost.h"
#include "heap/heap.h"

struct lost_data {
	const struct lost *lost; /* shared */
};

static const struct lost *lost_of(const struct rows *rows)
{
	return ((const struct lost_data *)rows->data)->lost;
}

static const struct lost_goroutine *lost_row_of(const struct rows *rows, size_t row)
{
	return &lost_of(rows)->goroutine[row];
}

static const void *lost_record(const struct rows *rows, size_t row)
{
	return lost_row_of(rows, row);
}

static const struct thread *lost_goroutine_of(const struct rows *rows, size_t row)
{
	return &analysis_heap(rows->analysis)->threads[lost_row_of(rows, row)->thread];
}

/* Appends what may wake goroutines though all of them wait for each other. */
static void lost_add_doubts(struct buf *note, const struct lost_asleep *asleep)
{
	static const char *const doubts[] = {
		"which timers are set is not known",
		"which threads of the process are not of Go is not known",
		"Go's runtime itself was at work at that moment",
		"which channels get signals is not known, as the executable has no symbols",
	};
	buf_add(note, "Every goroutine of the program waits for another one. Whether one can ever wake "
	              "up cannot be told: ");
	size_t before = note->len;
	for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++)
		if (asleep->doubts >> i & 1)
			buf_addf(note, "%s%s", note->len > before ? "; " : "", doubts[i]);
	if (asleep->foreign) {
		buf_add(note, note->len > before ? "; " : "");
		text_add_number_of(note, asleep->foreign, "thread is not of Go: its code",
		                   "threads are not of Go: their code");
		buf_add(note, " may call functions of the program");
	}
	if (asleep->callbacks) {
		buf_add(note, note->len > before ? "; " : "");
		text_add_number_of(note, asleep->callbacks, "finalizer or cleanup",
		                   "finalizers and cleanups");
		buf_add(note, " may run at the next collection");
	}
	buf_add(note, ".");
}

/* Appends of how many goroutines it cannot be told, and why. */
static void lost_add_unknown(const struct heap *heap, struct buf *note, const struct lost *lost)
{
	SCOPED_BUF cause = {0};
	buf_addf(note, "Of %s it cannot be told whether %s ever wake up",
	         text_number_of(lost->unknown, "goroutine", "goroutines").text,
	         lost->unknown == 1 ? "it can" : "they can");
	if (lost->unknown_reasons) {
		buf_add(note, ", as no wait reason is known of ");
		text_add_count(note, lost->unknown_reasons);
	}
	if (lost->unknown_coroutines) {
		buf_add(note, lost->unknown_reasons ? ", and " : ": ");
		text_add_number_of(note, lost->unknown_coroutines,
		                   "waits in a coroutine that was not found",
		                   "wait in coroutines that were not found");
	}
	if (damage_cause(heap, DAMAGE_ROOTS, &cause))
		buf_addf(note, "%s %s, and roots may be missing that lead to what they wait for",
		         lost->unknown_reasons || lost->unknown_coroutines ? ";" : ":", buf_text(&cause));
	buf_add(note, ".");
}

/* Appends that roots which are missing may hold what the rows retain, too. */
static void lost_add_at_most(const struct heap *heap, struct buf *note, const struct lost *lost)
{
	SCOPED_BUF cause = {0};
	if (!lost->count || !damage_cause(heap, DAMAGE_ROOTS, &cause))
		return;
	buf_addf(note, "%sThe rows retain at most retained_bytes: ", note->len ? " " : "");
	if (!lost->unknown)
		buf_addf(note, "%s, and ", buf_text(&cause));
	buf_add(note, "roots that are missing may hold some of it.");
}

/* Appends notes. Says that no goroutine is lost only if this is known of all. */
static void lost_add_note(struct rows *rows, const struct lost *lost)
{
	struct buf *note = &rows->note;
	if (lost->asleep.state == LOST_ASLEEP_SAID)
		buf_add(note, "The runtime has ended the program: " CRASH_ASLEEP);
	else if (lost->asleep.state == LOST_ASLEEP_FOUND)
		buf_add(note, "Deadlock: every goroutine of the program waits for another one. No timer is "
		              "set that wakes one, none waits for a file, a connection or a signal, and no "
		              "thread runs code that could call into the program.");
	else if (lost->asleep.state == LOST_ASLEEP_DOUBTED)
		lost_add_doubts(note, &lost->asleep);
	else if (lost->unknown)
		lost_add_unknown(analysis_heap(rows->analysis), note, lost);
	else if (!lost->count && lost->waiting) {
		buf_add(note, "No goroutine is known to be lost: variables or runnable goroutines still "
		              "reach what ");
		text_add_number_of(note, lost->waiting, "other waits", "others wait");
		buf_add(note, " for. Whether they ever wake it up cannot be told from a heap.");
	} else if (!lost->count) {
		buf_addf(note,
		         "No goroutine of the %s waits for a channel, a lock, a wait group, a condition or "
		         "a coroutine.",
		         heap_unread(analysis_heap(rows->analysis)) ? "Go runtime that is read"
		                                                    : "program");
	}
	if (lost->main_parked)
		buf_addf(note,
		         "%sGoroutine 1 waits in an empty select, as programs do that never end: it does "
		         "not count.",
		         note->len ? " " : "");
	lost_add_at_most(analysis_heap(rows->analysis), note, lost);
}

static bool lost_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument;
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	struct lost_data *data = rows->data = mem_alloc(sizeof *data);
	const struct lost *lost = data->lost = analysis_lost(rows->analysis, rows->progress);
	if (!lost)
		return err_set(err, "Cancelled");
	rows->count = lost->count;
	if (lost->count) {
		text_add_number_of(&rows->title, lost->count, "goroutine", "goroutines");
		buf_add(&rows->title, " that can never wake up: ");
		text_add_size(&rows->title, lost->stack_bytes + lost->bytes);
		if (lost->shared_bytes)
			buf_addf(&rows->title, ", %s shared by several", text_size(lost->shared_bytes).text);
	} else
		buf_add(&rows->title, "goroutines that can never wake up");
	rows->unknown = lost->unknown;
	lost_add_note(rows, lost);
	return true;
}

static struct entity lost_entity(const struct rows *rows, size_t row)
{
	return (struct entity){ENTITY_THREAD, lost_row_of(rows, row)->thread, 0};
}

static void lost_reason_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_dump_text(value, lost_goroutine_of(rows, row)->record.wait_reason);
}

static void lost_creator_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_creator(value, rows->analysis, lost_goroutine_of(rows, row));
}

static void lost_group_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct groups *groups = analysis_groups(rows->analysis);
	cell_number(value, VALUE_ID, groups->of[lost_row_of(rows, row)->thread]);
}

static void lost_waits_on_cell(const struct rows *rows, size_t row, struct value *value)
{
	enum { SHOWN = 4 };
	const struct lost_wait *wait = &lost_row_of(rows, row)->wait;
	struct buf *out = cell_begin(value);
	if (wait->kind == LOST_WAIT_NIL_CHANNEL)
		buf_add(out, "nil channel");
	else if (wait->kind == LOST_WAIT_NO_CASE)
		buf_add(out, "no case");
	for (uint32_t i = 0; i < wait->count && i < SHOWN; i++) {
		buf_add(out, i ? ", " : "");
		entity_add_label(rows->analysis, entity_of_object(lost_of(rows)->awaited[wait->first + i]),
		                 out);
	}
	if (wait->count > SHOWN)
		buf_add(out, ", …");
}

static void lost_stuck_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_stuck_since(value, rows->analysis, lost_row_of(rows, row)->thread);
}

static const struct column columns[] = {
	{"id", "id", "Number of the goroutine, as in stack traces", VALUE_ID, 7, 0,
     .cell = thread_id_cell},
	{"wait_reason", "waits for", "The runtime's wait reason", VALUE_TEXT, 16, 0,
     .cell = lost_reason_cell},
	{THREAD_FUNCTION},
	{"creator", "created by", "The function with the go statement that started it", VALUE_TEXT, 16,
     1, .cell = lost_creator_cell},
	{"waits_on", "waits on",
     "The channels or the coroutine that it waits on, or the object with the lock, wait group or "
     "condition variable",
     VALUE_TEXT, 24, 2, .cell = lost_waits_on_cell, .wants = STAGE_TYPED},
	{"stack_bytes", "stack", "Bytes of its stack, unused ones included", VALUE_BYTES, 8, 0,
     FIELD(struct lost_goroutine, stack_bytes)},
	{"retained_bytes", "holds",
     "Bytes that would be freed without it, what it waits on included; bytes that several lost "
     "goroutines share are left out",
     VALUE_BYTES, 9, 0, FIELD(struct lost_goroutine, bytes)},
	{"group", "group", "Its group of goroutines with the same stack", VALUE_ID, 6, 3,
     .cell = lost_group_cell},
	{STUCK_SINCE, .width = 11, .rank = 1, .cell = lost_stuck_cell},
};

DEFINE_PLUGIN(tables, struct table, table_lost) = {
	.rank = 205,
	.name = "lost",
	.from = DAMAGE_THREADS,
	.help =
		"Goroutines that can never wake up: no goroutine that can still run reaches the channel, "
		"lock, wait group, condition variable or coroutine that each waits on. Goroutines whose "
		"wait object is not known are left out; a message says how many there are. Goroutine 1 in "
		"an empty select is left out as well: programs use that to run forever. If all of the "
		"program wait for each other, a message begins with Deadlock, and all are listed; if a "
		"timer, a thread that is not of Go, a finalizer or a cleanup may wake one, it says that "
		"this cannot be told, and why",
	.needs = STAGE_NAMED | STAGE_REVERSED,
	.parts = PART_GO,
	COLUMNS(columns),
	.open = lost_open,
	.record = lost_record,
	.entity = lost_entity,
};
