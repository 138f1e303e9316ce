/* The table of heaps broken down by call stack and type: a tree whose rows open into their parts,
   and the "<other>" that completes their sum; unfolded, a row per cell. */
#include "table/breakdown/breakdown_rows.h"
#include "table/cell.h"
#include "table/naming/typed.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/profile.h"

#include <inttypes.h>

/* Appends "malloc of process 21, dump 0x1, bottom-up, parts of 0.5% and more". */
static void add_title(const struct breakdown_rows *data, const struct heap_profile *heap_profile,
                      struct buf *title)
{
	const struct breakdown_query *query = &data->query;
	const struct text *name = data->set.heap_profiles->name;
	struct text allocator = name[heap_profile->allocator], dump = name[heap_profile->dump];
	text_add_escaped(title, allocator.data, allocator.len, 60);
	if (heap_profile->has_process)
		buf_addf(title, " of process %" PRIu64, heap_profile->process);
	buf_add(title, dump.len ? ", dump " : "");
	text_add_escaped(title, dump.data, dump.len, 60);
	buf_add(title, query->compare.len ? " compared with " : "");
	text_add_escaped(title, buf_text(&query->compare), query->compare.len, 60);
	buf_add(title, query->bottom_up ? ", bottom-up" : "");
	if (!query->least)
		return;
	buf_add(title, ", parts of ");
	breakdown_query_add_least(query, title);
	buf_add(title, " and more");
}

/* Adds the first selected heap, the only one in the tree. */
static bool breakdown_open_first(struct rows *rows, struct err *err)
{
	struct breakdown_rows *data = rows->data;
	const struct heap_profiles *heap_profiles = data->set.heap_profiles;
	size_t i = 0;
	while (i < heap_profiles->count
	       && !breakdown_query_has(&data->query, heap_profiles, &heap_profiles->heap_profile[i]))
		i++;
	if (i == heap_profiles->count)
		return breakdown_query_none(rows->analysis, err);
	breakdown_rows_add(rows, &heap_profiles->heap_profile[i]);
	add_title(data, &heap_profiles->heap_profile[i], &rows->title);
	if (data->set.own)
		breakdown_query_say_rate(rows);
	return true;
}

static bool breakdown_open(struct rows *rows, const char *argument, struct err *err)
{
	struct breakdown_rows *data = rows->data = mem_alloc(sizeof *data);
	heap_profile_set_init(&data->set, rows->analysis);
	if (!breakdown_query_parse(&data->query, argument, err))
		return false;
	if (!data->query.has_least)
		breakdown_query_usual_least(&data->query);
	return breakdown_open_first(rows, err);
}

/* Limits. Every row of an unfolded tree contains its whole stack, so the output for a chain of
   calls would grow with the square of its length. No real program has stacks as deep as this. */
enum { CALLS_SHOWN = 160, NAME_SHOWN = 512, STACK_SHOWN = 6144 /* bytes when printed */ };

/* The names of a stack, innermost first, up to the limits. */
struct calls {
	struct buf names;
	size_t start[CALLS_SHOWN], count;
	bool more; /* callers beyond the limits */
};

static void calls_init(struct calls *calls, const struct heap_profiles *heap_profiles,
                       uint32_t frame)
{
	calls->names = (struct buf){0};
	for (calls->count = 0; frame != FRAME_ROOT; frame = heap_profiles->frame[frame].parent) {
		if (calls->count == CALLS_SHOWN || calls->names.len > STACK_SHOWN)
			break;
		struct text name = heap_profiles->name[heap_profiles->frame[frame].name];
		calls->start[calls->count++] = calls->names.len;
		text_add_escaped(&calls->names, name.data, name.len, NAME_SHOWN);
	}
	calls->more = frame != FRAME_ROOT;
}

static void cell_stack(struct value *value, const struct breakdown *breakdown,
                       const struct breakdown_row *row)
{
	struct calls calls;
	calls_init(&calls, breakdown->heap_profiles, breakdown->cell[row->cell].frame);
	if (calls.more)
		buf_add(value->text, "<more calls>\n");
	for (size_t i = calls.count, end = calls.names.len; i-- > 0; end = calls.start[i]) {
		buf_add_bytes(value->text, buf_text(&calls.names) + calls.start[i], end - calls.start[i]);
		buf_add_char(value->text, '\n');
	}
	if (row->part.cell == CELL_NONE && row->axis == AXIS_STACK)
		buf_add(value->text, "<other>\n");
	value->kind = VALUE_LIST;
	buf_free(&calls.names);
}

