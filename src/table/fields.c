/* What is in an object: a row a field where its type is known, else a row a word, or 16 bytes a
   row where it holds no pointers. Which words are pointers is a list without an index, which may
   be millions long: marks are kept on the way, so that any row is found from the mark before it.
   */
#include "table/argument.h"
#include "table/cell.h"
#include "table/members.h"

#include "analysis/preview.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

enum { OFFSET, NAME, TYPE, KIND, TARGET, OBJECT, SIZE, TEXT, HEX };

static const struct column columns[] = {
	[OFFSET] = {"offset", "offset", "Where it is, from the object's address", VALUE_OFFSET, 10, 0},
	[NAME] = {"name", "name", "The field, as the program calls it", VALUE_TEXT, 16, 0},
	[TYPE] = {"type", "type", "Type of the field", VALUE_TEXT, 18, 1},
	[KIND] = {"kind", "kind",
			  "pointer (to an object), nil, outside (a pointer to what is not in the heap), "
			  "dangling (a pointer to where no object is), value (a field that is none), word or "
			  "bytes",
			  VALUE_TEXT, 8, 0},
	[TARGET] = {"target", "target", "The pointer, as it is stored", VALUE_ADDRESS, 14, 0},
	[OBJECT] = {"object", "object", "The object that it points into", VALUE_ADDRESS, 14, 2},
	[SIZE] = {"size", "size", "Bytes of that object", VALUE_BYTES, 9, 1},
	[TEXT] = {"text", "text",
			  "A word as a number, bytes as characters; of a pointer, text or bytes that it "
			  "seems to point at; ~ marks a guess; of a field, its value",
			  VALUE_TEXT, 0, 0},
	[HEX] = {"hex", "bytes", "The bytes as they are in memory", VALUE_TEXT, 47, 3},
};

enum { MARK_BYTES = 8192, BYTES_A_ROW = 16, HEX_BYTES = 16 };

/* The first pointer at or after some offset. */
struct place {
	struct fields after;
	uint64_t offset; /* from the slot; UINT64_MAX: no more */
};

struct fields_data {
	struct object_record record;
	struct members members; /* the first rows */
	uint64_t rest;          /* where words or bytes follow, from the slot */
	uint64_t row_bytes;
	struct place place; /* at or after `from` */
	uint64_t from;
	struct place
		*marks; /* at or after 0, MARK_BYTES, 2 * MARK_BYTES ... as far as anyone has walked */
	size_t mark_count, mark_capacity;
};

/* One row, as far as all its cells need it. */
struct field {
	const char *kind;
	bool is_member;
	struct member member;
	bool is_word, is_pointer;
	uint64_t offset, size; /* offset from the slot */
	uint64_t word;
	uint32_t target;
};

static void fields_close(struct rows *rows)
{
	struct fields_data *data = rows->data;
	members_fini(&data->members);
	free(data->marks);
	free(data);
}

/* To the next pointer that is within the contents. */
static void step(struct fields_data *data, uint64_t width)
{
	struct place *place = &data->place;
	do {
		if (!fields_next(&place->after, &place->offset)) {
			place->offset = UINT64_MAX;
			return;
		}
	} while (data->record.stored < width || place->offset > data->record.stored - width);
	while (place->offset / MARK_BYTES >= data->mark_count) {
		data->marks = mem_grow(data->marks, data->mark_count, &data->mark_capacity, sizeof *place);
		data->marks[data->mark_count++] = *place;
	}
}

static bool is_pointer(struct fields_data *data, uint64_t offset, uint64_t width)
{
	size_t mark = (size_t)(offset / MARK_BYTES);
	if (mark < data->mark_count &&
		(offset < data->from || data->place.offset < data->marks[mark].offset))
		data->place = data->marks[mark];
	data->from = offset;
	while (data->place.offset < offset)
		step(data, width);
	return data->place.offset == offset;
}

static bool fields_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = rows->analysis->heap;
	struct fields_data *data = rows->data = mem_alloc(sizeof *data);
	uint64_t width = heap->params.layout.pointer_size;
	uint32_t id;
	if (!argument_object(heap, argument, &id, err))
		return false;
	if (!heap_object(heap, id, &data->record))
		return err_set(err, "The dump has changed: this object cannot be read any more");
	data->place.after = data->record.fields;
	step(data, width);
	data->row_bytes = preview_has_pointers(&data->record) ? width : BYTES_A_ROW;
	members_init(&data->members, rows->analysis, id, &data->record);
	data->rest = data->record.header + (data->members.end + width - 1) / width * width;
	uint64_t bytes = data->record.stored > data->rest ? data->record.stored - data->rest : 0;
	rows->count = (size_t)(data->members.count + (bytes + data->row_bytes - 1) / data->row_bytes);
	/* Values are told in whole, and so say what they point to. */
	rows->hidden = data->members.count ? 1U << KIND | 1U << TARGET | 1U << OBJECT | 1U << SIZE
									   : 1U << NAME | 1U << TYPE;
	buf_addf(&rows->title, "fields of 0x%" PRIx64, heap_address(heap, id));
	if (data->record.stored < data->record.size)
		buf_addf(&rows->note, "The dump holds only the first %" PRIu64 " of its %" PRIu64 " bytes.",
				 data->record.stored, data->record.size);
	return true;
}

