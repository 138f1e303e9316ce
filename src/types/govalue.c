#include "types/govalue.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

enum { SHOWN = 64, HEX_SHOWN = 16 }; /* bytes of a text, of a row of bytes */

struct reading {
	const struct govalue *in;
	const struct gotype *type;
	const uint8_t *data;
	struct buf *out;
};

static unsigned width_of(const struct govalue *in)
{
	return in->heap->params.layout.pointer_size;
}

static uint64_t number(const struct govalue *in, const uint8_t *data, uint64_t size)
{
	return image_decode(exe_image(in->names->exe), data, (unsigned)size);
}

static uint64_t word(const struct reading *r, unsigned n)
{
	return heap_word(r->in->heap, r->data + (size_t)n * width_of(r->in));
}

/* Memory of the dump, or of the executable where it is constant; NULL: not known. */
static const uint8_t *memory(const struct govalue *in, uint64_t address, uint64_t size)
{
	struct object_record record;
	uint32_t id = heap_find(in->heap, address);
	if (id != OBJECT_NONE) {
		if (!heap_object(in->heap, id, &record) || size > record.size - (address - record.slot))
			return NULL;
		return record.data + (address - record.slot);
	}
	for (uint32_t i = 0; i < in->heap->segment_count; i++) {
		const struct segment_record *segment = &in->heap->segments[i];
		uint64_t at = address - segment->address;
		if (at < segment->size && size <= segment->size - at)
			return segment->data + at;
	}
	return image_bytes(exe_image(in->names->exe), address - in->names->fit.bias, size);
}

static void add_quoted(struct buf *out, const uint8_t *bytes, uint64_t size)
{
	buf_add_char(out, '"');
	text_add_visible(out, (const char *)bytes, size, SHOWN);
	buf_add_char(out, '"');
}

static void add_bool(const struct reading *r)
{
	buf_add(r->out, *r->data ? "true" : "false");
}

static void add_int(const struct reading *r)
{
	unsigned shift = 64 - 8 * (unsigned)r->type->size;
	int64_t value = (int64_t)(number(r->in, r->data, r->type->size) << shift) >> shift;
	if (strcmp(r->type->name, "time.Duration") == 0 && value >= 0)
		text_add_duration(r->out, (uint64_t)value);
	else
		buf_addf(r->out, "%" PRId64, value);
}

static void add_uint(const struct reading *r)
{
	buf_addf(r->out, "%" PRIu64, number(r->in, r->data, r->type->size));
}

static void add_hex(const struct reading *r)
{
	buf_addf(r->out, "0x%" PRIx64, number(r->in, r->data, r->type->size));
}

static double real(const struct reading *r, const uint8_t *data, uint64_t size)
{
	uint64_t bits = number(r->in, data, size);
	uint32_t short_bits = (uint32_t)bits;
	double value;
	float short_value;
	memcpy(&value, &bits, sizeof value);
	memcpy(&short_value, &short_bits, sizeof short_value);
	return size == sizeof short_value ? (double)short_value : value;
}

static void add_float(const struct reading *r)
{
	buf_addf(r->out, "%g", real(r, r->data, r->type->size));
}

static void add_complex(const struct reading *r)
{
	uint64_t half = r->type->size / 2;
	buf_addf(r->out, "(%g%+gi)", real(r, r->data, half), real(r, r->data + half, half));
}

static void add_string(const struct reading *r)
{
	uint64_t len = word(r, 1);
	const uint8_t *bytes = len ? memory(r->in, word(r, 0), len) : (const uint8_t *)"";
	if (bytes)
		add_quoted(r->out, bytes, len);
	if (!bytes || len > SHOWN)
		buf_addf(r->out, "%slen %" PRIu64, bytes ? " " : "", len);
}

static bool is_text(const uint8_t *bytes, uint64_t size)
{
	for (uint64_t i = 0; i < size; i++)
		if ((bytes[i] < ' ' && !strchr("\t\r\n", bytes[i])) || bytes[i] >= 0x7f || !bytes[i])
			return false;
	return size > 0;
}

static void add_slice(const struct reading *r)
{
	uint64_t len = word(r, 1), shown = len < SHOWN ? len : SHOWN;
	const struct gotype *elem = gotype_get(typing_types(r->in->typing), r->type->elem);
	if (!word(r, 0)) {
		buf_add(r->out, "nil");
		return;
	}
	const uint8_t *bytes = elem->kind == GO_UINT8 ? memory(r->in, word(r, 0), len) : NULL;
	if (bytes && is_text(bytes, shown)) {
		add_quoted(r->out, bytes, len);
		buf_add_char(r->out, ' ');
	}
	buf_addf(r->out, "len %" PRIu64 " cap %" PRIu64, len, word(r, 2));
}

/* Only rows of bytes come here. */
static void add_array(const struct reading *r)
{
	uint64_t shown = r->type->size < HEX_SHOWN ? r->type->size : HEX_SHOWN;
	if (is_text(r->data, shown)) {
		add_quoted(r->out, r->data, r->type->size);
		return;
	}
	for (uint64_t i = 0; i < shown; i++)
		buf_addf(r->out, "%s%02x", i ? " " : "", r->data[i]);
	if (shown < r->type->size)
		buf_add(r->out, " …");
}

static void add_pointer(const struct reading *r)
{
	if (word(r, 0))
		buf_addf(r->out, "0x%" PRIx64, word(r, 0));
	else
		buf_add(r->out, "nil");
}

