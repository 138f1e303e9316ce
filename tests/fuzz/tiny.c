#include "tiny.h"

enum {
	HEAP = 0x100000, /* slots of 64 bytes, a page of 16, a large one with an allocation header */
	SMALL = HEAP + 0x2000,
	LARGE = HEAP + 0x4000,
	LARGE_SIZE = 1024,
	TYPE = 0x5000,
	ITAB = 0x6000,
	CODE = 0x401000,
	STACK = 0x700000,
	DATA = 0x800000,
	M = 0x900000,
	PROFILE = 0xa00000,
	OBJECTS = 12,
	MEMSTATS = 24 + 256 + 1,
};

static void numbers(struct dump_writer *w, const uint64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		dump_uvarint(w, values[i]);
}

static void write_start(struct dump_writer *w, const struct tiny *tiny)
{
	enum { BIG_ENDIAN_AT = 17 }; /* after the header and the tag of the parameters */
	if (tiny->layout == DUMP_7) {
		dump_start(w, tiny->pointer_size, tiny->big_endian, tiny->version);
		return;
	}
	dump_start_old(w, (enum dump_layout)tiny->layout, tiny->pointer_size);
	w->out.data[BIG_ENDIAN_AT] = tiny->big_endian;
	w->big_endian = tiny->big_endian;
}

/* Of typed objects: one, array, channel, all words. */
static uint64_t kind_of(uint64_t object)
{
	return object % 4 == 3 ? 127 : object % 4;
}

static void write_objects(struct dump_writer *w)
{
	const uint64_t word = w->pointer_size;
	for (uint64_t i = 0; i < OBJECTS; i++) {
		const struct dump_field fields[] = {{0, HEAP + 64 * ((i + 1) % OBJECTS), 0},
		                                    {2 * word, HEAP + 64 * (i / 2) + 8, 0}};
		if (w->layout >= DUMP_3)
			dump_typed_object(w, HEAP + 64 * i, 64, TYPE, kind_of(i), fields, 2);
		else
			dump_object(w, HEAP + 64 * i, 64, fields, 2);
	}
	if (w->layout >= DUMP_3)
		return;
	for (uint64_t at = 0x2000 - 5 * 16; at < 0x2000; at += 16) /* the last ones are ghosts */
		dump_object(w, SMALL + at, 16, &(struct dump_field){8, HEAP, 0}, 1);
	const struct dump_field large[] = {{8, HEAP, 0}, {16, LARGE + 8, 0}, {1000, HEAP + 128, 0}};
	dump_object(w, LARGE, LARGE_SIZE, large, 3);
	dump_object(w, LARGE + 0x4000, 0, NULL, 0); /* no bytes: an odd one */
}

static void write_threads(struct dump_writer *w)
{
	const struct dump_field locals[] = {{0, HEAP, 0}, {8, HEAP + 64, 0}, {64, HEAP, 0}};
	dump_goroutine(w, 1, 4, 0, "dumping heap");
	dump_frame(w, STACK, 0, "runtime/debug.WriteHeapDump", CODE + 16, 32, locals, 2);
	dump_frame(w, STACK + 32, 1, "main.main", CODE + 300, 48, locals, 3);
	/* A deferred call and a panic that are their own links. */
	numbers(w, (uint64_t[]){14, HEAP + 64, 0x1000, STACK, CODE, HEAP + 128, CODE, HEAP + 64}, 8);
	numbers(w, (uint64_t[]){15, STACK + 8, 0x1000, TYPE, HEAP + 192, 0, STACK + 8}, 7);
	dump_goroutine(w, 2, 4, 5000, "chan \x1b[31m receive\xff");
	dump_frame(w, STACK + 256, 0, "net/http.(*conn).serve\n", CODE + 700, 16, locals, 1);
	numbers(w, (uint64_t[]){9, M, 0, 4242}, 4);
}

static void write_rest(struct dump_writer *w)
{
	const struct dump_field globals[] = {{0, HEAP + 8, 0}, {24, SMALL, 0}, {32, 0xdead, 0}};
	dump_segment(w, false, DATA, 64, globals, 3);
	dump_segment(w, true, DATA + 0x1000, 64, globals, 1);
	dump_finalizer(w, false, HEAP + 256, HEAP + 320);
	dump_finalizer(w, true, HEAP + 384, HEAP + 448);
	dump_uvarint(w, 2);
	dump_text(w, "runtime type info");
	dump_uvarint(w, HEAP + 512);
	dump_uvarint(w, 10);
	for (uint64_t i = 0; i < MEMSTATS; i++)
		dump_uvarint(w, i < 30 ? 100 * i : 0);
	if (w->layout == DUMP_3BETA)
		return;
	numbers(w, (uint64_t[]){16, PROFILE, 64, 2}, 4);
	dump_text(w, "main.allocate");
	dump_text(w, "main.go");
	dump_uvarint(w, 12);
	dump_text(w, "main.main");
	dump_text(w, "main.go");
	numbers(w, (uint64_t[]){33, 7, 2}, 3);
	numbers(w, (uint64_t[]){17, HEAP + 64, PROFILE}, 3);
}

