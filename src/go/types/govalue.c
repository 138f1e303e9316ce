#include "go/types/govalue.h"

#include "base/text.h"
#include "go/runtime/gochan.h"
#include "go/runtime/goiface.h"
#include "go/runtime/gosync.h"
#include "govalue_read.h"

#include <inttypes.h>
#include <string.h>

enum {
	HEX_SHOWN = 16,
	SLICE_HEX_SHOWN = 8, /* bytes of an array, of a slice */
	STRUCT_SHOWN = 64,   /* characters of a struct */
	DEPTH = 4
};

/* ---- Numbers */

static void add_bool(const struct reading *r)
{
	buf_add(r->out, *r->data ? "true" : "false");
}

static void add_int(const struct reading *r)
{
	unsigned shift = 64 - 8 * (unsigned)r->type->size;
	uint64_t bits = gomemory_number(r->in->heap, r->data, r->type->size);
	buf_addf(r->out, "%" PRId64, (int64_t)(bits << shift) >> shift);
}

static void add_uint(const struct reading *r)
{
	buf_addf(r->out, "%" PRIu64, gomemory_number(r->in->heap, r->data, r->type->size));
}

static void add_hex(const struct reading *r)
{
	buf_addf(r->out, "0x%" PRIx64, gomemory_number(r->in->heap, r->data, r->type->size));
}

