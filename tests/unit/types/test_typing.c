/* Types in a handmade heap with the types of the small program: along cycles of pointers, with
   lengths that exceed memory. */
#include "base/mem.h"
#include "exe/types_of.h"
#include "go/types/label.h"
#include "go/types/propagate.h"
#include "go/types/typing.h"
#include "heap/dump_heap.h"
#include "heap/edges.h"

#include "cmocka_all.h"

#include <string.h>

enum { W = 8 };
#define HEAP          0xc000000000
#define ABSURD        (UINT64_C(1) << 62)
#define COUNT(fields) (sizeof(fields) / sizeof *(fields))

struct test_heap {
	struct dump_writer w;
	struct types_of of;
	struct heap *heap;
	struct typing *typing;
};

static void begin(struct test_heap *h)
{
	*h = (struct test_heap){0};
	types_of_open(&h->of, "testdata/go1.24.4-small.exe.xz", false);
	dump_start(&h->w, W, false, "go1.24.4");
}

/* All types spread from an interface in data that holds a pointer of this type. */
static void finish(struct test_heap *h, const char *pointer_type, uint64_t address)
{
	gotype_id type = gotypes_named(h->of.types, pointer_type);
	assert_int_not_equal(type, 0);
	const struct dump_field root[] = {{0, gotype_get(h->of.types, type)->rtype, DUMP_WORD},
	                                  {W, address}};
	dump_segment(&h->w, false, 0x10, 2 * W, root, COUNT(root));
	dump_end(&h->w);
	h->heap = dump_linked(&h->w);
	h->typing = typing_new(h->heap, h->of.types, (struct typing_options){0}, NULL);
	assert_non_null(h->typing);
}

static void end(struct test_heap *h)
{
	typing_free(h->typing);
	heap_free(h->heap);
	dump_free(&h->w);
	types_of_close(&h->of);
}

static void assert_type(struct test_heap *h, uint64_t address, const char *type, uint32_t count)
{
	SCOPED_BUF name = {0};
	struct typed typed = typing_object(h->typing, heap_find(h->heap, address));
	gotype_display(h->of.types, typed.type, &name);
	assert_string_equal(typed.text ? "string data" : buf_text(&name), type);
	assert_int_equal(typed.count, count);
}

/* main.ListNode {Next *ListNode; Val int} */
TEST(test_a_ring)
{
	struct test_heap h;
	begin(&h);
	for (uint64_t i = 0; i < 100; i++) {
		const struct dump_field node[] = {{0, HEAP + (i + 1) % 100 * 16}, {W, i, DUMP_WORD}};
		dump_object(&h.w, HEAP + i * 16, 16, node, COUNT(node));
	}
	finish(&h, "*main.ListNode", HEAP);
	for (uint64_t i = 0; i < 100; i++) {
		assert_type(&h, HEAP + i * 16, "main.ListNode", 1);
		/* two words in data may look like an interface by chance, and all types depend on them */
		assert_int_equal(typing_object(h.typing, (uint32_t)i).known, KNOWN_GUESS);
	}
	end(&h);
}

/* The allocator's word is certain, and so is the type of its target, but not the number of values;
   a pair also references one of both. */
TEST(test_what_a_header_leads_to)
{
	struct test_heap h;
	begin(&h);
	gotype_id node = gotypes_named(h.of.types, "main.ListNode");
	const struct dump_field row[] = {{0, gotype_get(h.of.types, node)->rtype, DUMP_WORD},
	                                 {W, HEAP + 0x10000}};
	const struct dump_field next[] = {{0, HEAP + 0x10010}};
	dump_object(&h.w, HEAP, 576, row, COUNT(row));
	dump_object(&h.w, HEAP + 0x10000, 16, next, COUNT(next));
	dump_object(&h.w, HEAP + 0x10010, 16, next, COUNT(next));
	finish(&h, "*main.ListNode", HEAP + 0x10010);
	assert_type(&h, HEAP + 8, "main.ListNode", 35);
	assert_int_equal(typing_object(h.typing, 0).known, KNOWN_INFERRED);
	for (uint32_t id = 1; id < 3; id++)
		assert_int_equal(typing_object(h.typing, id).known, KNOWN_EXACT);
	end(&h);
}

