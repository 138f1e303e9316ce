/* The table of an object's contents: a row per entry of a map, element of a channel, field of a
   known type, else per word, or per 16 bytes if the object has no pointers. */
#include "table/contents/fields.h"

#include "analysis/preview.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "table/cell.h"
#include "table/columns.h"
#include "table/naming/argument.h"
#include "table/naming/entity.h"
#include "table/naming/part.h"
#include "table/naming/thread.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HEX_BYTES = 16, TITLE_NAME = 200 };

const struct contents *fields_contents(const struct rows *rows)
{
	return rows->data;
}

static void fields_close(struct rows *rows)
{
	struct contents *contents = rows->data;
	contents_fini(contents);
}

/* Appends the number of rows of each kind if there are several; the object's page lists them
   separately. */
static void fields_add_title(const struct runtime_words *words, const struct contents *contents,
                             struct buf *title)
{
	uint64_t waiters = contents->is_channel ? contents->queue.waiter_count : 0;
	uint64_t elements = contents->is_channel ? contents->first - waiters : 0;
	const struct {
		uint64_t count;
		const char *one, *many;
	} kinds[] = {
		{elements, "element", "elements"},
		{waiters, words->thread, words->threads},
		{contents->members.count + contents->words.count, "field", "fields"},
		{contents->embedded.count, "entry", "entries"},
	};
	bool mixed = !contents->is_map && elements + waiters + contents->embedded.count > 0;
	for (size_t i = 0; mixed && i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i].count) {
			buf_add(title, title->len ? ", " : "");
			text_add_number_of(title, kinds[i].count, kinds[i].one, kinds[i].many);
		}
	if (!mixed)
		buf_add(title, contents->is_map ? "entries" : "fields");
}

/* Lists the entries of a sync.Map, not the fields of the object that its first word points to.
   False: the argument is no sync.Map. */
static bool fields_open_sync(struct rows *rows, const char *argument)
{
	struct operand operand;
	struct contents *contents = rows->data = mem_alloc(sizeof *contents);
	if (!argument_operand(rows->analysis, argument, &operand, NULL) || operand.kind != OPERAND_VALUE
	    || !contents_init_sync(contents, rows->analysis, &operand.value.place)) {
		free(contents);
		rows->data = NULL;
		return false;
	}
	rows->count = (size_t)contents->count;
	buf_add(&rows->title, "entries of ");
	text_add_escaped(&rows->title, argument, strlen(argument), TITLE_NAME);
	if (!rows->count)
		buf_add(&rows->note, "The map has no entries.");
	return true;
}

/* Lists the fields of a value that is a part of an object, not those of the whole object, or of one
   outside of the heap. False: the argument is none. */
static bool fields_open_part(struct rows *rows, const char *argument)
{
	struct operand operand;
	struct datum part;
	if (!argument_operand(rows->analysis, argument, &operand, NULL)
	    || !(part_of_operand(rows->analysis, &operand, &part)
	         || part_outside(rows->analysis, &operand, &part)))
		return false;
	struct contents *contents = rows->data = mem_alloc(sizeof *contents);
	contents_init_value(contents, rows->analysis, &part);
	rows->count = (size_t)contents->count;
	fields_add_title(heap_words(analysis_heap(rows->analysis)), contents, &rows->title);
	buf_add(&rows->title, " of ");
	text_add_escaped(&rows->title, argument, strlen(argument), TITLE_NAME);
	uint64_t size = datum_size(&contents->in, &part);
	if (part.room < size)
		buf_addf(&rows->note, "The dump holds only the first %" PRIu64 " of its %" PRIu64 " bytes.",
		         part.room, size);
	return true;
}

static bool fields_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	struct object_record record;
	uint32_t id;
	if (fields_open_sync(rows, argument) || fields_open_part(rows, argument))
		return true;
	if (!argument_object(rows->analysis, argument, &id, err))
		return false;
	if (!heap_object(heap, id, &record))
		return err_set(err, "The dump file has changed: this object can no longer be read");
	struct contents *contents = rows->data = mem_alloc(sizeof *contents);
	contents_init(contents, rows->analysis, id, &record);
	rows->count = (size_t)contents->count;
	fields_add_title(heap_words(analysis_heap(rows->analysis)), contents, &rows->title);
	buf_addf(&rows->title, " of 0x%" PRIx64, heap_address(heap, id));
	if (!rows->count && contents->is_map)
		buf_add(&rows->note, "The map has no entries.");
	if (record.stored < record.size)
		buf_addf(&rows->note, "The dump holds only the first %" PRIu64 " of its %" PRIu64 " bytes.",
		         record.stored, record.size);
	return true;
}

static struct field fields_row_of(const struct rows *rows, size_t row)
{
	SCOPED_BUF name = {0};
	struct field field;
	contents_get(rows->data, row, &field, &name);
	return field;
}

static struct entity fields_entity(const struct rows *rows, size_t row)
{
	const struct thread *threads = analysis_heap(rows->analysis)->threads;
	struct field field = fields_row_of(rows, row);
	if (field.thread)
		return (struct entity){ENTITY_THREAD, (uint32_t)(field.thread - threads), 0};
	return entity_of_object(field.target);
}

