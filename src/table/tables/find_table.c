/* The table of occurrences of a text or bytes in objects, data segments and frames. */
#include "table/naming/argument.h"
#include "table/naming/found_place.h"
#include "table/naming/typed.h"

#include "analysis/find.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"

#include <inttypes.h>
#include <string.h>

enum { MOST = 1000000, BEFORE = 24, AFTER = 48, NEEDLE_SHOWN = 64 };

struct find_data {
	struct find_hits hits;
	struct buf needle;
};

/* The memory that contains a hit. */
struct memory {
	const char *kind;
	uint64_t address, size;
	const uint8_t *data;
	uint64_t stored;
};

static void find_close(struct rows *rows)
{
	struct find_data *data = rows->data;
	find_hits_fini(&data->hits);
	buf_free(&data->needle);
}

static bool find_open(struct rows *rows, const char *argument, struct err *err)
{
	struct find_data *data = rows->data = mem_alloc(sizeof *data);
	if (!argument_bytes(argument, &data->needle, err))
		return false;
	if (!find_bytes(analysis_heap(rows->analysis), data->needle.data, data->needle.len, MOST,
	                rows->progress, &data->hits))
		return err_set(err, "The search was stopped");
	rows->count = data->hits.count;
	buf_add(&rows->title, "found ");
	text_add_escaped(&rows->title, argument, strlen(argument), NEEDLE_SHOWN);
	if (data->hits.more)
		buf_add(&rows->title, ", only the first million places");
	return true;
}

/* Returns where it is, without what an object has: that takes long for one of a core file. */
static struct memory place_of(const struct heap *heap, const struct find_hit *hit)
{
	if (hit->place == FIND_SEGMENT) {
		const struct segment_record *segment = &heap->segments[hit->index];
		return (struct memory){segment->bss ? "bss" : "data", segment->address, segment->size,
		                       segment->data, segment->size};
	}
	if (hit->place == FIND_FRAME) {
		const struct frame_record *frame = &heap->frames[hit->index].record;
		return (struct memory){"frame", frame->sp, frame->size, frame->data, frame->size};
	}
	return (struct memory){"object", heap_address(heap, hit->index), heap_size(heap, hit->index),
	                       NULL, 0};
}

static struct memory memory_of(const struct heap *heap, const struct find_hit *hit)
{
	struct object_record object;
	struct memory memory = place_of(heap, hit);
	if (hit->place == FIND_OBJECT && heap_object(heap, hit->index, &object)) { /* false if the file
		                                                                          has changed */
		memory.data = object.data + object.header;
		memory.stored = object.stored - object.header;
	}
	return memory;
}

static bool find_is_text(uint32_t c)
{
	return c >= 0x20 && c != 0x7f && c != 0xfffd;
}

/* Returns how many bytes before data[at] are text, without splitting a character. */
static uint64_t text_before(const uint8_t *data, uint64_t at)
{
	uint64_t start = at;
	while (start > 0 && at - start < BEFORE) {
		uint64_t step = 1;
		uint32_t c;
		while (step < 4 && step < start && (data[start - step] & 0xc0) == 0x80)
			step++;
		if (text_decode((const char *)data + start - step, step, &c) != step || !find_is_text(c))
			break;
		start -= step;
	}
	return at - start;
}

static uint64_t text_after(const uint8_t *data, uint64_t at, uint64_t size)
{
	uint64_t end = at;
	while (end < size && end - at < AFTER) {
		uint32_t c;
		size_t step = text_decode((const char *)data + end, size - end, &c);
		if (!find_is_text(c))
			break;
		end += step;
	}
	return end - at;
}

static struct memory find_place(const struct rows *rows, size_t row)
{
	return place_of(analysis_heap(rows->analysis), rows_record(rows, row));
}

static struct entity find_entity(const struct rows *rows, size_t row)
{
	const struct find_hit *hit = rows_record(rows, row);
	return entity_of_object(hit->place == FIND_OBJECT ? hit->index : OBJECT_NONE);
}

static void find_place_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct memory place = find_place(rows, row);
	cell_field(rows, &place, value);
}

static void find_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	found_add_name(rows->analysis, rows_record(rows, row), cell_begin(value));
}

static void find_expression_cell(const struct rows *rows, size_t row, struct value *value)
{
	found_add_expression(rows->analysis, rows_record(rows, row), cell_begin(value));
}

static void find_text_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct find_data *data = rows->data;
	const struct find_hit *hit = rows_record(rows, row);
	struct memory memory = memory_of(analysis_heap(rows->analysis), hit);
	uint64_t len = data->needle.len, end = hit->offset + len;
	if (!memory.data || memory.stored < end)
		return;
	uint64_t before = text_before(memory.data, hit->offset);
	uint64_t after = text_after(memory.data, end, memory.stored);
	text_add_escaped(cell_begin(value), (const char *)memory.data + hit->offset - before,
	                 before + len + after, BEFORE + AFTER + NEEDLE_SHOWN);
}

static void find_type_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_type(value, rows->analysis, find_entity(rows, row).id);
}

static void find_kind_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_text(value, find_place(rows, row).kind);
}

/* Returns true without an executable, which defines fields and variables. */
static bool find_unnamed(const struct rows *rows)
{
	const struct names *names = analysis_names(rows->analysis);
	return names && !names->exe;
}

static const struct column columns[] = {
	{"text", "found", "The match, with the text around it", VALUE_TEXT, 26, 0,
     .cell = find_text_cell},
	{"expression", "where", "The path to it, as every command takes it", VALUE_TEXT, 0, 0,
     .cell = find_expression_cell, .stages = STAGE_TYPED | STAGE_REVERSED},
	{"type", "type",
     "Type of the object, or of each of the values in it; without one what it looks like",
     VALUE_TEXT, 16, 1, .cell = find_type_cell, .stages = STAGE_TYPED},
	{"address", "address", "Address of the object, data segment or frame that contains it",
     VALUE_ADDRESS, 14, 1, .cell = find_place_cell, FIELD(struct memory, address)},
	{"offset", "offset", "Offset of the match from that address", VALUE_OFFSET, 9, 2,
     FIELD(struct find_hit, offset)},
	{"kind", "in", "Kind of the place: object, data, bss or frame", VALUE_TEXT, 6, 3,
     .cell = find_kind_cell},
	{"size", "size", "Bytes of the object, data segment or frame", VALUE_BYTES, 9, 3,
     .cell = find_place_cell, FIELD(struct memory, size)},
	{"name", "field", "The field or variable in which it begins", VALUE_TEXT, 16, 4,
     .cell = find_name_cell, .stages = STAGE_TYPED, .absent = find_unnamed},
};

/* Links to the page of the object, at the field; to the bytes of other memory. */
static void find_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct find_hit *hit = rows_record(rows, row);
	uint64_t address = find_place(rows, row).address + hit->offset;
	buf_addf(command, "%s 0x%" PRIx64, hit->place == FIND_OBJECT ? "object" : "hex", address);
}

DEFINE_PLUGIN(tables, struct table, table_found) = {
	.rank = 120,
	.name = "find",
	.from = DAMAGE_GLOBALS,
	.help = "All occurrences of a text, or of bytes as 0x0a1b, in objects, data segments and "
			"stack frames, one per row",
	.argument = "TEXT|0xBYTES",
	.needs = STAGE_READ,
	.contents = true,
	.parts = PART_MEMORY,
	.searches = true,
	COLUMNS(columns),
	.open = find_open,
	.none = "No object, data segment or stack frame has these bytes.",
	.link = find_link,
	RECORDS(struct find_data, hits.hit),
	.entity = find_entity,
	.close = find_close,
};