/* A value in an interface has pointers where its type has them, is alone in its object, and is not
   of an interface type. */
TEST(test_what_looks_like_an_interface)
{
	static const char *const types[] = {"*main.ListNode", "main.Session", "error", "string"};
	static const size_t sizes[] = {16, 128, 16, 32};
	const struct dump_field field[] = {{W, HEAP}};
	for (size_t i = 0; i < COUNT(types); i++) {
		struct test_heap h;
		begin(&h);
		dump_object(&h.w, HEAP, (uint32_t)sizes[i], field, i == 2 ? 1 : 0);
		finish(&h, types[i], HEAP);
		assert_type(&h, HEAP, "", 0);
		end(&h);
	}
}

/* main.Session {ID string; Buf []byte; Next *Session; Tags map[string]string} that points to
   itself, with lengths that exceed memory. */
TEST(test_absurd_lengths)
{
	const struct dump_field session[] = {
		{0, HEAP + 0x1000},         {W, ABSURD, DUMP_WORD},         {2 * W, HEAP + 0x2000},
		{3 * W, ABSURD, DUMP_WORD}, {4 * W, UINT64_MAX, DUMP_WORD}, {5 * W, HEAP},
		{6 * W, HEAP + 0x3000},
	};
	const struct dump_field map[] = {
		{0, ABSURD, DUMP_WORD}, {2 * W, HEAP + 0x4000}, {3 * W, ABSURD, DUMP_WORD}};
	const struct dump_field table[] = {{0, HEAP + 0x3000}, {W, HEAP + 0x4000}};
	struct test_heap h;
	begin(&h);
	dump_object(&h.w, HEAP, 64, session, COUNT(session));
	dump_object(&h.w, HEAP + 0x1000, 32, NULL, 0);
	dump_object(&h.w, HEAP + 0x2000, 128, NULL, 0);
	dump_object(&h.w, HEAP + 0x3000, 48, map, COUNT(map));
	dump_object(&h.w, HEAP + 0x4000, 16, table, COUNT(table));
	finish(&h, "*main.Session", HEAP);
	assert_type(&h, HEAP, "main.Session", 1);
	assert_type(&h, HEAP + 0x1000, "string data", 32);
	assert_type(&h, HEAP + 0x2000, "uint8", 128);
	assert_type(&h, HEAP + 0x3000, "map[string]string (header)", 1);
	assert_type(&h, HEAP + 0x4000, "*map[string]string (table)", 2);
	end(&h);
}

/* An object with a pointer where the type has none cannot be of that type. */
TEST(test_what_does_not_fit)
{
	const struct dump_field node[] = {{0, HEAP}, {W, HEAP}};
	struct test_heap h;
	begin(&h);
	dump_object(&h.w, HEAP, 16, node, COUNT(node));
	dump_object(&h.w, HEAP + 0x1000, 8, node, 1);
	finish(&h, "*main.ListNode", HEAP);
	assert_type(&h, HEAP, "", 0);
	assert_type(&h, HEAP + 0x1000, "", 0);
	end(&h);
}

struct row {
	uint64_t room, nodes; /* the first `nodes` have their pointer, the rest has none */
	uint64_t from;        /* target of the third pointer, from the row's start */
	uint64_t odd;         /* distance of the last pointer from its place in bytes */
	const char *type;
	uint32_t count;
};

