/* The bytes of an object, a frame or a data segment, with pointers marked. */
#include "ui/command.h"
#include "ui/view.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/pointer_walk.h"
#include "table/naming/argument.h"
#include "table/naming/operand.h"

#include <inttypes.h>
#include <string.h>

enum {
	ROW_BYTES = 16,
	HEX_COLUMN = 11, /* after " +0x12345 " */
	TEXT_COLUMN = HEX_COLUMN + ROW_BYTES * 3 + 2,
	TARGET_COLUMN = TEXT_COLUMN + ROW_BYTES + 2,
	TARGET_WIDTH = 18, /* targets are shown if one fits */
	ROW_POINTERS = ROW_BYTES / 4
};

struct hex {
	const char *what; /* "object", "frame", "data", "bss" */
	uint64_t address, size;
	const uint8_t *data;
	bool is_object;
	struct pointer_walk start; /* at the first pointer */
	struct pointer_walk walk;  /* after `next`: the first pointer at or after `from` */
	struct pointer next;
	bool has_next;
	uint64_t from;
	size_t query; /* the index of the pointer in a row that Enter follows */
};

/* The pointers in one row. */
struct row_pointers {
	struct pointer at[ROW_POINTERS];
	size_t count;
};

static void rewind_walk(struct hex *hex)
{
	hex->walk = hex->start;
	hex->has_next = pointer_walk_next(&hex->walk, &hex->next);
	hex->from = 0;
}

/* Finds the pointers in a row. Rows are mostly requested from top to bottom, so the walk continues
   from the previous row; a list of pointers has no index. */
static void find_pointers(struct hex *hex, size_t row, struct row_pointers *found)
{
	uint64_t first = (uint64_t)row * ROW_BYTES;
	found->count = 0;
	if (first < hex->from)
		rewind_walk(hex);
	hex->from = first;
	while (hex->has_next && hex->next.offset < first)
		hex->has_next = pointer_walk_next(&hex->walk, &hex->next);
	struct pointer_walk ahead = hex->walk;
	struct pointer pointer = hex->next;
	bool more = hex->has_next;
	for (; more && pointer.offset < first + ROW_BYTES; more = pointer_walk_next(&ahead, &pointer))
		if (pointer.target != OBJECT_NONE && found->count < ROW_POINTERS)
			found->at[found->count++] = pointer;
}

static bool hex_find_object(struct hex *hex, const struct heap *heap, uint64_t address)
{
	uint32_t id = heap_find(heap, address);
	struct object_record record;
	if (id == OBJECT_NONE || !heap_object(heap, id, &record))
		return false;
	hex->what = "object";
	hex->is_object = true;
	hex->address = heap_address(heap, id);
	hex->data = record.data + record.header;
	hex->size = record.stored - record.header;
	pointer_walk_object(&hex->start, heap, &record);
	return true;
}

static bool find_segment(struct hex *hex, const struct heap *heap, uint64_t address)
{
	for (uint32_t i = 0; i < heap->segment_count; i++) {
		const struct segment_record *segment = &heap->segments[i];
		if (address < segment->address || address - segment->address >= segment->size)
			continue;
		hex->what = segment->bss ? "bss" : "data";
		hex->address = segment->address;
		hex->data = segment->data;
		hex->size = segment->size;
		pointer_walk_segment(&hex->start, heap, segment);
		return true;
	}
	return false;
}

static bool hex_find_frame(struct hex *hex, const struct heap *heap, uint64_t address)
{
	for (uint32_t i = 0; i < heap->frame_count; i++) {
		const struct frame_record *frame = &heap->frames[i].record;
		if (address < frame->sp || address - frame->sp >= frame->size)
			continue;
		hex->what = "frame";
		hex->address = frame->sp;
		hex->data = frame->data;
		hex->size = frame->size;
		pointer_walk_frame(&hex->start, heap, frame);
		return true;
	}
	return false;
}

