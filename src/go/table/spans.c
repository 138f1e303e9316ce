/* The table of the heap's spans: pages divided into slots of one size, stacks, and free pages. */
#include "table/cell.h"
#include "table/contents/span.h"
#include "table/owners/row_owner.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "go/runtime/gospans.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const states[SPAN_STATES] = {
	[SPAN_IN_USE] = "in use", [SPAN_STACK] = "stack",       [SPAN_RUNTIME] = "runtime",
	[SPAN_FREE] = "free",     [SPAN_RELEASED] = "released",
};

struct spans_rows {
	struct gospans all;
	uint32_t *kept; /* indices of the spans in a state; NULL: all */
};

static const struct span_record *spans_row_of(const struct rows *rows, size_t row)
{
	const struct spans_rows *own = rows->data;
	return &own->all.span[own->kept ? own->kept[row] : row];
}

static const void *spans_record(const struct rows *rows, size_t row)
{
	return spans_row_of(rows, row);
}

static bool spans_select_state(struct rows *rows, const char *name, struct err *err)
{
	struct spans_rows *own = rows->data;
	uint64_t state = 0;
	while (state < SPAN_STATES && strcmp(states[state], name) != 0)
		state++;
	if (state == SPAN_STATES)
		return err_set(err,
		               "Spans can be selected by their state: in use, stack, runtime, free, "
		               "released, not by \"%.60s\"",
		               name);
	own->kept = mem_alloc((own->all.count + 1) * sizeof *own->kept);
	rows->count = 0;
	for (size_t i = 0; i < own->all.count; i++)
		if (own->all.span[i].state == state)
			own->kept[rows->count++] = (uint32_t)i;
	buf_addf(&rows->title, ", %s", name);
	return true;
}

/* Appends notes about what the dump does not record. */
static void spans_say(struct rows *rows)
{
	const struct spans_rows *own = rows->data;
	if (!own->all.own) {
		buf_add(&rows->note, rows->count ? "" : "There is no span in this state.");
		return;
	}
	buf_add(&rows->note, "Spans are derived from the addresses of objects. A heap dump does not "
	                     "record spans without objects, stacks or free pages.");
	span_doubt(analysis_heap(rows->analysis), &rows->note);
	if (!own->all.unplaced)
		return;
	buf_addf(&rows->note, " %s where the allocator has no slot, and left out.",
	         text_number_of(own->all.unplaced, "object is", "objects are").text);
}

static bool spans_open(struct rows *rows, const char *argument, struct err *err)
{
	struct spans_rows *own = rows->data = mem_alloc(sizeof *own);
	gospans_init(&own->all, analysis_heap(rows->analysis));
	own->kept = NULL;
	rows->count = own->all.count;
	buf_add(&rows->title, "spans of the heap");
	if (*argument && !spans_select_state(rows, argument, err))
		return false;
	spans_say(rows);
	return true;
}

static void spans_close(struct rows *rows)
{
	struct spans_rows *own = rows->data;
	gospans_fini(&own->all);
	free(own->kept);
}

/* Returns the first object in the span, which is free only when all of its objects are. */
static uint32_t spans_object(const struct rows *rows, size_t row)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	const struct span_record *span = spans_row_of(rows, row);
	uint32_t id = heap_first_from(heap, span->address);
	if (!span->objects || id == OBJECT_NONE
	    || heap_address(heap, id) - span->address >= span->bytes)
		return OBJECT_NONE;
	return id;
}

static struct entity spans_entity(const struct rows *rows, size_t row)
{
	return entity_of_object(spans_object(rows, row));
}

static void spans_members(const struct rows *rows, uint32_t *row_of)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	for (size_t row = 0; row < rows->count; row++) {
		const struct span_record *span = spans_row_of(rows, row);
		for (uint32_t id = spans_object(rows, row);
		     id < heap_object_count(heap) && heap_address(heap, id) - span->address < span->bytes;
		     id++)
			row_of[id] = (uint32_t)row;
	}
}

static bool spans_have_one_state(const struct rows *rows)
{
	return ((const struct spans_rows *)rows->data)->all.own;
}

static void spans_state_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_text(value, states[spans_row_of(rows, row)->state]);
}

static bool spans_has_slots(const struct span_record *span)
{
	return span->state == SPAN_IN_USE;
}

