/* Labels of handmade heaps: real structures, and similar contents that are something else. */
#include "go/types/label.h"
#include "heap/dump_heap.h"

#include "cmocka_all.h"

enum { W = 8 };
#define HEAP 0xc000000000
#define ITAB 0x500000
#define TYPE 0x480000

struct test_heap {
	struct dump_writer w;
	struct heap *heap;
	struct labels *labels;
};

static void begin(struct test_heap *h)
{
	*h = (struct test_heap){0};
	dump_start(&h->w, W, false, "go1.24.4");
	dump_type(&h->w, TYPE, 24, "main.Point", true, NULL, 0);
	dump_type(&h->w, TYPE + 0x40, 8, "net/http.", true, NULL, 0);
	dump_itab(&h->w, ITAB, TYPE);
	dump_itab(&h->w, ITAB + 0x40, TYPE + 0x40);
}

static void finish(struct test_heap *h)
{
	dump_end(&h->w);
	h->heap = dump_linked(&h->w);
	h->labels = labels_new(h->heap, NULL, NULL);
	assert_non_null(h->labels);
}

static void end(struct test_heap *h)
{
	labels_free(h->labels);
	heap_free(h->heap);
	dump_free(&h->w);
}

static void assert_label(const struct test_heap *h, uint64_t address, const char *text,
                         enum type_known known)
{
	SCOPED_BUF label = {0};
	uint32_t object = heap_find(h->heap, address);
	assert_int_not_equal(object, OBJECT_NONE);
	uint32_t id = labels_of(h->labels, object);
	labels_add(h->labels, id, &label);
	assert_string_equal(buf_text(&label), text);
	assert_int_equal(labels_known(h->labels, id), known);
}

#define COUNT(fields) (sizeof(fields) / sizeof *(fields))

TEST(test_interfaces_name_types)
{
	const struct dump_field roots[] = {
		{0, ITAB, DUMP_WORD},
		{W, HEAP},
		{2 * W, ITAB + 0x40, DUMP_WORD},
		{3 * W, HEAP + 0x1000},
		{4 * W, 0x123456, DUMP_WORD},
		{5 * W, HEAP + 0x2000},
	};
	struct test_heap h;
	begin(&h);
	dump_object(&h.w, HEAP, 24, NULL, 0);
	dump_object(&h.w, HEAP + 0x1000, 64, NULL, 0);
	dump_object(&h.w, HEAP + 0x2000, 64, NULL, 0);
	dump_segment(&h.w, true, 0x600000, 6 * W, roots, COUNT(roots));
	finish(&h);
	assert_label(&h, HEAP, "main.Point", KNOWN_EXACT);
	assert_label(&h, HEAP + 0x1000, "target of *net/http.?@0x480040", KNOWN_NONE);
	assert_label(&h, HEAP + 0x2000, "obj[64] held at bss+0x28", KNOWN_NONE);
	end(&h);
}

/* A value that is larger or much smaller than its type is something else. */
TEST(test_a_name_must_fit)
{
	const struct dump_field roots[] = {{0, ITAB, DUMP_WORD}, {W, HEAP}};
	struct test_heap h;
	begin(&h);
	dump_object(&h.w, HEAP, 64, NULL, 0);
	dump_segment(&h.w, false, 0x600000, 2 * W, roots, COUNT(roots));
	finish(&h);
	assert_label(&h, HEAP, "obj[64] held at data+0x8", KNOWN_NONE);
	end(&h);
}

static void add_map(struct test_heap *h, uint64_t at, uint64_t used, uint64_t tables,
                    uint64_t group)
{
	const struct dump_field header[] = {
		{0, used, DUMP_WORD},
		{W, 0x9123456789abcdef, DUMP_WORD},
		{2 * W, group},
		{3 * W, tables, DUMP_WORD},
	};
	dump_object(&h->w, at, 48, header, COUNT(header));
}