/* Contents of words; the early format counts them, too. */
static void early_words(struct dump_writer *w, const uint64_t *values, size_t count)
{
	dump_uvarint(w, count * w->pointer_size);
	for (size_t i = 0; i < count; i++)
		for (unsigned k = 0; k < w->pointer_size; k++) {
			unsigned shift = 8 * (w->big_endian ? w->pointer_size - 1 - k : k);
			buf_add_char(&w->out, (char)(values[i] >> shift));
		}
}

static void write_early_objects(struct dump_writer *w)
{
	numbers(w, (uint64_t[]){12, ITAB, 1}, 3);
	numbers(w, (uint64_t[]){12, ITAB + 64, 0}, 3);
	numbers(w, (uint64_t[]){7, TYPE, 2 * w->pointer_size}, 3);
	dump_text(w, "main.T");
	numbers(w, (uint64_t[]){1, 1, 0, 0}, 4); /* one pointer */
	numbers(w, (uint64_t[]){7, TYPE + 64, 4 * w->pointer_size}, 3);
	dump_text(w, "main.Pair");
	numbers(w, (uint64_t[]){0, 2, 3, 0, 4, 2 * w->pointer_size}, 6); /* two interfaces */
	for (uint64_t i = 0; i < OBJECTS; i++) {
		const uint64_t words[] = {HEAP + 64 * (i / 2), ITAB, HEAP + 64, 7};
		const uint64_t type = i % 3 ? TYPE : TYPE + 64;
		numbers(w, (uint64_t[]){1, HEAP + 64 * i, type, kind_of(i)}, 4);
		early_words(w, words, 4);
	}
}

static void write_early_roots(struct dump_writer *w)
{
	numbers(w, (uint64_t[]){9, STACK + 64, 0, CODE, CODE + 16}, 5);
	dump_text(w, "main.main");
	numbers(w, (uint64_t[]){9, STACK, STACK + 64, CODE, CODE + 99}, 5);
	dump_text(w, "main.inner");
	numbers(w, (uint64_t[]){9, STACK + 128, STACK + 128, CODE, CODE}, 5); /* its own parent */
	dump_text(w, "main.lost");
	numbers(w, (uint64_t[]){8, 0x1000, STACK, 7, CODE, 4, 0, 0, 55}, 9);
	dump_text(w, "chan receive");
	numbers(w, (uint64_t[]){4, STACK + 72, HEAP, STACK + 64}, 4);
	numbers(w, (uint64_t[]){4, STACK + 136, HEAP + 128, STACK + 128}, 4);
	numbers(w, (uint64_t[]){5, DATA, HEAP + 64}, 3);
	dump_uvarint(w, 6);
	dump_text(w, "runtime thing");
	dump_uvarint(w, HEAP + 192);
	numbers(w, (uint64_t[]){11, HEAP + 256, HEAP + 320, CODE, TYPE, TYPE}, 6);
	dump_uvarint(w, 3);
}

static void write_early(struct dump_writer *w, const struct tiny *tiny)
{
	*w = (struct dump_writer){
		.layout = DUMP_3, .pointer_size = tiny->pointer_size, .big_endian = tiny->big_endian};
	buf_add(&w->out, "go1.3 heap dump\n");
	numbers(w, (uint64_t[]){10, tiny->big_endian, tiny->pointer_size, 16, HEAP, HEAP + 0x10000}, 6);
	write_early_objects(w);
	write_early_roots(w);
}

void tiny_write(struct dump_writer *w, const struct tiny *tiny)
{
	const struct dump_field fields[] = {{0, 0, 1}, {2 * tiny->pointer_size, 0, 1}};
	if (tiny->layout == TINY_EARLY) {
		write_early(w, tiny);
		return;
	}
	write_start(w, tiny);
	dump_type(w, TYPE, 32, "main.T", true, fields, 2);
	dump_type(w, TYPE + 64, 8, "main.\xce\xbb\x07", false, fields, 1);
	dump_itab(w, ITAB, w->layout >= DUMP_3 ? 1 : TYPE);
	dump_itab(w, ITAB + 64, w->layout >= DUMP_3 ? 0 : TYPE + 64);
	write_objects(w);
	write_threads(w);
	write_rest(w);
	dump_end(w);
}
