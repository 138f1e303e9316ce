/* Heaps broken down by call stack and type: a row a cell, callers before what they call, and the
   "<other>" that makes the parts of a cell add up to it. */
#include "table/cell.h"
#include "table/choice.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdlib.h>

enum { PROCESS, DUMP, ALLOCATOR, BACKTRACE, TYPE, SIZE, SHARE, COUNT, CHANGE };

static const struct column columns[] = {
	[PROCESS] = {"process", "process", "Number of the process", VALUE_ID, 8, 2},
	[DUMP] = {"dump", "dump", "Id of the memory dump", VALUE_TEXT, 8, 2},
	[ALLOCATOR] = {"allocator", "allocator", "Which heap of the process", VALUE_TEXT, 12, 1},
	[BACKTRACE] = {"backtrace", "stack",
				   "The call stack, its root first; <self>: what the function before it has "
				   "allocated itself; <other>: what is not told in detail",
				   VALUE_LIST, 0, 0},
	[TYPE] = {"type", "type", "Type that was allocated; none: all types together", VALUE_TEXT, 20,
			  0},
	[SIZE] = {"size", "size", "Bytes that such stacks and whatever they call have allocated",
			  VALUE_BYTES, 9, 0},
	[SHARE] = {"share", "share", "Their part of the whole heap", VALUE_SHARE, 6, 0},
	[COUNT] = {"count", "count", "Allocations that these are of", VALUE_COUNT, 10, 1},
	[CHANGE] = {"change", "change", "Bytes more, or less, than in the dump that it is compared with",
				VALUE_BYTES, 10, 0},
};

struct row {
	uint32_t breakdown, cell;
	enum row_kind { ROW_CELL, ROW_OTHER_STACK, ROW_OTHER_TYPE } kind;
	struct part part;
};

struct breakdowns {
	struct account_set set;
	struct breakdown **breakdown;
	size_t count, capacity;
	struct row *row;
	size_t row_capacity;
};

static void breakdown_close(struct rows *rows)
{
	struct breakdowns *data = rows->data;
	for (size_t i = 0; i < data->count; i++)
		breakdown_free(data->breakdown[i]);
	free(data->breakdown);
	free(data->row);
	account_set_fini(&data->set);
	free(data);
}

static struct row cell_row(const struct breakdowns *data, uint32_t cell)
{
	uint32_t last = (uint32_t)data->count - 1;
	const struct breakdown_cell *at = &data->breakdown[last]->cell[cell];
	struct part part = {.cell = cell, .size = at->size, .count = at->count, .before = at->before};
	return (struct row){last, cell, ROW_CELL, part};
}

static void add_row(struct rows *rows, const struct row *row)
{
	struct breakdowns *data = rows->data;
	data->row = mem_grow(data->row, rows->count, &data->row_capacity, sizeof *data->row);
	data->row[rows->count++] = *row;
}

/* Rows that are still to come; the last is the next. */
struct pile {
	struct row *row;
	size_t count, capacity;
	uint64_t least;
	bool *seen; /* cells */
};

static void put(struct pile *pile, const struct row *row)
{
	pile->row = mem_grow(pile->row, pile->count, &pile->capacity, sizeof *pile->row);
	pile->row[pile->count++] = *row;
}

/* Puts the parts of a row's cell on the pile, so that the largest comes first and the rest last. */
static void put_parts(const struct breakdowns *data, struct pile *pile, const struct row *row,
					  enum axis axis)
{
	struct part *parts;
	size_t count = breakdown_parts(data->breakdown[row->breakdown], row->cell, axis, pile->least,
								   &parts);
	while (count--) {
		struct row part = *row;
		part.part = parts[count];
		part.kind = axis == AXIS_STACK ? ROW_OTHER_STACK : ROW_OTHER_TYPE;
		if (parts[count].cell != CELL_NONE)
			part = cell_row(data, parts[count].cell);
		put(pile, &part);
	}
	free(parts);
}

/* Stacks go on with all types together; of one type, what is not told of them comes at once. */
static void add_rest_of_type(struct rows *rows, const struct pile *pile, const struct row *row)
{
	const struct breakdowns *data = rows->data;
	struct row rest = *row;
	struct part *parts;
	size_t count = breakdown_parts(data->breakdown[row->breakdown], row->cell, AXIS_STACK,
								   pile->least, &parts);
	rest.kind = ROW_OTHER_STACK;
	if (count && parts[count - 1].cell == CELL_NONE) {
		rest.part = parts[count - 1];
		add_row(rows, &rest);
	}
	free(parts);
}

static void walk(struct rows *rows, struct pile *pile)
{
	const struct breakdowns *data = rows->data;
	while (pile->count) {
		struct row row = pile->row[--pile->count];
		const struct breakdown_cell *cell = &data->breakdown[row.breakdown]->cell[row.cell];
		add_row(rows, &row);
		if (row.kind != ROW_CELL)
			continue;
		pile->seen[row.cell] = true;
		if (cell->type != TYPE_ALL) {
			add_rest_of_type(rows, pile, &row);
			continue;
		}
		put_parts(data, pile, &row, AXIS_STACK);
		put_parts(data, pile, &row, AXIS_TYPE);
	}
}