/* Adds a row of main.ListNode values, into which a node points. */
static void add_row(struct test_heap *h, const struct row *row)
{
	struct dump_field next[16] = {{0}};
	const struct dump_field node[] = {{0, HEAP + 0x1000 + 32}};
	for (uint64_t i = 0; i < row->nodes; i++)
		next[i].offset = i * 16 + (i == row->nodes - 1 ? row->odd : 0);
	next[2].value = HEAP + 0x1000 + row->from;
	dump_object(&h->w, HEAP, 16, node, COUNT(node));
	dump_object(&h->w, HEAP + 0x1000, row->room * 16, next, (size_t)row->nodes);
	finish(h, "*main.ListNode", HEAP);
}

/* A long row that is referenced only by pointers to some of its elements. It is a row of all
   elements whose pointers are in step with these, and only if there are no other pointers. */
TEST(test_a_row_by_some_of_its_elements)
{
	static const struct row rows[] = {
		{10, 10, 80, 0, "main.ListNode", 10},
		{10, 10, 88, 0, "main.ListNode", 10}, /* no node fits there: its pointer has no target */
		{10, 9, 80, 0, "main.ListNode", 9},
		{10, 8, 80, 0, "main.ListNode", 8},
		{10, 7, 80, 0, "", 0}, /* too few for a row */
		{7, 7, 80, 0, "", 0},
		{10, 10, 80, W, "", 0},
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct test_heap h;
		begin(&h);
		add_row(&h, &rows[i]);
		assert_type(&h, HEAP, "main.ListNode", 1);
		assert_type(&h, HEAP + 0x1000, rows[i].type, rows[i].count);
		end(&h);
	}
}

/* A pointer to a field at offset 8 that only one struct has: runtime.synctestGroup {mu; timers
   runtime.timers; now; root, waiter *g ...} of 136 bytes, with pointers at 0x10, 0x48, 0x58 and
   0x60. */
TEST(test_a_struct_by_one_of_its_fields)
{
	static const struct {
		uint64_t field, size, last;
		const char *type;
	} cases[] = {
		{8, 144, 0x60, "runtime.synctestGroup"},
		{8, 160, 0x60, ""},  /* a larger size class */
		{16, 144, 0x60, ""}, /* no struct has such a field at this offset */
		{8, 144, 0x68, ""},  /* a pointer where the struct has none */
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct dump_field group[] = {{0x10}, {0x48}, {0x58}, {cases[i].last}};
		struct test_heap h;
		begin(&h);
		dump_object(&h.w, HEAP, cases[i].size, group, COUNT(group));
		finish(&h, "*runtime.timers", HEAP + cases[i].field);
		assert_type(&h, HEAP, cases[i].type, *cases[i].type ? 1 : 0);
		end(&h);
	}
}

/* A pointer to a byte is no reason to take its object for internal/abi.Name {Bytes *byte}: any
   pointer into text leads to one, and so does new(*int). */
TEST(test_a_pointer_into_text)
{
	const struct dump_field pointer[] = {{0, HEAP + 0x1004}},
							name[] = {{0, HEAP + 0x1000}, {W, 9, DUMP_WORD}};
	struct test_heap h;
	begin(&h);
	dump_object(&h.w, HEAP, 8, pointer, COUNT(pointer));
	dump_object(&h.w, HEAP + 0x1000, 16, NULL, 0);
	dump_object(&h.w, HEAP + 0x2000, 16, name, COUNT(name));
	finish(&h, "*string", HEAP + 0x2000);
	assert_int_equal(typing_object(h.typing, 1).type, h.typing->byte);
	assert_type(&h, HEAP, "", 0);
	end(&h);
}

