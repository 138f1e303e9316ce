/* The goroutines: all, or those of one group. */
#include "table/argument.h"
#include "table/goroutine_cell.h"
#include "table/node.h"

#include "base/mem.h"

#include <inttypes.h>
#include <string.h>

enum { ID, STATUS, WAIT_REASON, WAITED, FRAMES, FUNCTION, SOURCE, ADDRESS, GROUP, SYSTEM, DUMPING,
	   CREATOR, CONTEXT, THREAD, CREATED_BY, RETAINED };

static const struct column columns[] = {
	[ID] = {"id", "id", "Number of the goroutine, as in stack traces", VALUE_ID, 7, 0},
	[STATUS] = {"status", "status", "waiting, running, runnable, syscall or idle", VALUE_TEXT, 8,
				1},
	[WAIT_REASON] = {"wait_reason", "waits for", "What it waits for, in the runtime's words",
					 VALUE_TEXT, 14, 0},
	[WAITED] = {"waited", "waiting",
				"How much longer it has waited than the goroutine that a collection "
				"found waiting last, in nanoseconds",
				VALUE_TIME, 8, 0},
	[FRAMES] = {"frames", "frames", "Calls on its stack", VALUE_COUNT, 6, 1},
	[FUNCTION] = {"function", "where",
				  "The innermost function that is not of the runtime or of a package "
				  "that only waits",
				  VALUE_TEXT, 0, 0},
	[SOURCE] = {"source", "source", "File and line of that function", VALUE_TEXT, 16, 1},
	[ADDRESS] = {"address", "g", "Address of the runtime's record of it", VALUE_ADDRESS, 18, 2},
	[GROUP] = {"group", "group", "Its group of goroutines with the same stack", VALUE_ID, 6, 3},
	[SYSTEM] = {"system", "system", "Started by the runtime for itself?", VALUE_BOOL, 6, 2},
	[DUMPING] = {"dumping", "dumping", "Did it write this dump?", VALUE_BOOL, 7, 2},
	[CREATOR] = {"creator_pc", "created at", "Where in the code its go statement is", VALUE_ADDRESS,
				 14, 3},
	[CONTEXT] = {"context", "context", "Its closure, while it runs one", VALUE_ADDRESS, 14, 3},
	[THREAD] = {"m", "m", "The runtime's record of the thread that it is on", VALUE_ADDRESS, 14, 3},
	[RETAINED] = {"retained_bytes", "retained",
				  "Bytes that would be freed with it: what its frames and deferred calls hold "
				  "alone",
				  VALUE_BYTES, 9, 0},
	[CREATED_BY] = {"created_by", "created by", "The function with the go statement that started it",
				 VALUE_TEXT, 24, 4},
};

static const enum stage column_needs[sizeof columns / sizeof *columns] = {
	[RETAINED] = STAGE_DOMINATED,
};

/* Nothing for 0. */
static void cell_address(struct value *value, uint64_t address)
{
	if (address)
		cell_number(value, VALUE_ADDRESS, address);
}

static const struct goroutine *goroutine_of(const struct rows *rows, size_t row)
{
	return &rows->analysis->heap->goroutines[rows_id(rows, row)];
}

static bool select_group(struct rows *rows, uint64_t number, struct err *err)
{
	const struct groups *groups = rows->analysis->groups;
	if (number >= groups->count) {
		err_set(err, "There is no group %" PRIu64 " of goroutines; the table groups lists them",
				number);
		return argument_absent(rows->analysis->heap, DAMAGE_GOROUTINES, err);
	}
	const struct group *group = &groups->group[number];
	rows->count = group->count;
	rows->data = memcpy(mem_alloc(group->count * sizeof(uint32_t)), groups->members + group->first,
						group->count * sizeof(uint32_t));
	buf_addf(&rows->title, "goroutines of group %" PRIu64, number);
	return true;
}

static void select_named(struct rows *rows, goroutine_name *add, const char *wanted)
{
	const struct heap *heap = rows->analysis->heap;
	uint32_t *kept = rows->data = mem_alloc(heap->goroutine_count * sizeof *kept);
	struct buf name = {0};
	for (uint32_t g = 0; g < heap->goroutine_count; g++) {
		buf_clear(&name);
		add(rows->analysis, &heap->goroutines[g], &name);
		if (strcmp(buf_text(&name), wanted) == 0)
			kept[rows->count++] = g;
	}
	buf_free(&name);
	if (!rows->count)
		buf_add(&rows->note, "There are none of these.");
}