/* Cells that nothing leads to, which only a damaged heap has, come last. */
static void add_heap(struct rows *rows, const struct choice *choice, const struct account *account)
{
	struct breakdowns *data = rows->data;
	const struct account *base = choice_base(choice, data->set.accounts, account);
	data->breakdown =
		mem_grow(data->breakdown, data->count, &data->capacity, sizeof(struct breakdown *));
	struct breakdown *breakdown = data->breakdown[data->count++] =
		breakdown_new(data->set.accounts, account, base, choice->bottom_up);
	struct pile pile = {.least = choice_least(choice, breakdown->cell[0].size),
						.seen = mem_alloc(breakdown->count * sizeof(bool))};
	for (uint32_t cell = 0; cell < breakdown->count; cell++) {
		struct row row = cell_row(data, cell);
		if (pile.seen[cell] || (cell && row.part.size < pile.least && row.part.before < pile.least))
			continue;
		put(&pile, &row);
		walk(rows, &pile);
	}
	free(pile.row);
	free(pile.seen);
}

static bool open_chosen(struct rows *rows, const struct choice *choice, struct err *err)
{
	struct breakdowns *data = rows->data;
	const struct accounts *accounts = data->set.accounts;
	for (size_t i = 0; i < accounts->count; i++)
		if (choice_has(choice, accounts, &accounts->account[i]))
			add_heap(rows, choice, &accounts->account[i]);
	if (!rows->count)
		return choice_none(rows->analysis, err);
	rows->hidden = choice->compare.len ? 0 : 1U << CHANGE;
	buf_add(&rows->title, "heaps by call stack and type");
	return true;
}

static bool breakdown_open(struct rows *rows, const char *argument, struct err *err)
{
	struct breakdowns *data = rows->data = mem_alloc(sizeof *data);
	struct choice choice;
	account_set_init(&data->set, rows->analysis);
	bool opened = choice_parse(&choice, argument, err) && open_chosen(rows, &choice, err);
	choice_fini(&choice);
	return opened;
}

static void add_item(struct buf *list, struct text text)
{
	text_add_visible(list, text.data, text.len, SIZE_MAX);
	buf_add_char(list, '\n');
}

static void cell_stack(struct value *value, const struct breakdown *breakdown,
					   const struct row *row)
{
	const struct accounts *accounts = breakdown->accounts;
	uint32_t frame = breakdown->cell[row->cell].frame;
	size_t depth = accounts_depth(accounts, frame), left = depth;
	uint32_t *names = mem_alloc((depth + 1) * sizeof *names);
	for (; frame != FRAME_ROOT; frame = accounts->frame[frame].parent)
		names[--left] = accounts->frame[frame].name;
	for (size_t i = 0; i < depth; i++)
		add_item(value->text, accounts->name[names[i]]);
	if (row->kind == ROW_OTHER_STACK)
		buf_add(value->text, "<other>\n");
	value->kind = VALUE_LIST;
	free(names);
}

static void cell_change(struct value *value, const struct part *part)
{
	bool less = part->size < part->before;
	cell_number(value, VALUE_BYTES, less ? part->before - part->size : part->size - part->before);
	value->negative = less;
}

static void breakdown_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct breakdowns *data = rows->data;
	const struct row *at = &data->row[row];
	const struct breakdown *breakdown = data->breakdown[at->breakdown];
	const struct breakdown_cell *cell = &breakdown->cell[at->cell];
	switch (column) {
	case PROCESS:
	case DUMP:
	case ALLOCATOR:
		cell_account(value, data->set.accounts, breakdown->account,
					 (enum account_part)(column - PROCESS));
		break;
	case BACKTRACE:
		cell_stack(value, breakdown, at);
		break;
	case TYPE:
		if (at->kind == ROW_OTHER_TYPE)
			cell_text(value, "<other>");
		else if (cell->type != TYPE_ALL)
			cell_dump_text(value, breakdown->accounts->name[cell->type]);
		break;
	case SIZE:
		cell_number(value, VALUE_BYTES, at->part.size);
		value->negative = at->part.negative;
		break;
	case SHARE:
		cell_share(value, at->part.size, breakdown->cell[0].size);
		value->negative = at->part.negative;
		break;
	case COUNT:
		if (breakdown->counted)
			cell_number(value, VALUE_COUNT, at->part.count);
		break;
	case CHANGE:
		if (!(rows->hidden >> CHANGE & 1))
			cell_change(value, &at->part);
		break;
	}
}

const struct table table_breakdown = {
	.name = "breakdown",
	.help = "Heaps broken down by call stack and type, at every level: what allocations of a stack "
			"and whatever it calls take; the parts of a row always add up to it",
	.argument = "[process=N dump=ID allocator=NAME compare=ID min=BYTES bottom-up]",
	.needs = STAGE_TYPED,
	.parts = HAS_BREAKDOWN,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = breakdown_open,
	.cell = breakdown_cell,
	.close = breakdown_close,
	.sort = -1,
};