/* Maps of both kinds begin with the number of their entries, channels with that of their elements
   and their room. */
static void add_lengths(const struct reading *r)
{
	unsigned width = width_of(r->in);
	const uint8_t *header = word(r, 0) ? memory(r->in, word(r, 0), 2 * (uint64_t)width) : NULL;
	if (!header) {
		add_pointer(r);
		return;
	}
	buf_addf(r->out, "len %" PRIu64, heap_word(r->in->heap, header));
	if (r->type->kind == GO_CHAN)
		buf_addf(r->out, " cap %" PRIu64, heap_word(r->in->heap, header + width));
}

static void add_func(const struct reading *r)
{
	const uint8_t *entry = word(r, 0) ? memory(r->in, word(r, 0), width_of(r->in)) : NULL;
	const char *name;
	if (entry && names_function(r->in->names, heap_word(r->in->heap, entry), &name))
		text_add_visible(r->out, name, strlen(name), SHOWN);
	else
		add_pointer(r);
}

/* What errors say: a pointer to a struct that begins with a string. */
static void add_error(const struct reading *r, const struct gotype *pointer)
{
	const struct gotypes *types = typing_types(r->in->typing);
	const struct gotype *type = gotype_get(types, pointer->elem);
	if (pointer->kind != GO_POINTER || type->kind != GO_STRUCT || !type->fields
	    || !strstr(type->name, "rror"))
		return;
	gotype_id first = gotype_field(types, type->first_field)->type;
	const uint8_t *data = memory(r->in, word(r, 1), type->size);
	if (!data || gotype_get(types, first)->kind != GO_STRING)
		return;
	buf_add_char(r->out, ' ');
	govalue_add(r->in, first, data, type->size, r->out);
}

static void add_interface(const struct reading *r)
{
	const struct gotypes *types = typing_types(r->in->typing);
	gotype_id dynamic = typing_dynamic(r->in->typing, word(r, 0), r->type->has_methods);
	if (!dynamic) {
		buf_add(r->out, word(r, 0) ? "of a type that is not known" : "nil");
		return;
	}
	const struct gotype *type = gotype_get(types, dynamic);
	gotype_display(types, dynamic, r->out);
	add_error(r, type);
	bool boxed = type->kind <= GO_COMPLEX128 || type->kind == GO_STRING;
	const uint8_t *data = boxed ? memory(r->in, word(r, 1), type->size) : NULL;
	if (!data)
		return;
	buf_add_char(r->out, ' ');
	govalue_add(r->in, dynamic, data, type->size, r->out);
}

static const struct {
	void (*add)(const struct reading *r);
	unsigned words; /* at least; 0: the type's size */
	bool points;
} kinds[GO_KINDS] = {
	[GO_BOOL] = {add_bool, 0, false},
	[GO_INT] = {add_int, 0, false}, [GO_INT8] = {add_int, 0, false},
	[GO_INT16] = {add_int, 0, false}, [GO_INT32] = {add_int, 0, false},
	[GO_INT64] = {add_int, 0, false},
	[GO_UINT] = {add_uint, 0, false}, [GO_UINT8] = {add_uint, 0, false},
	[GO_UINT16] = {add_uint, 0, false}, [GO_UINT32] = {add_uint, 0, false},
	[GO_UINT64] = {add_uint, 0, false}, [GO_UINTPTR] = {add_hex, 0, false},
	[GO_FLOAT32] = {add_float, 0, false}, [GO_FLOAT64] = {add_float, 0, false},
	[GO_COMPLEX64] = {add_complex, 0, false}, [GO_COMPLEX128] = {add_complex, 0, false},
	[GO_ARRAY] = {add_array, 0, false},
	[GO_STRING] = {add_string, 2, true}, [GO_SLICE] = {add_slice, 3, true},
	[GO_INTERFACE] = {add_interface, 2, true}, [GO_POINTER] = {add_pointer, 1, true},
	[GO_UNSAFE_POINTER] = {add_pointer, 1, true}, [GO_MAP] = {add_lengths, 1, true},
	[GO_CHAN] = {add_lengths, 1, true}, [GO_FUNC] = {add_func, 1, true},
};

/* Sizes come from the executable, and so need not be those of the kind. */
static bool is_sound(const struct gotype *type)
{
	bool scalar = type->kind >= GO_BOOL && type->kind <= GO_FLOAT64;
	bool power = type->size && type->size <= 8 && (type->size & (type->size - 1)) == 0;
	bool complex = type->kind == GO_COMPLEX64 || type->kind == GO_COMPLEX128;
	return scalar ? power : !complex || type->size == 8 || type->size == 16;
}

void govalue_add(const struct govalue *in, gotype_id id, const uint8_t *data, uint64_t room,
                 struct buf *out)
{
	const struct gotype *type = gotype_get(typing_types(in->typing), id);
	struct reading r = {in, type, data, out};
	unsigned words = kinds[type->kind].words;
	if (!kinds[type->kind].add || !is_sound(type))
		return;
	if (room >= (words ? words * (uint64_t)width_of(in) : type->size))
		kinds[type->kind].add(&r);
}

bool govalue_pointer(const struct govalue *in, gotype_id id, uint64_t *offset)
{
	enum gokind kind = gotype_get(typing_types(in->typing), id)->kind;
	*offset = kind == GO_INTERFACE ? width_of(in) : 0;
	return kinds[kind].points;
}