TEST(test_maps_of_groups)
{
	const struct dump_field full[] = {{0, 0x8080808080801122, DUMP_WORD}, {W, HEAP + 0x3000}};
	const struct dump_field wrong[] = {{0, 0x8080808080801199, DUMP_WORD}, {W, HEAP + 0x3000}};
	struct test_heap h;
	begin(&h);
	add_map(&h, HEAP, 2, 0, HEAP + 0x1000);
	add_map(&h, HEAP + 48, 0, 0, 0);
	add_map(&h, HEAP + 96, 3, 0, HEAP + 0x1000);           /* not that many are in use */
	add_map(&h, HEAP + 144, 1, 0, HEAP + 0x1000 + 144);    /* no control bytes */
	add_map(&h, HEAP + 192, 9, UINT64_MAX, HEAP + 0x1000); /* no directory is that long */
	dump_object(&h.w, HEAP + 0x1000, 144, full, COUNT(full));
	dump_object(&h.w, HEAP + 0x1000 + 144, 144, wrong, COUNT(wrong));
	dump_object(&h.w, HEAP + 0x3000, 16, NULL, 0);
	finish(&h);
	assert_label(&h, HEAP, "~map header", KNOWN_NONE);
	assert_label(&h, HEAP + 48, "~map header", KNOWN_NONE);
	assert_label(&h, HEAP + 0x1000, "~map groups", KNOWN_NONE);
	assert_label(&h, HEAP + 96, "obj[48] ..P...", KNOWN_NONE);
	assert_label(&h, HEAP + 144, "obj[48] ..P...", KNOWN_NONE);
	assert_label(&h, HEAP + 192, "obj[48] ..P...", KNOWN_NONE);
	end(&h);
}

static void add_channel(struct test_heap *h, uint64_t at, uint64_t count, uint64_t size,
                        uint64_t buffer, uint64_t elem_size)
{
	const struct dump_field fields[] = {
		{0, count, DUMP_WORD},
		{W, size, DUMP_WORD},
		{2 * W, buffer},
		{3 * W, elem_size, DUMP_WORD},
		{4 * W, 0},
		{5 * W, TYPE},
		{8 * W, 0},
		{9 * W, 0},
		{10 * W, 0},
		{11 * W, 0},
	};
	dump_object(&h->w, at, 112, fields, COUNT(fields));
}

TEST(test_channels)
{
	const struct dump_field pointer[] = {{0, HEAP}};
	struct test_heap h;
	begin(&h);
	add_channel(&h, HEAP, 1, 4, HEAP + 0x1000, W);
	add_channel(&h, HEAP + 112, 1, UINT64_MAX, HEAP + 0x1000, W); /* more than the memory has */
	add_channel(&h, HEAP + 224, 5, 4, HEAP + 0x1000, W);          /* more than its capacity */
	add_channel(&h, HEAP + 336, 0, 4, HEAP + 0x1000, 0xffff);     /* a buffer of other elements */
	dump_object(&h.w, HEAP + 0x1000, 32, pointer, COUNT(pointer));
	finish(&h);
	assert_label(&h, HEAP, "~channel of type@0x480000", KNOWN_NONE);
	assert_label(&h, HEAP + 0x1000, "~channel buffer", KNOWN_NONE);
	/* the first one holds a pointer to the first channel only */
	for (uint64_t at = HEAP + 112; at <= HEAP + 336; at += 112)
		assert_label(&h, at, "obj[112] ..P.PP..PPPP..", KNOWN_NONE);
	end(&h);
}

