#include "format/dump_writer.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void dump_uvarint(struct dump_writer *w, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		buf_add_char(&w->out, (char)(value | 0x80));
	buf_add_char(&w->out, (char)value);
}

static void uvarints(struct dump_writer *w, const uint64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		dump_uvarint(w, values[i]);
}

void dump_text(struct dump_writer *w, const char *text)
{
	dump_uvarint(w, strlen(text));
	buf_add(&w->out, text);
}

void dump_start(struct dump_writer *w, unsigned pointer_size, bool big_endian, const char *version)
{
	*w = (struct dump_writer){.pointer_size = pointer_size, .big_endian = big_endian};
	buf_add(&w->out, "go1.7 heap dump\n");
	uvarints(w, (uint64_t[]){6, big_endian, pointer_size, 0xc000000000, 0xc004000000}, 5);
	dump_text(w, "test");
	dump_text(w, version);
	dump_uvarint(w, 2);
}

void dump_start_old(struct dump_writer *w, enum dump_layout layout, unsigned pointer_size)
{
	static const char *const headers[] = {"go1.7", "go1.6", "go1.5", "go1.4", "go1.3", "go1.3"};
	*w = (struct dump_writer){.layout = layout, .pointer_size = pointer_size};
	buf_addf(&w->out, "%s heap dump\n", headers[layout]);
	uvarints(w, (uint64_t[]){6, 0, pointer_size}, 3);
	if (layout >= DUMP_3)
		dump_uvarint(w, 16); /* the size of a channel's header */
	uvarints(w, (uint64_t[]){0xc000000000, 0xc004000000, '6'}, 3);
	dump_text(w, "");
	dump_uvarint(w, 2);
}

static void put_word(const struct dump_writer *w, uint8_t *at, uint64_t value)
{
	for (unsigned i = 0; i < w->pointer_size; i++) {
		unsigned shift = 8 * (w->big_endian ? w->pointer_size - 1 - i : i);
		at[i] = (uint8_t)(value >> shift);
	}
}

/* Writes contents. Fields beyond them are listed, as in real frames, but have no word. */
static void contents(struct dump_writer *w, uint64_t size, const struct dump_field *fields,
                     size_t count)
{
	uint8_t *bytes = mem_alloc(size);
	for (size_t i = 0; i < count; i++)
		if (fields[i].offset + w->pointer_size <= size)
			put_word(w, bytes + fields[i].offset, fields[i].value);
	dump_uvarint(w, size);
	buf_add_bytes(&w->out, bytes, size);
	free(bytes);
}

static void field_list(struct dump_writer *w, const struct dump_field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fields[i].kind != DUMP_WORD)
			uvarints(w, (uint64_t[]){fields[i].kind ? fields[i].kind : 1, fields[i].offset}, 2);
	dump_uvarint(w, 0);
}

void dump_object(struct dump_writer *w, uint64_t address, uint64_t size,
                 const struct dump_field *fields, size_t count)
{
	uvarints(w, (uint64_t[]){1, address}, 2);
	contents(w, size, fields, count);
	field_list(w, fields, count);
}

void dump_type(struct dump_writer *w, uint64_t address, uint64_t size, const char *name,
               bool pointer, const struct dump_field *fields, size_t count)
{
	uvarints(w, (uint64_t[]){3, address, size}, 3);
	dump_text(w, name);
	dump_uvarint(w, pointer);
	if (w->layout >= DUMP_3)
		field_list(w, fields, count);
}

void dump_typed_object(struct dump_writer *w, uint64_t address, uint64_t size, uint64_t type,
                       uint64_t kind, const struct dump_field *words, size_t count)
{
	uvarints(w, (uint64_t[]){1, address, type, kind}, 4);
	contents(w, size, words, count);
}

void dump_itab(struct dump_writer *w, uint64_t address, uint64_t second)
{
	uvarints(w, (uint64_t[]){8, address, second}, 3);
}

void dump_segment(struct dump_writer *w, bool bss, uint64_t address, uint64_t size,
                  const struct dump_field *fields, size_t count)
{
	uvarints(w, (uint64_t[]){bss ? 13 : 12, address}, 2);
	contents(w, size, fields, count);
	field_list(w, fields, count);
}

void dump_goroutine(struct dump_writer *w, uint64_t id, uint64_t status, uint64_t wait_since,
                    const char *reason)
{
	uvarints(w, (uint64_t[]){4, 0x1000 * id, 0x7000, id, 0x401000, status, 0, 0, wait_since}, 9);
	dump_text(w, reason);
	uvarints(w, (uint64_t[]){0, 0, 0, 0}, 4);
}

void dump_frame(struct dump_writer *w, uint64_t sp, uint64_t depth, const char *function,
                uint64_t pc, uint64_t size, const struct dump_field *fields, size_t count)
{
	uvarints(w, (uint64_t[]){5, sp, depth, 0}, 4);
	contents(w, size, fields, count);
	uvarints(w, (uint64_t[]){pc & ~(uint64_t)0xff, pc, pc}, w->layout == DUMP_3BETA ? 2 : 3);
	dump_text(w, function);
	field_list(w, fields, count);
}

void dump_finalizer(struct dump_writer *w, bool queued, uint64_t object, uint64_t function)
{
	uvarints(w, (uint64_t[]){queued ? 11 : 7, object, function, 0x401000, 0, 0}, 6);
}

void dump_defer(struct dump_writer *w, uint64_t address, uint64_t function)
{
	uvarints(w, (uint64_t[]){14, address, 0x1000, 0x7000, 0x401000, function, 0, 0}, 8);
}

void dump_panic(struct dump_writer *w, uint64_t address, uint64_t data)
{
	uvarints(w, (uint64_t[]){15, address, 0x1000, 0, data, 0, 0}, 7);
}

void dump_end(struct dump_writer *w)
{
	dump_uvarint(w, 0);
}

struct input dump_input(const struct dump_writer *w)
{
	return (struct input){
		.path = "test.dump", .data = (const uint8_t *)w->out.data, .size = w->out.len, .fd = -1};
}

void dump_free(struct dump_writer *w)
{
	buf_free(&w->out);
}
