/* Where a text or bytes stand in the contents of objects, of the data segments and of frames. */
#include "table/argument.h"
#include "table/step.h"
#include "table/typed.h"

#include "analysis/find.h"
#include "base/mem.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ADDRESS, OFFSET, TYPE, NAME, TEXT, KIND, SIZE };

static const struct column columns[] = {
	[ADDRESS] = {"address", "address", "Address of the object, data segment or frame that has it",
	             VALUE_ADDRESS, 14, 0},
	[OFFSET] = {"offset", "offset", "Where it begins, from that address", VALUE_OFFSET, 9, 0},
	[TYPE] = {"type", "type", "Type of the object", VALUE_TEXT, 18, 0},
	[NAME] = {"name", "name", "The field or variable that it begins in", VALUE_TEXT, 16, 1},
	[TEXT] = {"text", "text", "What was found, with the text around it", VALUE_TEXT, 0, 0},
	[KIND] = {"kind", "in", "What has it: object, data, bss or frame", VALUE_TEXT, 6, 2},
	[SIZE] = {"size", "size", "Bytes of the object, data segment or frame", VALUE_BYTES, 9, 2},
};

static const enum stage column_needs[sizeof columns / sizeof *columns] = {
	[TYPE] = STAGE_TYPED, [NAME] = STAGE_TYPED,
};

enum { MOST = 1000000, BEFORE = 24, AFTER = 48, NEEDLE_SHOWN = 64 };

struct find_data {
	struct find_hits hits;
	struct buf needle;
};

/* The memory that a hit is in. */
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
	free(data);
}

static bool find_open(struct rows *rows, const char *argument, struct err *err)
{
	struct find_data *data = rows->data = mem_alloc(sizeof *data);
	if (!argument_bytes(argument, &data->needle, err))
		return false;
	const struct names *names = analysis_names(rows->analysis);
	rows->hidden = names && !names->exe ? 1U << NAME : 0;
	if (!find_bytes(rows->analysis->heap, data->needle.data, data->needle.len, MOST, rows->progress,
	                &data->hits))
		return err_set(err, "The search was stopped");
	rows->count = data->hits.count;
	buf_add(&rows->title, "found ");
	text_add_visible(&rows->title, argument, strlen(argument), NEEDLE_SHOWN);
	if (data->hits.more)
		buf_add(&rows->title, ", only the first million places");
	if (!rows->count)
		buf_add(&rows->note, "No object, data segment or stack frame has these bytes.");
	return true;
}

static const struct find_hit *hit_of(const struct rows *rows, size_t row)
{
	const struct find_data *data = rows->data;
	return &data->hits.hit[row];
}

static struct memory memory_of(const struct heap *heap, const struct find_hit *hit)
{
	struct object_record object;
	if (hit->place == FIND_SEGMENT) {
		const struct segment_record *segment = &heap->segments[hit->index];
		return (struct memory){segment->bss ? "bss" : "data", segment->address, segment->size,
		                       segment->data, segment->size};
	}
	if (hit->place == FIND_FRAME) {
		const struct frame_record *frame = &heap->frames[hit->index].record;
		return (struct memory){"frame", frame->sp, frame->size, frame->data, frame->size};
	}
	struct memory memory = {"object", heap_address(heap, hit->index), heap_size(heap, hit->index),
	                        NULL, 0};
	if (heap_object(heap, hit->index, &object)) { /* not when the file has changed */
		memory.data = object.data + object.header;
		memory.stored = object.stored - object.header;
	}
	return memory;
}

static void cell_name(struct value *value, const struct analysis *analysis,
                      const struct find_hit *hit)
{
	struct buf *out = cell_begin(value);
	if (hit->place == FIND_OBJECT)
		step_add(analysis, hit->index, hit->offset, out);
	else if (hit->place == FIND_SEGMENT)
		typed_add_global(analysis, memory_of(analysis->heap, hit).address + hit->offset, NULL,
		                 out);
	else if (analysis_typing(analysis)) {
		const struct frame_record *frame = &analysis->heap->frames[hit->index].record;
		typed_add_local(analysis, frame, frame->sp + hit->offset, NULL, out);
	}
	cell_end(value);
}

static bool is_text(uint32_t c)
{
	return c >= 0x20 && c != 0x7f && c != 0xfffd;
}

/* How many bytes before data[at] are text, so that none of its characters is cut. */
static uint64_t text_before(const uint8_t *data, uint64_t at)
{
	uint64_t start = at;
	while (start > 0 && at - start < BEFORE) {
		uint64_t step = 1;
		uint32_t c;
		while (step < 4 && step < start && (data[start - step] & 0xc0) == 0x80)
			step++;
		if (text_decode((const char *)data + start - step, step, &c) != step || !is_text(c))
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
		if (!is_text(c))
			break;
		end += step;
	}
	return end - at;
}

static void cell_context(struct value *value, const struct rows *rows, const struct find_hit *hit)
{
	const struct find_data *data = rows->data;
	struct memory memory = memory_of(rows->analysis->heap, hit);
	uint64_t len = data->needle.len, end = hit->offset + len;
	if (!memory.data || memory.stored < end)
		return;
	uint64_t before = text_before(memory.data, hit->offset);
	uint64_t after = text_after(memory.data, end, memory.stored);
	text_add_visible(cell_begin(value), (const char *)memory.data + hit->offset - before,
	                 before + len + after, BEFORE + AFTER + NEEDLE_SHOWN);
}

static void find_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct find_hit *hit = hit_of(rows, row);
	const struct heap *heap = rows->analysis->heap;
	switch (column) {
	case ADDRESS:
		cell_number(value, VALUE_ADDRESS, memory_of(heap, hit).address);
		break;
	case OFFSET:
		cell_number(value, VALUE_OFFSET, hit->offset);
		break;
	case TYPE:
		if (hit->place == FIND_OBJECT)
			cell_type(value, rows->analysis, hit->index);
		break;
	case NAME:
		cell_name(value, rows->analysis, hit);
		break;
	case TEXT:
		cell_context(value, rows, hit);
		break;
	case KIND:
		cell_text(value, memory_of(heap, hit).kind);
		break;
	case SIZE:
		cell_number(value, VALUE_BYTES, memory_of(heap, hit).size);
		break;
	}
}

/* The page of the object, at the field; the bytes of anything else. */
static void find_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct find_hit *hit = hit_of(rows, row);
	uint64_t address = memory_of(rows->analysis->heap, hit).address + hit->offset;
	buf_addf(command, "%s 0x%" PRIx64, hit->place == FIND_OBJECT ? "object" : "hex", address);
}

static uint64_t find_address(const struct rows *rows, size_t row)
{
	const struct find_hit *hit = hit_of(rows, row);
	return hit->place == FIND_OBJECT ? heap_address(rows->analysis->heap, hit->index) : 0;
}

const struct table table_found = {
	.name = "find",
	.from = DAMAGE_GLOBALS,
	.help = "Where a text, or bytes as 0x0a1b, stand in the contents of objects, data segments and "
	        "frames, one row a place",
	.argument = "TEXT|0xBYTES",
	.needs = STAGE_READ,
	.parts = HAS_CONTENTS,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.column_needs = column_needs,
	.open = find_open,
	.cell = find_cell,
	.link = find_link,
	.address = find_address,
	.close = find_close,
	.sort = -1,
};