TEST(test_strings_and_slices)
{
	const struct dump_field text[] = {{0, 0x6f77206f6c6c6568, DUMP_WORD},
	                                  {W, 0x21646c72, DUMP_WORD}};
	const struct dump_field pointers[] = {{0, HEAP}, {W, HEAP}, {2 * W, HEAP}};
	const struct dump_field roots[] = {
		{0, HEAP},
		{W, 12, DUMP_WORD}, /* a string */
		{2 * W, HEAP + 0x1000},
		{3 * W, 5, DUMP_WORD},
		{4 * W, 60, DUMP_WORD}, /* bytes */
		{5 * W, HEAP + 0x2000},
		{6 * W, 2, DUMP_WORD},
		{7 * W, 3, DUMP_WORD}, /* pointers */
		{8 * W, HEAP + 0x3000},
		{9 * W, 1, DUMP_WORD},
		{10 * W, 1ULL << 62, DUMP_WORD},
		{11 * W, HEAP + 0x4000},
		{12 * W, 0, DUMP_WORD},
		{13 * W, 120, DUMP_WORD}, /* no bytes yet */
		{14 * W, HEAP + 0x5000},
		{15 * W, 0, DUMP_WORD},
		{16 * W, 12, DUMP_WORD}, /* of unknown elements */
	};
	struct test_heap h;
	begin(&h);
	dump_object(&h.w, HEAP, 16, text, COUNT(text));
	dump_object(&h.w, HEAP + 0x1000, 64, NULL, 0);
	dump_object(&h.w, HEAP + 0x2000, 24, pointers, COUNT(pointers));
	dump_object(&h.w, HEAP + 0x3000, 24, pointers, COUNT(pointers));
	dump_object(&h.w, HEAP + 0x4000, 128, NULL, 0);
	dump_object(&h.w, HEAP + 0x5000, 128, NULL, 0);
	dump_segment(&h.w, false, 0x600000, 17 * W, roots, COUNT(roots));
	finish(&h);
	assert_label(&h, HEAP, "~string data", KNOWN_NONE);
	assert_label(&h, HEAP + 0x1000, "~[]byte data", KNOWN_NONE);
	assert_label(&h, HEAP + 0x2000, "~slice array", KNOWN_NONE);
	assert_label(&h, HEAP + 0x3000, "obj[24] PPP held at data+0x40", KNOWN_NONE);
	assert_label(&h, HEAP + 0x4000, "~[]byte data", KNOWN_NONE);
	assert_label(&h, HEAP + 0x5000, "obj[128] held at data+0x70", KNOWN_NONE);
	end(&h);
}

/* The most frequent holder of a shape labels all objects of that shape that it references. */
TEST(test_holders)
{
	struct test_heap h;
	begin(&h);
	for (uint64_t i = 0; i < 10; i++) {
		const struct dump_field node[] = {{W, i < 9 ? HEAP + (i + 1) * 32 : HEAP}};
		dump_object(&h.w, HEAP + i * 32, 32, node, COUNT(node));
	}
	const struct dump_field root[] = {{0, HEAP + 64}};
	dump_segment(&h.w, false, 0x600000, W, root, COUNT(root));
	finish(&h);
	for (uint64_t i = 0; i < 10; i++)
		assert_label(&h, HEAP + i * 32, "obj[32] .P.. held at obj[32] .P..+0x8", KNOWN_NONE);
	assert_int_equal(labels_class(h.labels, labels_of(h.labels, 0)), LABEL_SHAPE);
	end(&h);
}

/* Of the four words of data that point to objects of one shape, three point to objects with texts,
   two of them in adjacent words; of the three in an object, the first two. */
TEST(test_neighbours)
{
	const struct dump_field text[] = {{0, HEAP + 0x1000}, {W, 12, DUMP_WORD}};
	const struct dump_field pointer[] = {{0, HEAP + 0x2000}};
	const struct dump_field holder[] = {{0, HEAP + 64}, {W, HEAP + 80}, {2 * W, HEAP + 96}};
	const struct dump_field roots[] = {
		{0, HEAP}, {W, HEAP + 16}, {2 * W, HEAP + 32}, {4 * W, HEAP + 48}, {6 * W, HEAP + 0x2000}};
	struct test_heap h;
	begin(&h);
	for (uint64_t i = 0; i < 7; i++) {
		bool other = i == 2 || i == 6;
		dump_object(&h.w, HEAP + i * 16, 16, other ? pointer : text, other ? 1 : COUNT(text));
	}
	dump_object(&h.w, HEAP + 0x1000, 16, NULL, 0);
	dump_object(&h.w, HEAP + 0x2000, 32, holder, COUNT(holder));
	dump_segment(&h.w, false, 0x600000, 7 * W, roots, COUNT(roots));
	finish(&h);
	for (uint64_t i = 0; i < 2; i++) {
		assert_label(&h, HEAP + i * 16, "obj[16] P. held at data+0x0…", KNOWN_NONE);
		assert_label(&h, HEAP + 64 + i * 16, "obj[16] P. held at obj[32] PPP.+0x0…", KNOWN_NONE);
	}
	assert_label(&h, HEAP + 32, "obj[16] P. held at data+0x10", KNOWN_NONE);
	assert_label(&h, HEAP + 48, "obj[16] P. held at data+0x20", KNOWN_NONE);
	assert_label(&h, HEAP + 96, "obj[16] P. held at obj[32] PPP.+0x10", KNOWN_NONE);
	end(&h);
}