/* Guesses end when they are cancelled: of objects that look like a session, none gets a type. */
TEST(test_guesses_are_cancelled)
{
	enum { MANY = 100 };
	const struct dump_field ring[] = {{0, HEAP}, {W, 7, DUMP_WORD}};
	struct progress progress = {.cancel = true};
	struct test_heap h;
	begin(&h);
	for (uint64_t i = 0; i < MANY; i++)
		dump_object(&h.w, HEAP + i * 16, 16, ring, COUNT(ring));
	finish(&h, "*uint8", HEAP + MANY * 16);    /* to nothing */
	assert_type(&h, HEAP, "main.ListNode", 1); /* what is guessed where nobody cancels */
	typing_free(h.typing);
	h.typing = typing_begin(h.heap, h.of.types, (struct typing_options){0});
	h.typing->object = mem_column_whole(h.typing->object_size);
	h.typing->first_part = mem_column_few(h.typing->first_part_size);
	assert_true(regions_init(&h.typing->regions, h.heap, NULL));
	assert_false(guess_types(h.typing, &progress));
	for (uint32_t id = 0; id < MANY; id++)
		assert_int_equal(h.typing->object[id].type, 0);
	goruntime_settle(&h.typing->runtime);
	end(&h);
}

/* Codes stand for the same types as the objects had, and there are none for more than 65,536
   combinations of type and count. */
TEST(test_codes_are_the_types_of_objects)
{
	enum { OBJECTS = UINT16_MAX + 2 };
	static const uint32_t different[] = {1, 5000, UINT16_MAX + 1, OBJECTS};
	struct test_heap h;
	begin(&h);
	for (uint64_t i = 0; i < OBJECTS - 1; i++) /* and a code of 0 after them */
		dump_object(&h.w, HEAP + i * 16, 16, NULL, 0);
	finish(&h, "*uint8", HEAP);
	for (size_t n = 0; n < COUNT(different); n++) {
		struct typing *t = typing_begin(h.heap, h.of.types, (struct typing_options){0});
		t->object = mem_column(t->object_size);
		for (uint32_t id = 0; id < OBJECTS; id++)
			t->object[id] = object_type(id * 7 % different[n] % 3, id * 7 % different[n], 0);
		typing_encode(t);
		assert_int_equal(t->code != NULL, different[n] < OBJECTS);
		for (uint32_t id = 0; id < OBJECTS; id++) {
			struct object_type object = typing_told(t, id);
			assert_int_equal(object.count, id * 7 % different[n]);
			assert_int_equal(object.type, object.count % 3);
		}
		typing_free(t);
	}
	end(&h);
}

/* A chunk of package arena holds values of any types: that of its first one is not its own, but
   leads on, as do those of the others. */
TEST(test_a_chunk_of_an_arena)
{
	enum { CHUNK = (8 << 20) - (8 << 20) / 64 - 48, LARGE = 8 << 20 };
	static const struct {
		uint64_t address, size;
		const char *label;
	} cases[] = {
		{HEAP, CHUNK, "arena chunk"},
		{HEAP + 0x2000, CHUNK, NULL}, /* not where a chunk begins */
		{HEAP, LARGE, NULL},
		{HEAP, LARGE / 2 - LARGE / 128 - 48, "arena chunk"},
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		const uint64_t node = cases[i].address + 2 * LARGE;
		const struct dump_field chunk[] = {{0, node}, {32, node + 16}};
		const struct dump_field nodes[] = {{0, node}};
		struct test_heap h;
		SCOPED_BUF text = {0};
		begin(&h);
		dump_object(&h.w, cases[i].address, cases[i].size, chunk, COUNT(chunk));
		dump_object(&h.w, node, 16, nodes, COUNT(nodes));
		dump_object(&h.w, node + 16, 16, nodes, COUNT(nodes));
		finish(&h, "*main.ListNode", cases[i].address);
		struct labels *labels = labels_new(h.heap, h.typing, NULL);
		assert_type(&h, node, "main.ListNode", 1);
		if (cases[i].label) {
			assert_int_equal(typing_object(h.typing, 0).type, 0);
			labels_add(labels, labels_of(labels, 0), &text);
			assert_string_equal(buf_text(&text), cases[i].label);
			assert_non_null(strstr(labels_reason(labels, labels_of(labels, 0)), "arena"));
		} else {
			assert_type(&h, cases[i].address, "main.ListNode", 1);
		}
		assert_int_equal(heap_references(h.heap, 0).count, 2);
		labels_free(labels);
		end(&h);
	}
}
