#include "table/contents/datum.h"

#include "base/text.h"
#include "go/runtime/goiface.h"
#include "go/types/scalar_fields.h"
#include "heap/heap.h"
#include "heap/name_part.h"

#include <inttypes.h>
#include <string.h>

enum {
	NAME_LIMIT = 200,
	PROMOTED = 4
}; /* depth of embedded structs that are searched for a field */

struct govalue datum_memory(const struct analysis *analysis)
{
	return (struct govalue){analysis_heap(analysis), analysis_names(analysis),
	                        analysis_typing(analysis), analysis_hides_keys(analysis)};
}

static const struct gotype *shape_at(const struct govalue *in, const struct datum *place)
{
	return gotype_get(typing_types(in->typing), place->type);
}

static uint64_t width_of(const struct govalue *in)
{
	return in->heap->params.layout.pointer_size;
}

/* Stores the bytes from an address on, in a piece of memory that contains it. */
static void datum_place(struct datum *place, const struct gomemory_piece *piece)
{
	uint64_t before = place->address - piece->address;
	if (before >= piece->size)
		return;
	place->data = piece->data + before;
	place->room = piece->size - before;
}

struct datum datum_at(const struct govalue *in, uint64_t address, gotype_id type, uint64_t count)
{
	struct gomemory_piece piece;
	struct datum place = {address, type, count, NULL, 0, heap_find(in->heap, address)};
	if (place.object != OBJECT_NONE ? gomemory_object(in->heap, place.object, &piece)
	                                : gomemory_piece(in->heap, address, &piece))
		datum_place(&place, &piece);
	return place;
}

struct datum datum_read_object(const struct govalue *in, uint32_t object,
                               struct object_reader *reader)
{
	struct object_record record;
	struct typed typed = in->typing ? typing_object(in->typing, object) : (struct typed){0};
	bool told = typed.type && !typed.text && typed.count;
	struct datum place = {.address = heap_address(in->heap, object),
	                      .type = told ? typed.type : 0,
	                      .count = told ? typed.count : 1,
	                      .object = object};
	if (object_reader_read(reader, object, &record))
		datum_place(&place, &(struct gomemory_piece){record.slot, record.stored, record.data});
	return place;
}

struct datum datum_of_object(const struct govalue *in, uint32_t object)
{
	return datum_read_object(in, object, &(struct object_reader){.heap = in->heap});
}

uint64_t datum_size(const struct govalue *in, const struct datum *place)
{
	return in->typing && place->type ? shape_at(in, place)->size * place->count : 0;
}

bool datum_pointer(const struct govalue *in, const struct datum *place, uint64_t *word)
{
	uint64_t offset = 0, width = width_of(in);
	if (place->count != 1 || (place->type && !govalue_pointer(in, place->type, &offset)))
		return false;
	if (!place->data || place->room < width || offset > place->room - width)
		return false;
	*word = heap_word(in->heap, place->data + offset);
	return true;
}

/* Returns the type that the pointer of a value points to, and stores the number of such values; 0:
   unknown. */
static gotype_id type_behind(const struct govalue *in, const struct datum *place, uint64_t *count)
{
	const struct gotypes *types = typing_types(in->typing);
	const struct gotype *type = shape_at(in, place);
	uint64_t width = width_of(in);
	gotype_id id = place->type;
	*count = 1;
	if (type->kind == GO_INTERFACE) {
		id = goiface_dynamic(typing_runtime(in->typing), heap_word(in->heap, place->data),
		                     type->has_methods);
		type = gotype_get(types, id);
		if (!id || !goiface_is_direct(types, id))
			return id;
	}
	if (type->kind == GO_POINTER)
		return type->elem;
	if (type->kind == GO_MAP || type->kind == GO_CHAN)
		return type->header;
	if (type->kind != GO_SLICE || place->room < 3 * width)
		return 0;
	*count = heap_word(in->heap, place->data + 2 * width);
	return type->elem;
}

bool datum_follow(const struct govalue *in, const struct datum *place, struct datum *target)
{
	uint64_t word, count = 1;
	if (!datum_pointer(in, place, &word))
		return false;
	gotype_id type = place->type ? type_behind(in, place, &count) : 0;
	uint64_t size = type ? gotype_get(typing_types(in->typing), type)->size : 0;
	*target = datum_at(in, word, size ? type : 0, 1);
	if (size && target->room / size > 0)
		target->count = count < target->room / size ? count : target->room / size;
	return true;
}

bool datum_leads_on(const struct govalue *in, const struct datum *place)
{
	uint64_t offset;
	return place->count == 1 && place->type && govalue_pointer(in, place->type, &offset);
}

static bool is_called(const struct gofield *field, const char *name, size_t length)
{
	SCOPED_BUF visible = {0};
	size_t plain = 0; /* letters, which are shown as they are */
	while ((field->name[plain] | 0x20) >= 'a' && (field->name[plain] | 0x20) <= 'z')
		plain++;
	if (plain && plain < NAME_LIMIT && (!field->name[plain] || *field->name != *name))
		return plain == length && memcmp(field->name, name, length) == 0;
	text_add_escaped(&visible, field->name, strlen(field->name), NAME_LIMIT);
	const char *text = buf_text(&visible);
	bool by_reference = *text == '&' && (length == 0 || *name != '&');
	text += by_reference;
	return strlen(text) == length && memcmp(text, name, length) == 0;
}