static bool hex_open(struct view *view, struct err *err)
{
	const struct heap *heap = analysis_heap(view->analysis);
	const char *at = view->argument;
	struct operand operand;
	uint64_t address;
	if (!at)
		return err_set(err, "Say which address: hex 0xc000012340");
	if (!operand_read(view->analysis, &at, &operand, err)
	    || !operand_address(view->analysis, &operand, &address, err))
		return false;
	struct hex found = {0};
	if (!hex_find_object(&found, heap, address) && !find_segment(&found, heap, address)
	    && !hex_find_frame(&found, heap, address)) {
		err_set(err, "The dump has no bytes at 0x%" PRIx64, address);
		return argument_absent(heap, DAMAGE_GLOBALS, err);
	}
	struct hex *hex = view->data = mem_alloc(sizeof *hex);
	*hex = found;
	rewind_walk(hex);
	buf_addf(&view->title, "bytes of %s 0x%" PRIx64, hex->what, hex->address);
	text_add_size(&view->side, hex->size);
	view->cursor = (size_t)((address - hex->address) / ROW_BYTES);
	/* An address in the allocation header is before the first byte. */
	if (address < hex->address)
		view->cursor = 0;
	return true;
}

static size_t hex_rows(const struct view *view)
{
	const struct hex *hex = view->data;
	return (size_t)((hex->size + ROW_BYTES - 1) / ROW_BYTES);
}

static int hex_head(const struct view *view, struct canvas *canvas, int y)
{
	(void)view;
	if (!canvas)
		return 1;
	canvas_text(canvas, y, 1, -1, STYLE_HEAD, "offset");
	for (int i = 0; i < ROW_BYTES; i++)
		canvas_textf(canvas, y, HEX_COLUMN + i * 3 + i / 8, -1, STYLE_HEAD, "%2x", (unsigned)i);
	canvas_text(canvas, y, TEXT_COLUMN, -1, STYLE_HEAD, "text");
	if (canvas->width >= TARGET_COLUMN + TARGET_WIDTH)
		canvas_text(canvas, y, TARGET_COLUMN, -1, STYLE_HEAD, "points to");
	return 1;
}

static size_t hex_chosen(const struct hex *hex, const struct row_pointers *pointers)
{
	return hex->query < pointers->count ? hex->query : pointers->count - 1;
}

/* Returns the style of a byte. Bytes of pointers are marked; those of the pointer that Enter
   follows are a link. */
static enum style byte_style(const struct hex *hex, const struct row_pointers *pointers,
                             uint64_t offset, uint8_t byte)
{
	unsigned width = hex->start.heap->params.layout.pointer_size;
	for (size_t i = 0; i < pointers->count; i++)
		if (offset >= pointers->at[i].offset && offset < pointers->at[i].offset + width)
			return i == hex_chosen(hex, pointers) ? STYLE_LINK : STYLE_ADDRESS;
	return byte ? STYLE_PLAIN : STYLE_FAINT;
}

static void hex_draw(const struct view *view, size_t row, struct canvas *canvas, int y)
{
	struct hex *hex = view->data;
	struct row_pointers pointers;
	find_pointers(hex, row, &pointers);
	uint64_t first = (uint64_t)row * ROW_BYTES;
	canvas_textf(canvas, y, 1, -1, STYLE_FAINT, "+0x%04" PRIx64, first);
	for (int i = 0; i < ROW_BYTES && first + (uint64_t)i < hex->size; i++) {
		uint8_t byte = hex->data[first + (uint64_t)i];
		enum style style = byte_style(hex, &pointers, first + (uint64_t)i, byte);
		canvas_textf(canvas, y, HEX_COLUMN + i * 3 + i / 8, -1, style, "%02x", byte);
		bool printable = byte >= 0x20 && byte < 0x7f;
		canvas_textf(canvas, y, TEXT_COLUMN + i, -1, printable ? STYLE_PLAIN : STYLE_FAINT, "%c",
		             printable ? byte : '.');
	}
	size_t wanted = canvas->width >= TARGET_COLUMN + TARGET_WIDTH ? pointers.count : 0;
	for (size_t i = 0, x = TARGET_COLUMN; i < wanted; i++) {
		bool chosen = i == hex_chosen(hex, &pointers);
		x = 1
		    + (size_t)canvas_textf(canvas, y, (int)x, -1, chosen ? STYLE_LINK : STYLE_ADDRESS,
		                           "0x%" PRIx64, pointers.at[i].value);
	}
}