static void spans_slots_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (spans_has_slots(spans_row_of(rows, row)))
		cell_field(rows, spans_row_of(rows, row), value);
}

static void spans_free_slots_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (spans_has_slots(spans_row_of(rows, row)))
		cell_number(value, VALUE_COUNT, gospans_free_slots(spans_row_of(rows, row)));
}

static void spans_free_bytes_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct span_record *span = spans_row_of(rows, row);
	if (spans_has_slots(span))
		cell_number(value, VALUE_BYTES, gospans_free_slots(span) * span->size);
	else if (span->state >= SPAN_FREE)
		cell_number(value, VALUE_BYTES, span->bytes);
}

static const struct column columns[] = {
	{"address", "address", "Its address", VALUE_ADDRESS, 14, 0, FIELD(struct span_record, address)},
	{"bytes", "bytes", "Its size in bytes, a multiple of the runtime's page size of 8 KB",
     VALUE_BYTES, 8, 0, FIELD(struct span_record, bytes)},
	{"state", "state",
     "in use: objects; stack: stacks of goroutines; runtime: work of the collector; free; "
     "released: free, and returned to the operating system",
     VALUE_TEXT, 8, 0, .cell = spans_state_cell, .absent = spans_have_one_state},
	{"class", "class", "Its size class, 0 for one large object", VALUE_ID, 5, 2,
     .cell = spans_slots_cell, FIELD(struct span_record, class)},
	{"slot_size", "slot", "Bytes of a slot, or of a stack", VALUE_BYTES, 8, 0,
     FIELD_UNLESS_0(struct span_record, size)},
	{"slots", "slots", "Number of its slots", VALUE_COUNT, 6, 2, .cell = spans_slots_cell,
     FIELD(struct span_record, slots)},
	{"objects", "objects", "Number of objects in it", VALUE_COUNT, 7, 0, .cell = spans_slots_cell,
     FIELD(struct span_record, objects)},
	{"free_slots", "free", "Number of slots without an object", VALUE_COUNT, 6, 2,
     .cell = spans_free_slots_cell},
	{"free_bytes", "unused", "Bytes of these slots, or of free pages", VALUE_BYTES, 9, 0,
     .cell = spans_free_bytes_cell},
	{"no_pointers", "no ptr",
     "Do its objects have no pointers, so that the collector does not "
     "scan them?",
     VALUE_BOOL, 6, 3, .cell = spans_slots_cell, FIELD(struct span_record, no_pointers)},
	{"kept_by", "kept by",
     "The first object in it: while there is any, the span cannot be used for slots of another "
     "size",
     VALUE_ADDRESS, 14, 3, .cell = object_address_cell},
	{"type", "first object", "Type of that object, or its shape", VALUE_TEXT, 0, 0,
     .coding = &object_type_coding, .stages = STAGE_TYPED},
	{"name", "where", "The path to that object, as every command accepts it", VALUE_TEXT, 30, 4,
     .cell = object_expression_cell, .stages = STAGE_REACHED | STAGE_TYPED},
	{ROW_OWNER, .width = 24, .rank = 5},
	{ROW_OWNER_SHARE, .width = 9, .rank = 5},
};

static void spans_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct span_record *span = spans_row_of(rows, row);
	if (span->objects)
		buf_addf(command, "objects span=0x%" PRIx64, span->address);
	else if (span->state == SPAN_STACK)
		buf_add(command, "goroutines");
}

static enum row_style spans_style(const struct rows *rows, size_t row)
{
	return spans_row_of(rows, row)->state == SPAN_IN_USE ? ROW_PLAIN : ROW_FAINT;
}

DEFINE_PLUGIN(tables, struct table, table_spans) = {
	.rank = 95,
	.name = "spans",
	.rare = true,
	.help =
		"The spans of the heap: runs of pages that are divided into slots of one size; for a core "
		"file or a process also stacks and free pages; all, or those of one state",
	.argument = "[in use|stack|runtime|free|released]",
	.needs = STAGE_READ,
	.parts = PART_GO | PART_MEMORY,
	COLUMNS(columns),
	.open = spans_open,
	.close = spans_close,
	.record = spans_record,
	.entity = spans_entity,
	.members = spans_members,
	.link = spans_link,
	.style = spans_style,
};