static bool select_some(struct rows *rows, const char *argument, struct err *err)
{
	static const struct {
		const char *word, *title;
		goroutine_name *add;
	} names[] = {
		{"creator=", "goroutines started by ", goroutine_add_creator},
		{"reason=", "goroutines that wait for ", goroutine_add_reason},
	};
	uint64_t number;
	bool ok = false;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t length = strlen(names[i].word);
		if (strncmp(argument, names[i].word, length) != 0)
			continue;
		select_named(rows, names[i].add, argument + length);
		buf_addf(&rows->title, "%s%s", names[i].title, argument + length);
		return true;
	}
	if (!argument_setting(argument, "group", &number, &ok) || !ok)
		return err_set(err, "Goroutines can be selected by group=N, creator=FUNCTION or "
							"reason=WORDS; the tables groups, creators and reasons list these");
	return select_group(rows, number, err);
}

static bool goroutines_open(struct rows *rows, const char *argument, struct err *err)
{
	if (*argument)
		return select_some(rows, argument, err);
	rows->count = rows->analysis->heap->goroutine_count;
	buf_add(&rows->title, "all goroutines");
	if (!rows->count)
		buf_add(&rows->note, "The dump holds no goroutines.");
	return true;
}

static void goroutines_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct analysis *analysis = rows->analysis;
	const struct goroutine *goroutine = goroutine_of(rows, row);
	uint64_t waited;
	switch (column) {
	case ID:
		cell_number(value, VALUE_ID, goroutine->record.id);
		break;
	case STATUS:
		cell_status(value, goroutine);
		break;
	case WAIT_REASON:
		cell_dump_text(value, goroutine->record.wait_reason);
		break;
	case WAITED:
		if (goroutine_waited(analysis->heap, goroutine, &waited))
			cell_number(value, VALUE_TIME, waited);
		break;
	case FRAMES:
		cell_number(value, VALUE_COUNT, goroutine->frames);
		break;
	case FUNCTION:
		cell_telling_function(value, analysis->heap, goroutine);
		break;
	case SOURCE:
		cell_telling_source(value, analysis, goroutine);
		break;
	case CREATED_BY:
		cell_creator(value, analysis, goroutine);
		break;
	case RETAINED:
		cell_retained_goroutine(value, analysis, rows_id(rows, row));
		break;
	case ADDRESS:
		cell_number(value, VALUE_ADDRESS, goroutine->record.address);
		break;
	case GROUP:
		cell_number(value, VALUE_ID, analysis->groups->of[rows_id(rows, row)]);
		break;
	case SYSTEM:
		cell_number(value, VALUE_BOOL, goroutine->record.system);
		break;
	case DUMPING:
		cell_number(value, VALUE_BOOL, goroutine->dumping);
		break;
	case CREATOR:
		cell_address(value, goroutine->record.creator_pc);
		break;
	case CONTEXT:
		cell_address(value, goroutine->record.context);
		break;
	case THREAD:
		cell_address(value, goroutine->record.m);
		break;
	}
}

static void goroutines_link(const struct rows *rows, size_t row, struct buf *command)
{
	buf_addf(command, "goroutine %" PRIu64, goroutine_of(rows, row)->record.id);
}

static enum row_style goroutines_style(const struct rows *rows, size_t row)
{
	const struct goroutine *goroutine = goroutine_of(rows, row);
	return goroutine->record.system || goroutine->dumping ? ROW_FAINT : ROW_PLAIN;
}

static uint64_t goroutines_address(const struct rows *rows, size_t row)
{
	return goroutine_of(rows, row)->record.address;
}

static void goroutines_holder(const struct rows *rows, size_t row, struct buf *out)
{
	buf_addf(out, "goroutine=%" PRIu64, goroutine_of(rows, row)->record.id);
}

const struct table table_goroutines = {
	.name = "goroutines",
	.from = DAMAGE_GOROUTINES,
	.help = "The goroutines, with what each waits for and where: all, or those of one group, creator "
			"or wait reason",
	.argument = "[group=N|creator=FUNCTION|reason=WORDS]",
	.needs = STAGE_NAMED,
	.parts = HAS_RUNTIME,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.column_needs = column_needs,
	.open = goroutines_open,
	.cell = goroutines_cell,
	.link = goroutines_link,
	.style = goroutines_style,
	.address = goroutines_address,
	.holder = goroutines_holder,
	.sort = -1,
};