/* Returns the number of sampled objects in the dump. */
static uint64_t breakdown_samples(const struct rows *rows)
{
	const struct profiles *profiles = &analysis_heap(rows->analysis)->profiles;
	uint64_t count = 0;
	for (uint32_t i = 0; i < profiles->sample_count; i++)
		count += profiles->sample[i].object != OBJECT_NONE
		         && profiles->sample[i].profile != PROFILE_NONE;
	return count;
}

/* Returns true for Go's profile of live objects, a sample of the objects in the dump. */
static bool breakdown_is_sampled(const struct rows *rows, const struct breakdown *breakdown)
{
	const struct breakdown_rows *data = rows->data;
	return data->set.own && breakdown->heap_profile == data->set.own->heap_profile
	       && analysis_heap(rows->analysis)->profiles.sample_count
	       && breakdown_samples(rows) < heap_object_count(analysis_heap(rows->analysis));
}

/* Appends "sampled 1 of 45,291 objects". */
static void breakdown_add_whole(const struct rows *rows, const struct breakdown *breakdown,
                                struct value *value)
{
	if (!breakdown_is_sampled(rows, breakdown)) {
		cell_text(value, "everything");
		return;
	}
	struct buf *out = cell_begin(value);
	buf_addf(out, "sampled %s of ", text_count(breakdown_samples(rows)).text);
	text_add_number_of(out, heap_object_count(analysis_heap(rows->analysis)), "object", "objects");
}

static bool breakdown_is_guess(const struct rows *rows, const struct breakdown *breakdown,
                               uint32_t type)
{
	const struct breakdown_rows *data = rows->data;
	return type != TYPE_ALL
	       && heap_profile_set_is_guess(&data->set, breakdown->heap_profiles->name[type]);
}

/* Shows what a row adds to its parent: "main.fill", "type T", "<other>". */
static void cell_step(struct value *value, const struct rows *rows,
                      const struct breakdown *breakdown, const struct breakdown_row *row)
{
	const struct heap_profiles *heap_profiles = breakdown->heap_profiles;
	const struct breakdown_cell *cell = &breakdown->cell[row->cell];
	bool type = row->axis == AXIS_TYPE;
	if (row->part.cell == CELL_NONE) {
		cell_text(value, "<other>");
	} else if (row->cell == 0) {
		breakdown_add_whole(rows, breakdown, value);
	} else {
		buf_add(value->text, type ? "type " : "");
		buf_add(value->text,
		        type_mark(type && breakdown_is_guess(rows, breakdown, cell->type) ? KNOWN_GUESS
		                                                                          : KNOWN_EXACT));
		cell_dump_text(
			value, heap_profiles->name[type ? cell->type : heap_profiles->frame[cell->frame].name]);
	}
}

static const struct heap_profile *breakdown_profile(const struct rows *rows, size_t row)
{
	return breakdown_of_row(rows->data, row)->heap_profile;
}

static void breakdown_process_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (breakdown_profile(rows, row)->has_process)
		cell_number(value, VALUE_ID, breakdown_profile(rows, row)->process);
}

static void breakdown_dump_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct breakdown_rows *data = rows->data;
	cell_dump_text(value, data->set.heap_profiles->name[breakdown_profile(rows, row)->dump]);
}

static void breakdown_allocator_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct breakdown_rows *data = rows->data;
	cell_dump_text(value, data->set.heap_profiles->name[breakdown_profile(rows, row)->allocator]);
}

static void breakdown_backtrace_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct breakdown_rows *data = rows->data;
	if (data->unfolded)
		cell_stack(value, breakdown_of_row(data, row), &data->row[row]);
	else
		cell_step(value, rows, breakdown_of_row(data, row), &data->row[row]);
}

static void breakdown_type_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct breakdown_rows *data = rows->data;
	const struct breakdown *breakdown = breakdown_of_row(data, row);
	const struct breakdown_row *at = &data->row[row];
	uint32_t type = breakdown->cell[at->cell].type;
	if (at->part.cell == CELL_NONE && at->axis == AXIS_TYPE)
		cell_text(value, "<other>");
	else if (type != TYPE_ALL)
		cell_dump_text(value, breakdown->heap_profiles->name[type]);
	value->guess = breakdown_is_guess(rows, breakdown, type);
}

static const struct part *breakdown_part(const struct rows *rows, size_t row)
{
	return &((const struct breakdown_rows *)rows->data)->row[row].part;
}

static void breakdown_size_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_number(value, VALUE_BYTES, breakdown_part(rows, row)->size);
	value->negative = breakdown_part(rows, row)->negative;
}

static void breakdown_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct breakdown *breakdown = breakdown_of_row(rows->data, row);
	uint64_t whole = breakdown->cell[0].size;
	if (breakdown_is_sampled(rows, breakdown) && analysis_heap(rows->analysis)->profiles.rate <= 1)
		whole = objects_bytes(analysis_heap(rows->analysis)->objects);
	cell_share(value, breakdown_part(rows, row)->size, whole);
	value->negative = breakdown_part(rows, row)->negative;
}