static void fields_offset_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_offset(value, fields_row_of(rows, row).offset);
}

static void fields_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct field field;
	contents_get(rows->data, row, &field, cell_begin(value));
}

static void fields_type_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct field field = fields_row_of(rows, row);
	if (field.type) {
		gotype_display(analysis_types(rows->analysis), field.type, cell_begin(value));
		value->guess = contents_known(rows->data, &field) == KNOWN_GUESS;
	} else if (field.thread)
		cell_text(value, heap_words(analysis_heap(rows->analysis))->thread);
}

static void fields_kind_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_text(value, fields_row_of(rows, row).kind);
}

static void fields_target_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct field field = fields_row_of(rows, row);
	if (field.is_pointer && field.word)
		cell_number(value, VALUE_ADDRESS, field.word);
}

static void fields_text_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct field field = fields_row_of(rows, row);
	struct buf *text = cell_begin(value);
	if (field.thread)
		thread_add_place(rows->analysis, field.thread, text);
	else
		contents_add_text(rows->data, &field, text);
}

static void fields_hex_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct field field = fields_row_of(rows, row);
	if (!field.data)
		return;
	value->kind = VALUE_TEXT;
	preview_hex(field.data, field.size < HEX_BYTES ? field.size : HEX_BYTES, value->text);
}

/* Returns true if no row has a name, so that only words and bytes are shown. */
static bool fields_unnamed(const struct rows *rows)
{
	const struct contents *contents = rows->data;
	return contents->first + contents->members.count == 0;
}

/* Returns true if rows show whole values, which include the targets of pointers. */
static bool fields_named(const struct rows *rows)
{
	return !fields_unnamed(rows);
}

/* Returns true for a map or channel: its rows have one type, which its own type contains. */
static bool is_container(const struct rows *rows)
{
	return ((const struct contents *)rows->data)->first > 0;
}

static bool fields_untyped(const struct rows *rows)
{
	return fields_unnamed(rows) || is_container(rows);
}

static const struct column columns[] = {
	{"offset", "offset", "Offset from the object's address; empty for values in other objects",
     VALUE_OFFSET, 10, 0, .cell = fields_offset_cell, .absent = is_container},
	{"name", "name",
     "Name of the field, key of the map entry, or position in the channel's receive order",
     VALUE_TEXT, 16, 0, .cell = fields_name_cell, .absent = fields_unnamed},
	{"type", "type", "Type of the field", VALUE_TEXT, 18, 1, .cell = fields_type_cell,
     .absent = fields_untyped},
	{"kind", "kind",
     "pointer (to an object), nil, outside (a pointer out of the heap), dangling (a pointer into "
     "the heap where no object is), value (a field without a pointer), " THREAD_WORD
     " (that waits for "
     "this channel), word or bytes",
     VALUE_TEXT, 8, 0, .cell = fields_kind_cell, .absent = fields_named},
	{POINTER_TARGET, .width = 14, .cell = fields_target_cell, .absent = fields_named},
	{"object", "object", "The object that the pointer references", VALUE_ADDRESS, 14, 2,
     .cell = object_address_cell, .absent = fields_named},
	{"size", "size", "Bytes of that object", VALUE_BYTES, 9, 1, .cell = object_size_cell,
     .absent = fields_named},
	{"text", "text",
     "The value of a field; a word as a number, bytes as characters; for a pointer, the text or "
     "bytes that it seems to reference; ~ marks a guess",
     VALUE_TEXT, 0, 0, .cell = fields_text_cell, .cut_end = true},
	{"hex", "bytes", "The bytes as they are in memory", VALUE_TEXT, 47, 3, .cell = fields_hex_cell,
     .absent = is_container},
};

static enum row_style fields_style(const struct rows *rows, size_t row)
{
	struct field field = fields_row_of(rows, row);
	return field.is_pointer && !field.word ? ROW_FAINT : ROW_PLAIN;
}

/* An entry or element that is a part of an object leads to its own page. */
static void fields_link(const struct rows *rows, size_t row, struct buf *command)
{
	struct contents *contents = rows->data;
	struct datum part;
	if (contents_part(contents, row, &part) && part_is(&contents->in, &part)) {
		buf_add(command, "object ");
		part_add_argument(rows->analysis, &part, command);
	} else {
		entity_link(rows->analysis, fields_entity(rows, row), command);
	}
}

DEFINE_PLUGIN(tables, struct table, table_fields) = {
	.rank = 130,
	.name = "fields",
	.help =
		"The contents of an object, or of a variable outside of the heap: the entries of a map, "
		"the elements of a channel, its fields, its words and pointers, or its bytes if it has "
		"no pointers",
	.argument = "ADDR",
	.takes = TAKES_PLACE | TAKES_THIS_OBJECT,
	.needs = STAGE_LINKED,
	.wants = STAGE_TYPED,
	.parts = PART_MEMORY,
	COLUMNS(columns),
	.open = fields_open,
	.style = fields_style,
	.entity = fields_entity,
	.link = fields_link,
	.close = fields_close,
};
