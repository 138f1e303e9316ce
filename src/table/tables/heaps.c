/* The heaps that can be broken down: of every process, dump and allocator. */
#include "table/cell.h"
#include "table/choice.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PROCESS, NAME, DUMP, KIND, TIME, ALLOCATOR, SIZE, COUNT, ENTRIES };

static const struct column columns[] = {
	[PROCESS] = {"process", "process", "Number of the process", VALUE_ID, 8, 0},
	[NAME] = {"process_name", "name", "Name of the process", VALUE_TEXT, 14, 1},
	[DUMP] = {"dump", "dump", "Id of the memory dump: the same in all processes", VALUE_TEXT, 8, 0},
	[KIND] = {"dump_kind", "kind", "Why it was taken", VALUE_TEXT, 20, 2},
	[TIME] = {"time", "time", "When, by the clock of the trace", VALUE_TIME, 8, 1},
	[ALLOCATOR] = {"allocator", "allocator",
				   "Which heap of the process; of Go's allocation profile: live, the objects of the "
				   "dump that it has recorded; inuse, what it counts as allocated and not freed, up "
				   "to two collections late; alloc, all that it ever saw",
				   VALUE_TEXT, 0, 0},
	[SIZE] = {"size", "size", "Bytes of the heap", VALUE_BYTES, 9, 0},
	[COUNT] = {"count", "count", "Allocations that these are of", VALUE_COUNT, 10, 0},
	[ENTRIES] = {"entries", "entries", "Entries of stacks and types", VALUE_COUNT, 8, 1},
};

struct heaps {
	struct account_set set;
	struct breakdown_cell *total;
};

static void heaps_close(struct rows *rows)
{
	struct heaps *heaps = rows->data;
	account_set_fini(&heaps->set);
	free(heaps->total);
	free(heaps);
}

/* The sum of what stacks have themselves, or what the empty stack has. */
static struct breakdown_cell total_of(const struct accounts *accounts,
									  const struct account *account)
{
	struct breakdown_cell total = {0};
	const struct account_entry *entry = &accounts->entry[account->first];
	for (size_t i = 0; i < account->count; i++) {
		if (account->cumulative && (entry[i].frame != FRAME_ROOT || entry[i].type != TYPE_ALL))
			continue;
		total.size = accounts_sum(total.size, entry[i].size);
		total.count = accounts_sum(total.count, entry[i].count);
	}
	return total;
}

static bool heaps_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	struct heaps *heaps = rows->data = mem_alloc(sizeof *heaps);
	account_set_init(&heaps->set, rows->analysis);
	const struct accounts *accounts = heaps->set.accounts;
	rows->count = accounts->count;
	heaps->total = mem_alloc(rows->count * sizeof *heaps->total);
	for (size_t i = 0; i < rows->count; i++)
		heaps->total[i] = total_of(accounts, &accounts->account[i]);
	buf_add(&rows->title, "heaps that are told by call stack");
	if (!rows->count) {
		struct err none = {0};
		choice_none(rows->analysis, &none);
		buf_addf(&rows->note, "%s.", none.text);
	}
	if (rows->analysis->heap->format->has & HAS_RUNTIME)
		rows->hidden = 1U << PROCESS | 1U << NAME | 1U << DUMP | 1U << KIND | 1U << TIME;
	return true;
}

static void heaps_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct heaps *heaps = rows->data;
	const struct accounts *accounts = heaps->set.accounts;
	const struct account *account = &accounts->account[row];
	switch (column) {
	case PROCESS:
		cell_account(value, accounts, account, ACCOUNT_PROCESS);
		break;
	case NAME:
		cell_dump_text(value, accounts->name[account->process_name]);
		break;
	case DUMP:
		cell_account(value, accounts, account, ACCOUNT_DUMP);
		break;
	case KIND:
		cell_dump_text(value, accounts->name[account->dump_kind]);
		break;
	case TIME:
		if (account->has_time && account->time < UINT64_MAX / 1000)
			cell_number(value, VALUE_TIME, account->time * 1000);
		break;
	case ALLOCATOR:
		cell_account(value, accounts, account, ACCOUNT_ALLOCATOR);
		break;
	case SIZE:
		cell_number(value, VALUE_BYTES, heaps->total[row].size);
		break;
	case COUNT:
		if (account->counted)
			cell_number(value, VALUE_COUNT, heaps->total[row].count);
		break;
	case ENTRIES:
		cell_number(value, VALUE_COUNT, account->count);
		break;
	}
}

static void heaps_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct heaps *heaps = rows->data;
	account_link(heaps->set.accounts, &heaps->set.accounts->account[row], command);
}

const struct table table_heaps = {
	.name = "heaps",
	.from = DAMAGE_PROFILE,
	.help = "The heaps that are told by call stack: of every process, dump and allocator of a "
			"trace, or what Go's allocation profile has; a row leads to its breakdown",
	.needs = STAGE_READ,
	.parts = HAS_BREAKDOWN,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = heaps_open,
	.cell = heaps_cell,
	.link = heaps_link,
	.close = heaps_close,
	.sort = -1,
};
