/* The channel of the program "small" with five elements and capacity ten, in real memory of each
   generation; and waiting goroutines. */
#include "runtime/opened.h"

#include "go/runtime/gochan.h"
#include "heap/heap.h"

static void assert_elements(const struct opened *o, uint64_t buffer)
{
	const json_t *list = json_object_get(o->truth, "ChanBuffered");
	unsigned width = o->heap->params.layout.pointer_size;
	assert_int_equal(json_array_size(list), 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(opened_word(o, buffer + i * width),
		                 opened_address(json_array_get(list, i)));
}

TEST(test_without_types)
{
	static const char *const dumps[] = {
		"go1.5.4-small",
		"go1.7.6-small",
		"go1.19.8-small",
		"go1.21.13-small",
		"go1.22.12-small",
		"go1.24.4-small",
		"go1.24.4-small-386",
		"go1.24.4-small-mips",
		"go1.24.4-small-pie",
		"go1.24.4-small-s390x",
		"go1.25.12-small-greentea",
		"go1.27.3-small",
	};
	for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++) {
		SCOPED_OPENED o;
		struct gochan_layouts layouts;
		struct gochan_found found;
		opened_dump(&o, dumps[i]);
		unsigned width = o.heap->params.layout.pointer_size;
		gochan_layouts_init(&layouts, width);
		struct probe chan = opened_probe(&o, opened_global(&o, "main.gChanBuf"));
		assert_true(gochan_look(&layouts, &chan, &found));
		assert_int_equal(found.room, 10);
		assert_int_equal(found.elem_size, width);
		assert_false(found.inside);
		assert_elements(&o, found.buffer);
		struct probe node = opened_probe(&o, opened_global(&o, "main.gListHead"));
		assert_false(gochan_look(&layouts, &node, &found));
		struct probe map = opened_probe(&o, opened_global(&o, "main.gCache"));
		assert_false(gochan_look(&layouts, &map, &found));
	}
}

TEST(test_by_type)
{
	for (unsigned stripped = 0; stripped < 2; stripped++) {
		SCOPED_OPENED o;
		struct gochan chan;
		uint64_t length, room;
		opened_types(&o, "go1.24.4-small", stripped);
		const struct gotype *type =
			gotype_get(o.of.types, gotypes_named(o.of.types, "chan *main.ListNode"));
		uint64_t address = opened_global(&o, "main.gChanBuf");
		uint64_t size = gotype_get(o.of.types, type->header)->size;
		assert_true(
			gochan_read(&o.rt, type->header, gomemory_bytes(&o.rt, address, size), size, &chan));
		assert_int_equal(chan.elem, type->elem);
		assert_int_equal(chan.length, 5);
		assert_int_equal(chan.room, 10);
		assert_false(chan.closed);
		assert_int_equal(gochan_offset(&chan, 4), 4 * 8);
		assert_elements(&o, chan.address);
		assert_true(gochan_length(o.heap, address, &length, &room));
		assert_int_equal(length, 5);
		assert_int_equal(room, 10);
	}
}

/* Every goroutine that waits for one channel is in exactly one queue. */
TEST(test_who_waits)
{
	SCOPED_OPENED o;
	struct gochan_layouts layouts;
	struct gochan_found found;
	struct gochan chan;
	unsigned receivers = 0, senders = 0, expected[2] = {0};
	opened_types(&o, "go1.24.4-small", false);
	gotype_id header = gotypes_named(o.of.types, "runtime.hchan");
	uint64_t size = gotype_get(o.of.types, header)->size;
	assert_true(header);
	for (uint32_t i = 0; i < o.heap->thread_count; i++) {
		struct text reason = o.heap->threads[i].record.wait_reason;
		expected[0] += text_is(reason, "chan receive");
		expected[1] += text_is(reason, "chan send");
	}
	gochan_layouts_init(&layouts, 8);
	for (uint32_t id = 0; id < heap_object_count(o.heap); id++) {
		struct gochan_waiter waiter = {0};
		struct probe probe;
		probe_init(&probe, &o.regions, id);
		if (!gochan_look(&layouts, &probe, &found))
			continue;
		assert_true(gochan_read(&o.rt, header, probe.region.data, size, &chan));
		while (gochan_next_waiter(&chan, &waiter) && receivers + senders < 1000) {
			bool found_it = false;
			for (uint32_t i = 0; i < o.heap->thread_count; i++) {
				const struct goroutine_record *g = &o.heap->threads[i].record;
				found_it |= g->address == waiter.thread;
				bool one = text_is(g->wait_reason, "chan receive")
				           || text_is(g->wait_reason, "chan send");
				receivers += g->address == waiter.thread && one && !waiter.sends;
				senders += g->address == waiter.thread && one && waiter.sends;
			}
			assert_true(found_it);
		}
	}
	assert_true(expected[0] >= 3 && expected[1] >= 1);
	assert_int_equal(receivers, expected[0]);
	assert_int_equal(senders, expected[1]);
}
