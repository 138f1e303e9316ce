/* The table of active timers. */
#include "table/columns.h"
#include "table/contents/datum.h"
#include "table/naming/alloc_site.h"
#include "table/naming/thread.h"

#include "base/map.h"
#include "base/mem.h"
#include "format/format.h"
#include "go/runtime/gotimer.h"
#include "heap/heap.h"
#include "heap/profile.h"

#include <string.h>

static const char *const timer_kinds[] = {
	[GOTIMER_TIMER] = "timer",
	[GOTIMER_TICKER] = "ticker",
	[GOTIMER_CALL] = "call",
	[GOTIMER_SLEEP] = "sleep",
	[GOTIMER_RUNTIME] = "runtime",
	[GOTIMER_READ_DEADLINE] = "read",
	[GOTIMER_WRITE_DEADLINE] = "write",
};

struct timers_rows {
	struct gotimers *found;
	struct map receivers; /* channel -> goroutine that receives from it */
};

static const void *timers_row(const struct rows *rows, size_t row)
{
	return &((const struct timers_rows *)rows->data)->found->item[row];
}

/* Says that timers exist that were not found, if goroutines sleep for which there is none. The
   runtime's own ones sleep by timers of another kind. */
static void timers_add_note(struct rows *rows)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	const struct gotimers *found = ((const struct timers_rows *)rows->data)->found;
	uint32_t sleepers = 0, own = 0, woken = 0;
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		const struct goroutine_record *g = &heap->threads[i].record;
		bool sleeps = goroutine_status_waits(g->status) && text_is(g->wait_reason, "sleep");
		sleepers += sleeps;
		own += sleeps && !g->system;
	}
	for (size_t i = 0; i < found->count; i++)
		woken += found->item[i].kind == GOTIMER_SLEEP;
	if (woken >= own && (rows->count || !sleepers))
		return;
	rows->unknown = UINT64_MAX;
	buf_addf(&rows->note, "Which timers run cannot be told: %s found, but %s until a timer fires.",
	         woken ? text_number_of(woken, "of sleep was", "of sleep were").text : "none was",
	         text_number_of(sleepers, "goroutine sleeps", "goroutines sleep").text);
}

/* Leaves the timers that a program starts and may stop. */
static void timers_keep_started(struct gotimers *found)
{
	size_t kept = 0;
	for (size_t i = 0; i < found->count; i++)
		if (found->item[i].kind <= GOTIMER_CALL)
			found->item[kept++] = found->item[i];
	found->count = kept;
}

static bool timers_open(struct rows *rows, const char *argument, struct err *err)
{
	bool started = strcmp(argument, "started") == 0;
	if (*argument && !started)
		return err_set(err, "Timers can be selected by started, not by \"%.60s\"", argument);
	struct timers_rows *data = rows->data = mem_alloc(sizeof *data);
	data->found = gotimers_new(analysis_heap(rows->analysis));
	const struct gowaits *waits = analysis_waits(rows->analysis);
	uint64_t before;
	for (uint32_t g = 0; g < analysis_heap(rows->analysis)->thread_count; g++)
		for (uint32_t i = waits->of[g].first; i < waits->of[g].first + waits->of[g].cases; i++)
			if (!waits->cases[i].sends
			    && !map_get(&data->receivers, waits->cases[i].channel, &before))
				map_put(&data->receivers, waits->cases[i].channel, g);
	rows->count = data->found->count;
	timers_add_note(rows);
	if (started)
		timers_keep_started(data->found);
	rows->count = data->found->count;
	buf_add(&rows->title,
	        started ? "timers that were started and not stopped" : "timers that are running");
	return true;
}

static void timers_close(struct rows *rows)
{
	struct timers_rows *data = rows->data;
	gotimers_free(data->found);
	map_free(&data->receivers);
}

/* Returns the goroutine that the timer wakes; NULL: none. */
static const struct thread *timers_goroutine(const struct rows *rows, size_t row)
{
	const struct timers_rows *data = rows->data;
	const struct gotimer *timer = timers_row(rows, row);
	uint64_t g = timer->thread;
	if (timer->kind != GOTIMER_SLEEP
	    && (timer->kind > GOTIMER_TICKER || !map_get(&data->receivers, timer->target, &g)))
		return NULL;
	return &analysis_heap(rows->analysis)->threads[g];
}

static void timers_kind_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct gotimer *timer = timers_row(rows, row);
	buf_addf(cell_begin(value), "%s%s", timer->unsure ? "~" : "", timer_kinds[timer->kind]);
}

/* Returns the code address of a func value: the first word of a closure, in the dump or the
   executable. */