static void hex_link(const struct view *view, size_t row, struct buf *command)
{
	struct hex *hex = view->data;
	struct row_pointers pointers;
	find_pointers(hex, row, &pointers);
	if (pointers.count)
		buf_addf(command, "object 0x%" PRIx64, pointers.at[hex_chosen(hex, &pointers)].value);
}

static uint64_t hex_address(const struct view *view, size_t row)
{
	(void)row;
	const struct hex *hex = view->data;
	return hex->is_object ? hex->address : 0;
}

static bool hex_move(const struct call *call)
{
	struct hex *hex = call->view->data;
	struct row_pointers pointers;
	find_pointers(hex, call->view->cursor, &pointers);
	if (!pointers.count)
		return err_set(call->err, "This row has no pointer to an object");
	size_t now = hex_chosen(hex, &pointers);
	if (call->command->by > 0)
		hex->query = now + 1 < pointers.count ? now + 1 : hex->query;
	else
		hex->query = now ? now - 1 : 0;
	return true;
}

const struct command commands_hex[] = {
	{"right", NULL, 0, NULL, .run = hex_move, .by = 1, .of = COMMANDS_HEX},
	{"left", NULL, 0, NULL, .run = hex_move, .by = -1, .of = COMMANDS_HEX},
	{0},
};

/* Returns true if `left` is at the first pointer: it then goes back. */
static bool hex_passes(const struct view *view, const char *word)
{
	struct hex *hex = view->data;
	struct row_pointers pointers;
	find_pointers(hex, view->cursor, &pointers);
	return strcmp(word, "left") == 0 && (!pointers.count || hex_chosen(hex, &pointers) == 0);
}

/* Returns true if a match begins in this row; it may end in a later one. */
static bool hex_matches(const struct view *view, size_t row, struct row_search *search)
{
	const struct hex *hex = view->data;
	uint64_t first = (uint64_t)row * ROW_BYTES;
	SCOPED_BUF bytes = {0};
	bool found = false;
	if (argument_bytes(search->text, &bytes, NULL) && bytes.len) {
		uint64_t size = ROW_BYTES + bytes.len - 1;
		size = size < hex->size - first ? size : hex->size - first;
		found = memmem(hex->data + first, size, bytes.data, bytes.len) != NULL;
	}
	return found;
}

static void hex_explain(const struct view *view, struct buf *out)
{
	(void)view;
	buf_add(out,
	        "offset: bytes from the address in the title, as the program knows it\n"
	        "Marked bytes are pointers to objects of the dump; Enter follows the one marked as a "
	        "link, Left and Right choose another one of the row\n"
	        "text: the bytes as ASCII, a dot for all others\n"
	        "/ looks for a text, or for bytes as 0x0a1b, also across rows\n");
}

DEFINE_PLUGIN(views, struct view_ops, view_hex) = {
	.rank = 50,
	.name = "hex",
	.help = "The bytes of an object, a frame or a data segment, pointers marked",
	.argument = "ADDR",
	.takes = TAKES_PLACE | TAKES_THIS_OBJECT,
	.needs = STAGE_READ,
	.parts = PART_MEMORY,
	.open = hex_open,
	.rows = hex_rows,
	.head = hex_head,
	.draw = hex_draw,
	.link = hex_link,
	.address = hex_address,
	.commands = COMMANDS_HEX,
	.passes = hex_passes,
	.matches = hex_matches,
	.explain = hex_explain,
};