static bool datum_field_of(const struct gotypes *types, gotype_id id, const char *name,
                           size_t length, int depth, struct scalar_field *scalar)
{
	const struct gotype *type = gotype_get(types, id);
	uint64_t before = scalar->offset;
	for (uint32_t i = 0; type->kind == GO_STRUCT && i < type->fields; i++) {
		const struct gofield *field = gotype_field(types, type->first_field + i);
		if (!is_called(field, name, length))
			continue;
		*scalar = (struct scalar_field){field->type, before + field->offset};
		return true;
	}
	for (uint32_t i = 0; type->kind == GO_STRUCT && i < type->fields && depth < PROMOTED; i++) {
		const struct gofield *field = gotype_field(types, type->first_field + i);
		scalar->offset = before + field->offset;
		if (field->embedded && datum_field_of(types, field->type, name, length, depth + 1, scalar))
			return true;
	}
	return false;
}

/* Returns the part of a value with the given type at an offset, cut to the bytes that exist. */
static struct datum part_of(const struct datum *place, uint64_t offset, gotype_id type)
{
	struct datum part = *place;
	bool there = offset <= place->room;
	part.address += offset;
	part.type = type;
	part.count = 1;
	part.data = there && place->data ? place->data + offset : NULL;
	part.room = there ? place->room - offset : 0;
	return part;
}

bool datum_field(const struct govalue *in, const struct datum *place, const char *name,
                 size_t length, struct datum *field)
{
	struct scalar_field scalar = {0};
	if (!place->type || place->count != 1
	    || !datum_field_of(typing_types(in->typing), place->type, name, length, 0, &scalar))
		return false;
	*field = part_of(place, scalar.offset, scalar.type);
	return true;
}

bool datum_is_row(const struct govalue *in, const struct datum *place)
{
	return place->type && (place->count > 1 || shape_at(in, place)->kind == GO_ARRAY);
}

bool datum_element(const struct govalue *in, const struct datum *place, uint64_t index,
                   struct datum *element)
{
	if (!datum_is_row(in, place))
		return false;
	const struct gotypes *types = typing_types(in->typing);
	const struct gotype *type = shape_at(in, place);
	bool row = place->count > 1;
	gotype_id elem = row ? place->type : type->elem;
	uint64_t size = gotype_get(types, elem)->size, count = row ? place->count : type->count;
	if (!size || index >= count || index >= place->room / size)
		return false;
	*element = part_of(place, index * size, elem);
	return true;
}

bool datum_descend(const struct govalue *in, struct datum *place, uint64_t *offset,
                   struct buf *name)
{
	const struct gotypes *types = typing_types(in->typing);
	const struct gotype *type = shape_at(in, place);
	if (datum_is_row(in, place)) {
		gotype_id elem = place->count > 1 ? place->type : type->elem;
		uint64_t size = gotype_get(types, elem)->size, index = size ? *offset / size : 0;
		struct datum row = *place;
		if (!size || !datum_element(in, &row, index, place))
			return false;
		if (name)
			name_add_index(name, index);
		*offset %= size;
		return true;
	}
	for (uint32_t i = 0; type->kind == GO_STRUCT && i < type->fields; i++) {
		const struct gofield *field = gotype_field(types, type->first_field + i);
		if (*offset < field->offset
		    || *offset - field->offset >= gotype_get(types, field->type)->size)
			continue;
		if (name) {
			buf_add_char(name, '.');
			text_add_escaped(name, field->name, strlen(field->name), NAME_LIMIT);
		}
		*place = part_of(place, field->offset, field->type);
		*offset -= field->offset;
		return true;
	}
	return false;
}

bool datum_typed(const struct govalue *in, const struct datum *place, uint64_t offset,
                 const char *text, size_t *length, struct datum *part)
{
	SCOPED_BUF name = {0};
	bool found = false;
	*part = *place;
	while (!found && in->typing && part->type) {
		buf_clear(&name);
		gotype_display(typing_types(in->typing), part->type, &name);
		*length = name.len;
		found = !offset && part->count == 1 && strncmp(text, buf_text(&name), name.len) == 0
		        && text[name.len] == ')';
		if (!found && !datum_descend(in, part, &offset, NULL))
			break;
	}
	return found;
}

struct datum datum_scalar(const struct govalue *in, const struct datum *place, uint64_t offset,
                          struct buf *name)
{
	const struct gotypes *types = in->typing ? typing_types(in->typing) : NULL;
	uint64_t size = place->type ? gotype_get(types, place->type)->size : 0;
	if (!size || offset / size >= place->count)
		return part_of(place, offset, 0);
	if (place->count > 1 && name)
		buf_addf(name, "[%" PRIu64 "]", offset / size);
	struct scalar_field scalar = scalar_at(types, place->type, offset % size, name);
	return part_of(place, offset / size * size + scalar.offset, scalar.type);
}

enum type_known datum_known(const struct govalue *in, const struct datum *place)
{
	if (place->object == OBJECT_NONE || !in->typing)
		return KNOWN_EXACT;
	struct typed typed = typing_object(in->typing, place->object);
	if (typed.type && typed.source != SOURCE_BLOCK)
		return typed.known;
	struct typed_part part;
	uint32_t n = 0;
	uint64_t offset = place->address - heap_address(in->heap, place->object);
	while (typing_part(in->typing, place->object, &n, &part)) {
		uint64_t size = gotype_get(typing_types(in->typing), part.type)->size;
		if (offset >= part.offset && (offset - part.offset) / (size + !size) < part.count)
			return type_known((enum type_source)part.source);
	}
	return typed.known;
}

void datum_add_type(const struct govalue *in, const struct datum *place, struct buf *out)
{
	if (!place->type) {
		buf_add(out, "of unknown type");
		return;
	}
	if (place->count > 1)
		buf_addf(out, "%" PRIu64 " of ", place->count);
	buf_add(out, type_mark(datum_known(in, place)));
	gotype_display(typing_types(in->typing), place->type, out);
}