static void breakdown_count_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (breakdown_of_row(rows->data, row)->counted)
		cell_number(value, VALUE_COUNT, breakdown_part(rows, row)->count);
}

static bool is_not_compared(const struct rows *rows)
{
	return !((const struct breakdown_rows *)rows->data)->query.compare.len;
}

static void breakdown_change_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct part *part = breakdown_part(rows, row);
	bool less = part->size < part->before;
	if (is_not_compared(rows))
		return;
	cell_number(value, VALUE_BYTES, less ? part->before - part->size : part->size - part->before);
	value->negative = less;
}

/* Returns true if the title identifies the heap, so that its columns are hidden: only the tree has
   a single heap. */
static bool is_in_title(const struct rows *rows)
{
	(void)rows;
	return true;
}

static bool is_not_counted(const struct rows *rows)
{
	return !((const struct breakdown_rows *)rows->data)->breakdown[0]->counted;
}

static const struct column columns[] = {
	{"process", "process", "Number of the process", VALUE_ID, 8, 2, .cell = breakdown_process_cell,
     .absent = is_in_title},
	{"dump", "dump", "Id of the memory dump", VALUE_TEXT, 8, 2, .cell = breakdown_dump_cell,
     .absent = is_in_title},
	{"allocator", "allocator", "Name of the heap in the process", VALUE_TEXT, 12, 1,
     .cell = breakdown_allocator_cell, .absent = is_in_title},
	{"backtrace", "stack",
     "The call stack, outermost call first; in a tree the call or the type that the row adds. "
     "<self>: allocations of the previous function itself; <other>: entries without details, or "
     "smaller than min; <more calls>: calls outside of the innermost 160, which the tree shows: "
     "min=0 --depth 9999",
     VALUE_LIST, 0, 0, .cell = breakdown_backtrace_cell},
	{"type", "type", "Type of the allocations; none: all types together", VALUE_TEXT, 20, 0,
     .cell = breakdown_type_cell, .absent = is_in_title},
	{"size", "size", "Bytes that these stacks and all of their callees have allocated", VALUE_BYTES,
     9, 0, .cell = breakdown_size_cell},
	{"share", "share",
     "Share of the heap; for live without scaling, share of all objects in the dump", VALUE_SHARE,
     6, 0, .cell = breakdown_share_cell},
	{"count", "count", "Number of these allocations", VALUE_COUNT, 10, 1,
     .cell = breakdown_count_cell, .absent = is_not_counted},
	{"change", "change", "Change in bytes since the dump that it is compared with", VALUE_BYTES, 10,
     0, .cell = breakdown_change_cell, .absent = is_not_compared},
};

/* Links rows without children to the objects that were allocated there. Bottom-up stacks have no
   such objects, since their frames differ. */
static void breakdown_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct breakdown_rows *data = rows->data;
	const struct breakdown_row *at = &data->row[row];
	const struct breakdown *breakdown = breakdown_of_row(data, row);
	uint32_t frame = breakdown->cell[at->cell].frame;
	if (at->can_open || at->part.cell == CELL_NONE || breakdown->own)
		return;
	const struct heap_profile_frame *known = &breakdown->heap_profiles->frame[frame];
	heap_profile_set_link(&data->set, rows->analysis,
	                      known->name == NAME_SELF ? known->parent : frame, command);
}

static const struct table_tree tree = {
	.has_below = breakdown_has_below,
	.below = breakdown_below,
	.turn = breakdown_turn,
	.unfold = breakdown_unfold,
	.weight = "size",
};

static bool breakdown_has_rows(const struct analysis *analysis)
{
	if (!analysis_has(analysis, STAGE_READ))
		return true;
	const struct heap *heap = analysis_heap(analysis);
	return heap->heap_profiles ? heap->heap_profiles->count : heap->profiles.count;
}

DEFINE_PLUGIN(tables, struct table, table_breakdown) = {
	.rank = 440,
	.name = "breakdown",
	.from = DAMAGE_PROFILE,
	.help = "Heaps broken down by call stack and type at every level: the bytes that a stack and "
			"its callees have allocated; the parts of a row always add up to it. A tree of the "
			"first heap that ARG selects, in the order of breakdown by heap; in the shell, every "
			"row of all heaps",
	.argument = "[process=N dump=ID allocator=NAME compare=ID min=BYTES bottom-up]",
	.needs = STAGE_TYPED,
	.parts = PART_BREAKDOWN,
	.has_rows = breakdown_has_rows,
	COLUMNS(columns),
	.open = breakdown_open,
	.link = breakdown_link,
	.close = breakdown_rows_close,
	.tree = &tree,
};