static uint64_t timers_entry(const struct analysis *analysis, uint64_t function)
{
	const struct typing *typing = analysis_typing(analysis);
	struct govalue in = datum_memory(analysis);
	struct datum place = datum_at(&in, function, 0, 1);
	if (place.data)
		return place.room >= in.heap->params.layout.pointer_size ? heap_word(in.heap, place.data)
		                                                         : 0;
	return typing ? gomemory_word(typing_runtime(typing), function) : 0;
}

static void timers_function_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct gotimer *timer = timers_row(rows, row);
	const struct thread *thread = timers_goroutine(rows, row);
	struct thread_place place;
	if (timer->kind == GOTIMER_CALL)
		cell_called(value, rows->analysis, timers_entry(rows->analysis, timer->target));
	if (thread && thread_place_of(rows->analysis, thread, &place))
		cell_symbol(value, place.function);
}

static void timers_goroutine_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct thread *thread = timers_goroutine(rows, row);
	if (thread)
		cell_number(value, VALUE_ID, thread->record.id);
}

/* Shows the innermost call outside of the packages that create timers. */
static void timers_creator_cell(const struct rows *rows, size_t row, struct value *value)
{
	static const char inside[] = "time.";
	const struct profiles *profiles = &analysis_heap(rows->analysis)->profiles;
	const struct gotimer *timer = timers_row(rows, row);
	const struct sample *sample = profiles_of_object(profiles, timer->object);
	struct stack_frame frame;
	if (timer->object == OBJECT_NONE || !sample || sample->profile == PROFILE_NONE)
		return;
	struct stack_walk walk = stack_walk(&profiles->profile[sample->profile]);
	while (stack_walk_next(&walk, &frame)) {
		if (stack_frame_is_runtime(&frame)
		    || (frame.function.len >= strlen(inside)
		        && memcmp(frame.function.data, inside, strlen(inside)) == 0))
			continue;
		cell_function(value, &frame);
		return;
	}
}

static void timers_fires_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct gotimer *timer = timers_row(rows, row);
	uint64_t now = analysis_heap(rows->analysis)->latest_wait;
	if (now && timer->when)
		cell_number(value, VALUE_TIME, timer->when > now ? timer->when - now : 0);
}

static const struct column columns[] = {
	{OBJECT_EXPRESSION, .width = 20, .rank = 1},
	{"kind", "kind",
     "call: of time.AfterFunc; timer, ticker: sends to its channel, once or repeatedly; sleep: "
     "wakes a goroutine; runtime: the runtime's own; read, write: deadline of a connection; ~ if "
     "it may have been reset, which the runtime records outside of the heap",
     VALUE_TEXT, 7, 0, .cell = timers_kind_cell},
	{"function", "calls, wakes",
     "The function that it will call, if the executable is known; otherwise the function of the "
     "goroutine that it will wake",
     VALUE_TEXT, 0, 0, .cell = timers_function_cell, .wants = STAGE_TYPED},
	{"goroutine", "goroutine", "The goroutine that sleeps or waits for its channel", VALUE_ID, 9, 2,
     .cell = timers_goroutine_cell},
	{"fires_in", "fires in",
     "Time until it fires, counted from the latest time in the dump, when a collection last found "
     "a goroutine waiting; in nanoseconds; 0: it was due",
     VALUE_TIME, 9, 0, .cell = timers_fires_cell},
	{"period", "every", "Time between two ticks, in nanoseconds", VALUE_TIME, 9, 1,
     FIELD_UNLESS_0(struct gotimer, period)},
	{OBJECT_RETAINED, .width = 9, .rank = 0},
	{"creator", "made by",
     "The function that allocated it, for those that the allocation profile has samples of",
     VALUE_TEXT, 20, 3, .cell = timers_creator_cell},
	{"when", "when", "Time at which it fires by the clock of the runtime, in nanoseconds", VALUE_ID,
     18, 5, FIELD(struct gotimer, when)},
	{"address", "address", "Address of the object that it is part of", VALUE_ADDRESS, 14, 4,
     .cell = object_address_cell},
	{OBJECT_OWNER, .width = 24, .rank = 5},
};

DEFINE_PLUGIN(tables, struct table, table_timers) = {
	.rank = 351,
	.name = "timers",
	.from = DAMAGE_ROOTS,
	.help =
		"The running timers and tickers, which nothing has stopped, and what each keeps "
		"alive; with sleeping goroutines and deadlines of connections. They come from the "
		"runtime's own lists and need no executable. --group function shows which are many; with "
		"started, only those that a program starts and may stop",
	.argument = "[started]",
	.needs = STAGE_NAMED | STAGE_LINKED,
	.wants = STAGE_TYPED,
	.parts = PART_GO | PART_MEMORY,
	COLUMNS(columns),
	.open = timers_open,
	.none = "No timer is running.",
	.record = timers_row,
	.object = ROW_MEMBER(struct gotimer, object, uint32_t),
	.close = timers_close,
	.sort = "retained_bytes",
};