static void describe_pointer(const struct heap *heap, struct field *field)
{
	field->is_pointer = true;
	field->target = field->word ? heap_find(heap, field->word) : OBJECT_NONE;
	field->kind = field->target != OBJECT_NONE                   ? "pointer"
				  : field->word == 0                             ? "nil"
				  : objects_has_page(heap->objects, field->word) ? "dangling"
																 : "outside";
}

/* *name is appended to. */
static struct field member_of(const struct rows *rows, size_t row, struct buf *name)
{
	const struct heap *heap = rows->analysis->heap;
	struct fields_data *data = rows->data;
	struct field field = {.kind = "value", .is_member = true, .target = OBJECT_NONE};
	field.member = members_get(&data->members, row, name);
	field.offset = field.member.offset + data->record.header;
	field.size = field.member.size;
	field.word = field.member.pointer;
	if (field.member.has_pointer)
		describe_pointer(heap, &field);
	return field;
}

static struct field word_of(const struct rows *rows, size_t row)
{
	const struct heap *heap = rows->analysis->heap;
	struct fields_data *data = rows->data;
	uint64_t width = heap->params.layout.pointer_size;
	struct field field = {.kind = "bytes", .target = OBJECT_NONE};
	field.offset = data->rest + (row - data->members.count) * data->row_bytes;
	field.size = data->record.stored - field.offset;
	if (field.size > data->row_bytes)
		field.size = data->row_bytes;
	if (data->row_bytes != width || field.size != width)
		return field;
	field.is_word = true;
	field.kind = "word";
	field.word = heap_word(heap, data->record.data + field.offset);
	if (is_pointer(data, field.offset, width))
		describe_pointer(heap, &field);
	return field;
}

static struct field field_of(const struct rows *rows, size_t row)
{
	const struct fields_data *data = rows->data;
	struct buf name = {0};
	if (row >= data->members.count)
		return word_of(rows, row);
	struct field field = member_of(rows, row, &name);
	buf_free(&name);
	return field;
}

static void cell_name(struct value *value, const struct rows *rows, size_t row)
{
	const struct fields_data *data = rows->data;
	if (row >= data->members.count)
		return;
	member_of(rows, row, cell_begin(value));
	cell_end(value);
}

static void cell_field_text(struct value *value, const struct rows *rows, const struct field *field)
{
	const struct heap *heap = rows->analysis->heap;
	const struct fields_data *data = rows->data;
	struct preview_place place = {data->record.data, data->record.stored, field->offset};
	struct buf *text = cell_begin(value);
	if (field->is_member)
		members_add_value(&data->members, &field->member, text);
	else if (field->target != OBJECT_NONE)
		preview_pointer(heap, &place, text);
	else if (!field->is_word)
		preview_bytes(data->record.data + field->offset, field->size, text);
	else if (!field->is_pointer)
		preview_scalar(field->word, heap->params.layout.pointer_size, text);
	cell_end(value);
}

static void fields_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct heap *heap = rows->analysis->heap;
	const struct fields_data *data = rows->data;
	struct field field = field_of(rows, row);
	switch (column) {
	case OFFSET:
		cell_number(value, VALUE_OFFSET, field.offset - data->record.header);
		break;
	case NAME:
		cell_name(value, rows, row);
		break;
	case TYPE:
		if (field.is_member)
			members_add_type(&data->members, &field.member, cell_begin(value));
		break;
	case KIND:
		cell_text(value, field.kind);
		break;
	case TARGET:
		if (field.is_pointer && field.word)
			cell_number(value, VALUE_ADDRESS, field.word);
		break;
	case OBJECT:
		cell_object(value, heap, field.target);
		break;
	case SIZE:
		cell_object_size(value, heap, field.target);
		break;
	case TEXT:
		cell_field_text(value, rows, &field);
		break;
	case HEX:
		preview_hex(data->record.data + field.offset,
					field.size < HEX_BYTES ? field.size : HEX_BYTES, cell_begin(value));
		break;
	}
}

static void fields_link(const struct rows *rows, size_t row, struct buf *command)
{
	link_object(rows->analysis->heap, field_of(rows, row).target, command);
}

static uint64_t fields_address(const struct rows *rows, size_t row)
{
	uint32_t target = field_of(rows, row).target;
	return target == OBJECT_NONE ? 0 : heap_address(rows->analysis->heap, target);
}

static enum row_style fields_style(const struct rows *rows, size_t row)
{
	struct field field = field_of(rows, row);
	return field.is_pointer && !field.word ? ROW_FAINT : ROW_PLAIN;
}

const struct table table_fields = {
	.name = "fields",
	.help = "What is in an object: its fields, or its words and pointers, or its bytes where it "
			"has no pointers",
	.argument = "ADDR",
	.needs = STAGE_LINKED,
	.parts = HAS_CONTENTS,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = fields_open,
	.cell = fields_cell,
	.link = fields_link,
	.style = fields_style,
	.address = fields_address,
	.close = fields_close,
	.sort = -1,
};
