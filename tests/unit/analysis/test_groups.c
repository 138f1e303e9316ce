/* Goroutines: groups of identical stacks, waiting times, the most informative frame. */
#include "analysis/groups.h"
#include "analysis/thread_place.h"
#include "format/runtime.h"
#include "heap/dump_heap.h"

#include "cmocka_all.h"

static const struct {
	uint64_t id, status, since;
	const char *reason;
	const char *function[3];
} threads[] = {
	{1, 2, 0, "", {"runtime/debug.WriteHeapDump", "main.main"}},
	{9, 4, 5000, "chan receive", {"runtime.gopark", "runtime.chanrecv1", "main.worker"}},
	{4, 4, 9000, "chan receive", {"runtime.gopark", "runtime.chanrecv1", "main.worker"}},
	{5, 4, 1000, "select", {"runtime.gopark", "runtime.chanrecv1", "main.worker"}},
	{6, 4, 0, "chan receive", {"runtime.gopark", "runtime.chanrecv1", "main.worker"}},
	{7,
     4,
     0,
     "IO wait",
     {"internal/poll.(*FD).Read", "net.(*conn).Read", "net/http.(*conn).serve"}},
	{8, 4, 0, "IO wait", {"internal/poll.(*FD).Read"}},
	{10, 1, 0, "", {NULL}},
};
enum { THREADS = sizeof threads / sizeof *threads };

static uint64_t pc_of(const char *function)
{
	uint64_t pc = 5381;
	while (*function)
		pc = pc * 33 + (uint8_t)*function++;
	return pc;
}

static struct heap *make(struct dump_writer *w, struct input *input)
{
	struct err err = {0};
	dump_start(w, 8, false, "go1.19.8");
	for (size_t i = 0; i < THREADS; i++) {
		dump_goroutine(w, threads[i].id, threads[i].status, threads[i].since, threads[i].reason);
		for (size_t k = 0; k < 3 && threads[i].function[k]; k++)
			dump_frame(w, 0x7000 + 64 * k, k, threads[i].function[k], pc_of(threads[i].function[k]),
			           64, NULL, 0);
	}
	dump_end(w);
	*input = dump_input(w);
	return heap_read(input, NULL, &err);
}

TEST(identical_stacks_make_a_group)
{
	SCOPED_DUMP w;
	struct input input;
	SCOPED_HEAP heap = make(&w, &input);
	struct groups *groups = groups_new(heap);
	assert_int_equal(groups->count, 6);
	assert_int_equal(groups->group[0].count, 3); /* most goroutines first */
	const uint32_t *members = groups->members + groups->group[0].first;
	assert_int_equal(members[0], 1);
	assert_int_equal(members[1], 2);
	assert_int_equal(members[2], 4);
	assert_int_equal(groups->group[0].longest_wait, 4000);
	for (uint32_t i = 0; i < THREADS; i++)
		assert_true(groups->of[i] < groups->count);
	assert_int_equal(groups->of[1], 0);
	assert_int_not_equal(groups->of[3], 0); /* another wait reason */
	groups_free(groups);
}

TEST(waiting_counts_from_the_latest_waiter)
{
	SCOPED_DUMP w;
	struct input input;
	SCOPED_HEAP heap = make(&w, &input);
	uint64_t waited = 0;
	assert_true(thread_waited(heap, &heap->threads[3], &waited));
	assert_int_equal(waited, 8000);
	assert_true(thread_waited(heap, &heap->threads[2], &waited));
	assert_int_equal(waited, 0);
	assert_false(thread_waited(heap, &heap->threads[0], &waited)); /* it is running */
	assert_false(thread_waited(heap, &heap->threads[4], &waited)); /* never seen waiting */
}

TEST(telling_frames_are_not_plumbing)
{
	static const char *const expected[THREADS] = {
		"main.main",
		"main.worker",
		"main.worker",
		"main.worker",
		"main.worker",
		"net/http.(*conn).serve",
		"internal/poll.(*FD).Read",
		NULL,
	};
	SCOPED_DUMP w;
	struct input input;
	SCOPED_HEAP heap = make(&w, &input);
	for (uint32_t i = 0; i < THREADS; i++) {
		struct thread_place place;
		bool any = thread_place(heap, NULL, &heap->threads[i], &place);
		assert_int_equal(any, expected[i] != NULL);
		if (any)
			assert_true(text_is(place.function, expected[i]));
	}
	assert_true(heap->threads[0].dumping);
	assert_false(heap->threads[1].dumping);
}

TEST(statuses_have_names)
{
	char buf[32];
	assert_string_equal(runtime_go.state(4, buf), "waiting");
	assert_string_equal(runtime_go.state(4098, buf), "status 4098");
	assert_string_equal(runtime_go.state(UINT64_MAX, buf), "status 18446744073709551615");
}