static double real(const struct reading *r, const uint8_t *data, uint64_t size)
{
	uint64_t bits = gomemory_number(r->in->heap, data, size);
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

/* ---- Texts and bytes */

static void reading_quote(struct buf *out, const uint8_t *bytes, uint64_t size)
{
	buf_add_char(out, '"');
	text_add_escaped(out, (const char *)bytes, size, GOVALUE_TEXT);
	buf_add_char(out, '"');
}

static void govalue_add_text(const struct reading *r, uint64_t address, uint64_t len)
{
	const uint8_t *bytes = (const uint8_t *)"";
	if (len)
		bytes = gomemory_bytes(typing_runtime(r->in->typing), address, len);
	if (bytes)
		reading_quote(r->out, bytes, len);
	if (!bytes || len > GOVALUE_TEXT)
		buf_addf(r->out, "%slen %" PRIu64, bytes ? " " : "", len);
}

static void govalue_add_string(const struct reading *r)
{
	govalue_add_text(r, reading_word(r, 0), reading_word(r, 1));
}

/* Returns true for text without control characters. The text may be truncated within a
   character. */
static bool govalue_is_text(const uint8_t *bytes, uint64_t size)
{
	enum { LONGEST = 4 };
	uint32_t codepoint;
	for (uint64_t i = 0, step; i < size; i += step) {
		step = text_decode((const char *)bytes + i, size - i, &codepoint);
		bool control = codepoint < ' ' && (!codepoint || !strchr("\t\r\n", (int)codepoint));
		bool broken = codepoint == 0xfffd && size - i >= LONGEST;
		if (control || broken || (codepoint >= 0x7f && codepoint < 0xa0))
			return false;
	}
	return size > 0;
}

static void govalue_add_bytes(struct buf *out, const uint8_t *bytes, uint64_t size, uint64_t shown)
{
	for (uint64_t i = 0; i < shown && i < size; i++)
		buf_addf(out, "%s%02x", i ? " " : "", bytes[i]);
	if (shown < size) {
		buf_add_char(out, ' ');
		buf_add_cut(out);
	}
}

static void add_slice(const struct reading *r)
{
	uint64_t len = reading_word(r, 1), shown = len < GOVALUE_TEXT ? len : GOVALUE_TEXT;
	const struct gotype *elem = gotype_get(typing_types(r->in->typing), r->type->elem);
	if (!reading_word(r, 0)) {
		buf_add(r->out, "nil");
		return;
	}
	bool bytes = elem->kind == GO_UINT8 && len > 0;
	const uint8_t *data =
		bytes ? gomemory_bytes(typing_runtime(r->in->typing), reading_word(r, 0), len) : NULL;
	buf_addf(r->out, "len %" PRIu64, len);
	if (r->depth > 0)
		return;
	buf_addf(r->out, " cap %" PRIu64 "%s", reading_word(r, 2), data ? "  " : "");
	if (data && govalue_is_text(data, shown))
		reading_quote(r->out, data, len);
	else if (data)
		govalue_add_bytes(r->out, data, len, SLICE_HEX_SHOWN);
}

/* ---- Composite values */

static void add_elements(const struct reading *r)
{
	uint64_t size = gotype_get(typing_types(r->in->typing), r->type->elem)->size;
	size_t start = r->out->len;
	buf_add_char(r->out, '[');
	for (uint64_t i = 0; i < r->type->count && size; i++) {
		if (i)
			buf_add_char(r->out, ' ');
		if (r->out->len - start > STRUCT_SHOWN) {
			buf_add_cut(r->out);
			break;
		}
		reading_inner(r, r->type->elem, r->data + i * size, size);
	}
	buf_add_char(r->out, ']');
}

static void add_array(const struct reading *r)
{
	uint64_t size = r->type->size;
	if (gotype_get(typing_types(r->in->typing), r->type->elem)->kind != GO_UINT8)
		add_elements(r);
	else if (govalue_is_text(r->data, size < HEX_SHOWN ? size : HEX_SHOWN))
		reading_quote(r->out, r->data, size);
	else
		govalue_add_bytes(r->out, r->data, size, HEX_SHOWN);
}

static void add_struct(const struct reading *r)
{
	const struct gotypes *types = typing_types(r->in->typing);
	size_t start = r->out->len;
	buf_add_char(r->out, '{');
	for (uint32_t i = 0; i < r->type->fields; i++) {
		const struct gofield *field = gotype_field(types, r->type->first_field + i);
		if (i)
			buf_add_char(r->out, ' ');
		if (r->out->len - start > STRUCT_SHOWN) {
			buf_add_cut(r->out);
			break;
		}
		text_add_escaped(r->out, field->name, strlen(field->name), GOVALUE_TEXT);
		buf_add_char(r->out, ':');
		uint64_t size = gotype_get(types, field->type)->size;
		reading_inner(r, field->type, r->data + field->offset, size);
	}
	buf_add_char(r->out, '}');
}

/* ---- Pointers */

static void add_pointer(const struct reading *r)
{
	if (reading_word(r, 0))
		buf_addf(r->out, "0x%" PRIx64, reading_word(r, 0));
	else
		buf_add(r->out, "nil");
}

/* Appends the target of a pointer if it is a struct and the pointer is not inside another value. */
static void add_target(const struct reading *r, gotype_id type, uint64_t address)
{
	struct struct_view target;
	if (r->depth > 0 || gotype_get(typing_types(r->in->typing), type)->kind != GO_STRUCT
	    || !struct_view_at(typing_runtime(r->in->typing), type, address, &target))
		return;
	buf_add(r->out, "  ");
	reading_inner(r, target.type, target.data, target.size);
}

static void add_typed_pointer(const struct reading *r)
{
	add_pointer(r);
	add_target(r, r->type->elem, reading_word(r, 0));
}

static void govalue_add_map(const struct reading *r)
{
	uint64_t count;
	if (gomap_length(typing_runtime(r->in->typing), r->type->header, reading_word(r, 0), &count))
		buf_addf(r->out, "map, %" PRIu64 " %s", count, count == 1 ? "entry" : "entries");
	else
		add_pointer(r);
}

static void add_chan(const struct reading *r)
{
	uint64_t length, room;
	if (gochan_length(typing_runtime(r->in->typing)->heap, reading_word(r, 0), &length, &room))
		buf_addf(r->out, "len %" PRIu64 " cap %" PRIu64, length, room);
	else
		add_pointer(r);
}

static void add_func(const struct reading *r)
{
	uint64_t entry = gomemory_word(typing_runtime(r->in->typing), reading_word(r, 0));
	if (!entry || !govalue_add_function(r->in, entry, r->out))
		add_pointer(r);
}

/* Returns true if an interface stores values of this type in memory of their own, not in its data
   word. */
static bool is_boxed(const struct gotype *type)
{
	return type->kind <= GO_COMPLEX128 || type->kind == GO_STRING || type->kind == GO_SLICE
	       || type->kind == GO_STRUCT || type->kind == GO_ARRAY;
}

static void add_dynamic(const struct reading *r, gotype_id dynamic)
{
	const struct gotype *type = gotype_get(typing_types(r->in->typing), dynamic);
	uint64_t address = reading_word(r, 1);
	if (type->kind == GO_POINTER) {
		if (reading_error(r, type->elem, address))
			return;
		buf_addf(r->out, " 0x%" PRIx64, address);
		add_target(r, type->elem, address);
		return;
	}
	bool direct = goiface_is_direct(typing_types(r->in->typing), dynamic);
	const uint8_t *data = is_boxed(type) && !direct
	                          ? gomemory_bytes(typing_runtime(r->in->typing), address, type->size)
	                          : NULL;
	if (!data)
		return;
	buf_add_char(r->out, ' ');
	/* it may be a constant of the executable, whose pointers need relocation */
	if (type->kind == GO_STRING)
		govalue_add_text(r, gomemory_word(typing_runtime(r->in->typing), address),
		                 heap_word(r->in->heap, data + reading_width(r)));
	else
		reading_inner(r, dynamic, data, type->size);
}

static void add_interface(const struct reading *r)
{
	gotype_id dynamic =
		goiface_dynamic(typing_runtime(r->in->typing), reading_word(r, 0), r->type->has_methods);
	if (!dynamic) {
		buf_add(r->out, reading_word(r, 0) ? "of a type that is not known" : "nil");
		return;
	}
	gotype_display(typing_types(r->in->typing), dynamic, r->out);
	add_dynamic(r, dynamic);
}

/* ---- All kinds */

static const struct {
	void (*add)(const struct reading *r);
	unsigned words; /* minimum; 0: the type's size */
	bool points;
} kinds[GO_KINDS] = {
	[GO_BOOL] = {add_bool, 0, false},
	[GO_INT] = {add_int, 0, false},
	[GO_INT8] = {add_int, 0, false},
	[GO_INT16] = {add_int, 0, false},
	[GO_INT32] = {add_int, 0, false},
	[GO_INT64] = {add_int, 0, false},
	[GO_UINT] = {add_uint, 0, false},
	[GO_UINT8] = {add_uint, 0, false},
	[GO_UINT16] = {add_uint, 0, false},
	[GO_UINT32] = {add_uint, 0, false},
	[GO_UINT64] = {add_uint, 0, false},
	[GO_UINTPTR] = {add_hex, 0, false},
	[GO_FLOAT32] = {add_float, 0, false},
	[GO_FLOAT64] = {add_float, 0, false},
	[GO_COMPLEX64] = {add_complex, 0, false},
	[GO_COMPLEX128] = {add_complex, 0, false},
	[GO_ARRAY] = {add_array, 0, false},
	[GO_STRUCT] = {add_struct, 0, false},
	[GO_STRING] = {govalue_add_string, 2, true},
	[GO_SLICE] = {add_slice, 3, true},
	[GO_INTERFACE] = {add_interface, 2, true},
	[GO_POINTER] = {add_typed_pointer, 1, true},
	[GO_UNSAFE_POINTER] = {add_pointer, 1, true},
	[GO_MAP] = {govalue_add_map, 1, true},
	[GO_CHAN] = {add_chan, 1, true},
	[GO_FUNC] = {add_func, 1, true},
};

/* Returns true if the size is valid for the kind: sizes come from the executable. */
static bool govalue_is_sound(const struct gotype *type)
{
	bool scalar = type->kind >= GO_BOOL && type->kind <= GO_FLOAT64;
	bool power = type->size && type->size <= 8 && (type->size & (type->size - 1)) == 0;
	bool complex = type->kind == GO_COMPLEX64 || type->kind == GO_COMPLEX128;
	return scalar ? power : !complex || type->size == 8 || type->size == 16;
}

static void govalue_add_kind(const struct reading *r, uint64_t room)
{
	unsigned words = kinds[r->type->kind].words;
	if (!kinds[r->type->kind].add || !govalue_is_sound(r->type) || room < r->type->size
	    || room < words * (uint64_t)reading_width(r))
		return;
	if (!reading_known(r))
		kinds[r->type->kind].add(r);
}

void reading_inner(const struct reading *r, gotype_id id, const uint8_t *data, uint64_t room)
{
	const struct gotype *type = gotype_get(typing_types(r->in->typing), id);
	if (r->depth < DEPTH)
		govalue_add_kind(&(struct reading){r->in, id, type, data, r->out, r->depth + 1}, room);
	else
		buf_add_cut(r->out);
}

void govalue_add(const struct govalue *in, gotype_id id, const uint8_t *data, uint64_t room,
                 struct buf *out)
{
	const struct gotype *type = gotype_get(typing_types(in->typing), id);
	govalue_add_kind(&(struct reading){in, id, type, data, out, 0}, room);
}

void govalue_add_short(const struct govalue *in, gotype_id id, const uint8_t *data, uint64_t room,
                       struct buf *out)
{
	const struct reading outer = {.in = in, .out = out};
	reading_inner(&outer, id, data, room);
}

bool govalue_pointer(const struct govalue *in, gotype_id id, uint64_t *offset)
{
	const struct gotype *type = gotype_get(typing_types(in->typing), id);
	*offset = type->kind == GO_INTERFACE ? in->heap->params.layout.pointer_size : 0;
	if (type->kind == GO_STRUCT && strncmp(type->name, "sync/atomic.Pointer[", 20) == 0)
		return gotype_field_named(typing_types(in->typing), id, "v", offset) != 0;
	if (type->kind == GO_STRUCT && gosync_role(type->name) == GOSYNC_MAP)
		return gosync_pointer(typing_types(in->typing), id, offset);
	return kinds[type->kind].points;
}
