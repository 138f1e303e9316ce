#include "table/contents/field_value.h"

#include "base/text.h"
#include "go/runtime/gochan.h"
#include "go/runtime/gomap.h"
#include "heap/heap.h"
#include "table/cell.h"
#include "table/naming/expression.h"

#include <string.h>

enum { FOLLOWED = 4, TEXT_LIMIT = 4096 }; /* pointers to follow to a value; bytes of a string */

static const struct gotype *field_value_type(const struct govalue *in, const struct datum *place)
{
	return gotype_get(typing_types(in->typing), place->type);
}

static uint64_t field_value_word(const struct govalue *in, const struct datum *place, unsigned n)
{
	return heap_word(in->heap, place->data + n * in->heap->params.layout.pointer_size);
}

/* ---- len and cap */

static bool field_value_length(const struct govalue *in, const struct datum *place, bool capacity,
                               uint64_t *number)
{
	const struct goruntime *rt = typing_runtime(in->typing);
	const struct gotype *type = field_value_type(in, place);
	uint64_t length, room;
	switch (type->kind) {
	case GO_STRING:
		*number = field_value_word(in, place, 1);
		return !capacity;
	case GO_SLICE:
		*number = field_value_word(in, place, capacity ? 2 : 1);
		return true;
	case GO_ARRAY:
		*number = type->count;
		return true;
	case GO_MAP:
		*number = 0;
		return !capacity
		       && (!field_value_word(in, place, 0)
		           || gomap_length(rt, type->header, field_value_word(in, place, 0), number));
	case GO_CHAN:
		*number = 0;
		if (!field_value_word(in, place, 0))
			return true;
		if (!gochan_length(rt->heap, field_value_word(in, place, 0), &length, &room))
			return false;
		*number = capacity ? room : length;
		return true;
	default:
		return false;
	}
}

/* ---- Values */

static void field_value_signed(const struct govalue *in, const struct datum *place, uint64_t size,
                               struct value *value)
{
	uint64_t number = gomemory_number(in->heap, place->data, size);
	uint64_t sign = 1ULL << (size * 8 - 1);
	value->kind = VALUE_ID;
	value->negative = number & sign;
	value->number = value->negative ? (~number & (sign - 1)) + 1 : number;
	if (strcmp(field_value_type(in, place)->name, "time.Duration") == 0)
		value->kind = VALUE_TIME;
}

/* Shows the bytes of a string, truncated: there may be gigabytes. */
static void field_value_string(const struct govalue *in, const struct datum *place,
                               struct value *value)
{
	uint64_t length = field_value_word(in, place, 1);
	uint64_t shown = length < TEXT_LIMIT ? length : TEXT_LIMIT;
	const uint8_t *bytes =
		shown ? gomemory_bytes(typing_runtime(in->typing), field_value_word(in, place, 0), shown)
			  : NULL;
	if (shown && !bytes)
		return;
	value->kind = VALUE_TEXT;
	text_add_escaped(value->text, (const char *)bytes, shown, TEXT_LIMIT);
	if (shown < length)
		buf_add(value->text, "…");
}

static void field_value_read(const struct govalue *in, const struct datum *place,
                             struct value *value)
{
	const struct gotype *type = field_value_type(in, place);
	switch (type->kind) {
	case GO_BOOL:
		cell_number(value, VALUE_BOOL, *place->data != 0);
		return;
	case GO_INT:
	case GO_INT8:
	case GO_INT16:
	case GO_INT32:
	case GO_INT64:
		field_value_signed(in, place, type->size, value);
		return;
	case GO_UINT:
	case GO_UINT8:
	case GO_UINT16:
	case GO_UINT32:
	case GO_UINT64:
		cell_number(value, VALUE_ID, gomemory_number(in->heap, place->data, type->size));
		return;
	case GO_STRING:
		field_value_string(in, place, value);
		return;
	case GO_UINTPTR:
	case GO_POINTER:
	case GO_UNSAFE_POINTER:
		if (field_value_word(in, place, 0))
			cell_number(value, VALUE_ADDRESS, field_value_word(in, place, 0));
		return;
	default:
		govalue_add(in, place->type, place->data, place->room, cell_begin(value));
	}
}

/* Replaces a pointer to a value without fields by that value. */
static void field_value_follow(const struct govalue *in, struct datum *place)
{
	struct datum target;
	for (int i = 0; i < FOLLOWED && field_value_type(in, place)->kind == GO_POINTER; i++) {
		if (!datum_follow(in, place, &target) || !target.type || !target.data)
			return;
		const struct gotype *type = field_value_type(in, &target);
		if (type->kind == GO_STRUCT && !govalue_is_known(type->name))
			return;
		*place = target;
	}
}

