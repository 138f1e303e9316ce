#include "main/hprof/hprof.h"

#include "base/text.h"
#include "heap/heap.h"
#include "main/print/output.h"

#include <string.h>

/* Maximum bytes of a segment, unless a single subrecord is longer. */
enum { SEGMENT = 1 << 20 };

void hprof_begin(struct hprof *h, const struct heap *heap, struct buf *out, uint64_t time)
{
	static const char magic[] = "JAVA PROFILE 1.0.2"; /* including the 0 after it */
	uint32_t count = heap_object_count(heap);
	bool wide = heap->params.layout.pointer_size == 8
	            || (count && heap_address(heap, count - 1) > UINT32_MAX);
	*h = (struct hprof){.heap = heap, .out = out, .id_size = wide ? 8 : 4, .ok = true};
	h->word = heap->params.layout.pointer_size == 4 ? 4 : 8;
	h->nil_id = hprof_new_id(h);
	buf_add_bytes(out, magic, sizeof magic);
	hprof_number(out, h->id_size, 4);
	hprof_number(out, time, 8);
}

static void hprof_flush(struct hprof *h)
{
	if (!h->segment.len)
		return;
	hprof_record(h, HPROF_SEGMENT, (uint32_t)h->segment.len);
	buf_add_bytes(h->out, h->segment.data, h->segment.len);
	buf_clear(&h->segment);
}

void hprof_end(struct hprof *h)
{
	hprof_flush(h);
	hprof_record(h, HPROF_END, 0);
}

void hprof_free(struct hprof *h)
{
	string_set_free(&h->texts);
	buf_free(&h->segment);
}

unsigned hprof_width(const struct hprof *h, uint8_t type)
{
	static const unsigned char widths[] = {
		[HPROF_BOOL] = 1, [HPROF_CHAR] = 2,  [HPROF_FLOAT] = 4, [HPROF_DOUBLE] = 8,
		[HPROF_BYTE] = 1, [HPROF_SHORT] = 2, [HPROF_INT] = 4,   [HPROF_LONG] = 8,
	};
	return type == HPROF_OBJECT ? h->id_size : widths[type];
}

void hprof_number(struct buf *out, uint64_t number, unsigned width)
{
	uint64_t turned = __builtin_bswap64(number << (64 - 8 * width));
	buf_add_bytes(out, &turned, width);
}

void hprof_id(const struct hprof *h, struct buf *out, uint64_t id)
{
	hprof_number(out, id, h->id_size);
}

uint32_t hprof_text(struct hprof *h, const char *text)
{
	bool is_new;
	uint32_t number = string_set_number(&h->texts, text, &is_new) + 1;
	if (!is_new)
		return number;
	SCOPED_BUF spelled = {0};
	/* Characters beyond 16 bits are escaped, because readers treat them differently. */
	for (size_t length = strlen(text), step; length; text += step, length -= step) {
		uint32_t c;
		step = text_decode(text, length, &c);
		if (c > UINT16_MAX)
			buf_addf(&spelled, "\\U%08x", c);
		else
			buf_add_bytes(&spelled, text, step);
	}
	hprof_record(h, HPROF_STRING, h->id_size + (uint32_t)spelled.len);
	hprof_id(h, h->out, number);
	buf_add_bytes(h->out, buf_text(&spelled), spelled.len);
	return number;
}

uint64_t hprof_new_id(struct hprof *h)
{
	do
		h->last_id++;
	while (heap_find(h->heap, h->last_id) != OBJECT_NONE);
	return h->last_id;
}

uint64_t hprof_object_id(const struct hprof *h, uint64_t address)
{
	return address ? address : h->nil_id;
}

void hprof_record(struct hprof *h, enum hprof_tag tag, uint32_t length)
{
	h->ok = output_some(h->out);
	hprof_number(h->out, tag, 1);
	hprof_number(h->out, 0, 4); /* microseconds since the header's time */
	hprof_number(h->out, length, 4);
}

struct buf *hprof_sub(struct hprof *h, enum hprof_sub tag, size_t length)
{
	if (h->segment.len + length > SEGMENT)
		hprof_flush(h);
	hprof_number(&h->segment, tag, 1);
	return &h->segment;
}

uint32_t hprof_load_class(struct hprof *h, uint64_t id, uint32_t name)
{
	hprof_record(h, HPROF_LOAD_CLASS, 8 + 2 * h->id_size);
	hprof_number(h->out, ++h->classes, 4);
	hprof_id(h, h->out, id);
	hprof_number(h->out, 0, 4); /* trace */
	hprof_id(h, h->out, name);
	return h->classes;
}

struct buf *hprof_class(struct hprof *h, uint64_t id, uint64_t super, uint64_t size, size_t fields)
{
	size_t each = 2 * (size_t)h->id_size + 1;
	struct buf *out = hprof_sub(h, HPROF_CLASS, 7 * h->id_size + 14 + fields * each);
	hprof_id(h, out, id);
	hprof_number(out, 0, 4); /* trace */
	hprof_id(h, out, super);
	for (int i = 0; i < 5; i++) /* loader, signers, protection domain, two reserved */
		hprof_id(h, out, 0);
	hprof_number(out, size, 4);
	hprof_number(out, 0, 2); /* constants */
	return out;
}

struct buf *hprof_instance(struct hprof *h, uint64_t id, uint64_t class, uint32_t length)
{
	struct buf *out = hprof_sub(h, HPROF_INSTANCE, 2 * h->id_size + 8 + (size_t)length);
	hprof_id(h, out, id);
	hprof_number(out, 0, 4); /* trace */
	hprof_id(h, out, class);
	hprof_number(out, length, 4);
	return out;
}
