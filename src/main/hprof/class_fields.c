/* The fields of a class: words that hold pointers, and numbers that its type defines. */
#include "main/hprof/classes.h"

#include "base/bound.h"
#include "base/mem.h"
#include "format/format.h"
#include "go/types/scalar_fields.h"

#include <inttypes.h>
#include <string.h>

enum { NUMBERS_MAX = 1024 }; /* maximum number of number fields of an object */

/* Returns the Java type of a number. Java has no unsigned integers, so these become the next wider
   type. 0: not a number. */
static uint8_t hprof_type_of(enum gokind kind)
{
	static const unsigned char types[GO_KINDS] = {
		[GO_BOOL] = HPROF_BOOL,     [GO_INT] = HPROF_LONG,       [GO_INT8] = HPROF_BYTE,
		[GO_INT16] = HPROF_SHORT,   [GO_INT32] = HPROF_INT,      [GO_INT64] = HPROF_LONG,
		[GO_UINT] = HPROF_LONG,     [GO_UINT8] = HPROF_SHORT,    [GO_UINT16] = HPROF_INT,
		[GO_UINT32] = HPROF_LONG,   [GO_UINT64] = HPROF_LONG,    [GO_UINTPTR] = HPROF_LONG,
		[GO_FLOAT32] = HPROF_FLOAT, [GO_FLOAT64] = HPROF_DOUBLE,
	};
	return types[kind];
}

static bool hprof_is_pointer(const struct hprof_object_class *class, uint64_t word)
{
	return word / 64 < class->words && class->pointer[word / 64] >> word % 64 & 1;
}

/* Adds a field named `name` followed by `more`, without a leading dot. */
static void hprof_add_field(struct hprof_classes *c, struct hprof_object_class *class,
                            struct hprof_field field, const struct buf *name, const char *more)
{
	struct buf whole = {0};
	buf_addf(&whole, "%s%s", buf_text(name) + (*buf_text(name) == '.'), more);
	if (!whole.len)
		buf_add(&whole, "value");
	else if (*whole.data == '.')
		memmove(whole.data, whole.data + 1, whole.len);
	field.name = hprof_text(c->h, buf_text(&whole));
	buf_free(&whole);
	MEM_PUSH(class->field, class->fields, class->capacity, field);
	class->bytes += hprof_width(c->h, field.type);
}

/* Adds the numbers of a value: itself, or the lengths next to its pointer. */
static void hprof_add_numbers(struct hprof_classes *c, struct hprof_object_class *class,
                              const struct gotype *type, uint64_t offset, const struct buf *name)
{
	static const char *const lengths[] = {".len", ".cap"};
	unsigned width = c->h->word;
	size_t count = type->kind == GO_SLICE ? 2 : type->kind == GO_STRING;
	struct hprof_field field = {.offset = (uint32_t)offset, .kind = (uint8_t)type->kind};
	field.type = hprof_type_of(type->kind);
	if (field.type && !hprof_is_pointer(class, offset / width))
		hprof_add_field(c, class, field, name, "");
	for (size_t i = 0; i < count; i++) {
		field = (struct hprof_field){
			.offset = (uint32_t)(offset + (i + 1) * width), .type = HPROF_LONG, .kind = GO_INT};
		if (!hprof_is_pointer(class, field.offset / width))
			hprof_add_field(c, class, field, name, lengths[i]);
	}
}

/* Returns true for elements of a byte array: these are contents, which are not written. */
static bool hprof_is_content(const struct gotype *type, const struct buf *name)
{
	return (type->kind == GO_UINT8 || type->kind == GO_INT8) && name->len
	       && name->data[name->len - 1] == ']';
}

static void hprof_find_numbers(struct hprof_classes *c, struct hprof_object_class *class)
{
	const struct hprof_group *group = &c->group[class->group];
	if (!group->type)
		return;
	struct scalar_fields scalars = {.types = typing_types(analysis_typing(c->analysis))};
	uint64_t each = gotype_get(scalars.types, group->type)->size;
	uint64_t per = scalar_fields_count(&scalars, group->type);
	uint64_t values = group->many && each ? class->size / each : 1, count = 0;
	SCOPED_BUF name = {0};
	for (uint64_t i = 0; i < values && each && per && count < NUMBERS_MAX; i++)
		for (uint64_t n = 0; n < per && count < NUMBERS_MAX; n++, count++) {
			buf_clear(&name);
			if (group->many)
				buf_addf(&name, "[%" PRIu64 "]", i);
			struct scalar_field scalar = scalar_fields_get(&scalars, group->type, n, &name);
			const struct gotype *type = gotype_get(scalars.types, scalar.type);
			if (i * each + scalar.offset < UINT32_MAX / 2 && !hprof_is_content(type, &name))
				hprof_add_numbers(c, class, type, i * each + scalar.offset, &name);
		}
	scalar_fields_fini(&scalars);
}

/* Appends the name of a pointer field: that of the value; the first word of an interface is its
   type. */
static void hprof_name_pointer(const struct hprof_classes *c, const struct hprof_group *group,
                               uint64_t offset, struct buf *name)
{
	const struct gotypes *types = typing_types(analysis_typing(c->analysis));
	uint64_t each = gotype_get(types, group->type)->size;
	if (!each || (!group->many && offset >= each)) {
		buf_addf(name, "+0x%" PRIx64, offset);
		return;
	}
	if (group->many)
		buf_addf(name, "[%" PRIu64 "]", offset / each);
	struct scalar_field scalar = scalar_at(types, group->type, offset % each, name);
	uint64_t rest = offset % each - scalar.offset;
	if (gotype_get(types, scalar.type)->kind == GO_INTERFACE) {
		if (rest == 0)
			buf_add(name, ".type");
	} else if (rest) {
		buf_addf(name, "+0x%" PRIx64, rest);
	}
}

static void hprof_find_pointers(struct hprof_classes *c, struct hprof_object_class *class)
{
	bool told = heap_has(c->h->heap, PART_MEMORY); /* the dump records offsets of pointers */
	const struct hprof_group *group = &c->group[class->group];
	SCOPED_BUF name = {0};
	for (size_t word = 0; word < class->words * 64; word++) {
		uint64_t offset = word * c->h->word;
		if (!hprof_is_pointer(class, word))
			continue;
		buf_clear(&name);
		if (group->type)
			hprof_name_pointer(c, group, offset, &name);
		else
			buf_addf(&name, told ? "+0x%" PRIx64 : "[%" PRIu64 "]", told ? offset : (uint64_t)word);
		hprof_add_field(c, class,
		                (struct hprof_field){.offset = (uint32_t)offset, .type = HPROF_OBJECT},
		                &name, "");
	}
}

size_t hprof_class_pointer(const struct hprof_object_class *class, uint64_t offset, size_t guess)
{
	const struct hprof_field *field = class->field;
	if (guess >= class->fields || field[guess].offset != offset)
		guess = lower_bound(field, class->fields, BOUND_BY(struct hprof_field, offset), offset);
	return guess < class->fields && field[guess].offset == offset ? guess : SIZE_MAX;
}

void hprof_class_find_fields(struct hprof_classes *c, struct hprof_object_class *class)
{
	hprof_find_pointers(c, class);
	hprof_find_numbers(c, class);
	bound_sort(class->field, class->fields, BOUND_BY(struct hprof_field, offset));
}