/* ---- Fields of an object */

/* Returns false if no object of the type can have the field, which saves the search. */
static bool field_value_may_have(const struct govalue *in, const struct datum *whole,
                                 const char *steps)
{
	const struct gotypes *types = typing_types(in->typing);
	const struct gotype *type = field_value_type(in, whole);
	struct datum ignored;
	if (type->kind != GO_STRUCT)
		return datum_leads_on(in, whole);
	if (datum_field(in, whole, steps + 1, strcspn(steps + 1, ".[( )"), &ignored)
	    || datum_leads_on(in, whole))
		return true;
	for (uint32_t i = 0; i < type->fields; i++)
		if (gotype_field(types, type->first_field + i)->embedded)
			return true;
	return false;
}

static bool field_value_place(const struct analysis *analysis, const struct govalue *in,
                              const struct datum *whole, const char *steps, struct datum *place,
                              struct err *err)
{
	struct err own = {0};
	struct expression e = {.start = steps, .place = *whole, .whole = true};
	if (!e.place.type || !e.place.data || e.place.count != 1
	    || !field_value_may_have(in, &e.place, steps))
		return err_set(err, "It has no such field");
	if (!expression_read(analysis, &e, &steps, err ? err : &own))
		return false;
	*place = e.place;
	if (*steps)
		return err_set(err, "It has no such steps");
	return place->type && place->count == 1 && place->data
	       && place->room >= field_value_type(in, place)->size;
}

/* Marks a value whose type is a guess, because that of the object around it is. */
static void field_value_mark(const struct govalue *in, const struct datum *datum,
                             struct value *value)
{
	if (value->kind == VALUE_NONE || (value->composed && !value->text->len)
	    || datum_known(in, datum) != KNOWN_GUESS)
		return;
	SCOPED_BUF text = {0};
	value_add(value, &text);
	buf_clear(value->text);
	buf_addf(value->text, "~%s", buf_text(&text));
	*value = (struct value){.kind = VALUE_TEXT, .text = value->text};
}

void field_value_of(const struct analysis *analysis, const struct datum *datum, struct value *value)
{
	struct govalue in = datum_memory(analysis);
	const struct gotype *type = field_value_type(&in, datum);
	struct datum empty = *datum; /* a value without bytes is known wherever it lies */
	if (!datum->data && datum->type && !type->size) {
		empty.data = (const uint8_t *)"";
		datum = &empty;
	}
	if (!datum->data || datum->room < type->size)
		return;
	if (type->kind == GO_POINTER) { /* with what it points to */
		govalue_add(&in, datum->type, datum->data, datum->room, cell_begin(value));
	} else {
		field_value_read(&in, datum, value);
	}
	field_value_mark(&in, datum, value);
}

bool field_value_get(const struct analysis *analysis, const struct datum *whole,
                     const char *expression, struct value *value, struct err *err)
{
	struct govalue in = datum_memory(analysis);
	struct datum place;
	SCOPED_BUF steps = {0};
	bool call = *expression != '.'; /* len(.Tags) */
	uint64_t number;
	buf_add_bytes(&steps, expression + (call ? 4 : 0), strlen(expression) - (call ? 5 : 0));
	bool there = field_value_place(analysis, &in, whole, buf_text(&steps), &place, err);
	if (!there)
		return false;
	if (!call) {
		field_value_follow(&in, &place);
		if (place.room >= field_value_type(&in, &place)->size)
			field_value_read(&in, &place, value);
	} else if (field_value_length(&in, &place, *expression == 'c', &number)) {
		cell_number(value, VALUE_COUNT, number);
	}
	field_value_mark(&in, whole, value);
	return true;
}

bool field_value_find(const struct analysis *analysis, const struct datum *whole,
                      const char *expression, struct datum *place)
{
	struct govalue in = datum_memory(analysis);
	return field_value_place(analysis, &in, whole, expression, place, NULL);
}

bool field_value_is_plain(const struct analysis *analysis, const struct datum *whole,
                          const char *expression)
{
	struct govalue in = datum_memory(analysis);
	struct datum place;
	if (!field_value_find(analysis, whole, expression, &place))
		return false;
	const struct gotype *type = field_value_type(&in, &place);
	return type->kind == GO_STRING || (type->kind >= GO_BOOL && type->kind <= GO_UINT64)
	       || type->kind == GO_FLOAT32 || type->kind == GO_FLOAT64
	       || (type->kind == GO_STRUCT && govalue_is_known(type->name)
	           && strncmp(type->name, "sync.", 5) != 0);
}
