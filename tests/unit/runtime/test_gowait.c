/* What the goroutines of the program "small" wait for, in real memory of each generation: most for
   one channel, main.gBlock, others for a lock, a condition, several channels. */
#include "runtime/opened.h"

#include "go/runtime/gowait.h"
#include "heap/heap.h"

#include <string.h>

/* Returns the goroutine that executes a function, or one that waits for the function's object: the
   compiler may have inlined it. */
static uint32_t thread_in(const struct opened *o, const char *function)
{
	for (uint32_t i = 0; i < o->heap->frame_count; i++)
		if (text_is(o->heap->frames[i].record.function, function))
			return o->heap->frames[i].thread;
	for (uint32_t i = 0; i < o->heap->thread_count; i++)
		if (text_is(o->heap->threads[i].record.wait_reason, function))
			return i;
	fail_msg("no goroutine is in %s", function);
	return 0;
}

/* Returns the only channel that the goroutine in a function waits for. */
static uint64_t channel_of(const struct opened *o, const struct gowaits *waits,
                           const char *function, bool sends)
{
	const struct gowait *wait = &waits->of[thread_in(o, function)];
	assert_int_equal(wait->kind, GOWAIT_CHANNEL);
	assert_true(wait->known);
	assert_int_equal(wait->cases, 1);
	const struct gowait_case *of = &waits->cases[wait->first];
	assert_int_equal(of->sends, sends);
	assert_int_equal(heap_find(o->heap, of->channel), of->object);
	assert_int_equal(heap_address(o->heap, of->object), of->channel);
	return of->channel;
}

static void assert_channels(const struct opened *o, const struct gowaits *waits)
{
	uint64_t block = channel_of(o, waits, "main.gRecv", false);
	const struct gowait *select = &waits->of[thread_in(o, "main.gSelect")];
	unsigned blocks = 0, sends = 0;
	assert_int_equal(channel_of(o, waits, "main.gHoldsLocal", false), block);
	assert_int_equal(channel_of(o, waits, "main.gDeepRec", false), block);
	assert_int_not_equal(channel_of(o, waits, "chan send", true), block);
	assert_int_equal(select->kind, GOWAIT_SELECT);
	assert_true(select->known);
	assert_int_equal(select->cases, 3);
	for (uint32_t i = select->first; i < select->first + 3; i++) {
		blocks += waits->cases[i].channel == block && !waits->cases[i].sends;
		sends += waits->cases[i].sends;
	}
	assert_int_equal(blocks, 1);
	assert_int_equal(sends, 1);
}

/* Each waits for a different word, and none for that of a channel. */
static void assert_locks(const struct opened *o, const struct gowaits *waits, bool conditions)
{
	static const char *const functions[] = {"main.gMutexWait", "main.gRWWait", "main.gWGWait"};
	uint64_t words[3];
	for (size_t i = 0; i < 3; i++) {
		const struct gowait *wait = &waits->of[thread_in(o, functions[i])];
		assert_int_equal(wait->kind, GOWAIT_SEMAPHORE);
		assert_true(wait->known);
		words[i] = wait->address;
	}
	assert_true(words[0] != words[1] && words[0] != words[2] && words[1] != words[2]);
	const struct gowait *condition = &waits->of[thread_in(o, "main.gCondWait")];
	assert_int_equal(condition->kind, conditions ? GOWAIT_CONDITION : GOWAIT_SEMAPHORE);
	assert_int_equal(condition->known, conditions);
}

TEST(test_each_generation)
{
	static const struct {
		const char *dump;
		bool conditions; /* earlier versions report a semaphore */
	} dumps[] = {
		{"go1.4.3-small", false},           {"go1.5.4-small", false},
		{"go1.7.6-small", false},           {"go1.19.8-small", true},
		{"go1.21.13-small", true},          {"go1.22.12-small-noallocheaders", true},
		{"go1.22.12-small", true},          {"go1.24.4-small", true},
		{"go1.24.4-small-386", true},       {"go1.24.4-small-mips", true},
		{"go1.24.4-small-pie", true},       {"go1.24.4-small-s390x", true},
		{"go1.25.12-small-greentea", true}, {"go1.27.3-small", true},
	};
	for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++) {
		SCOPED_OPENED o;
		opened_dump(&o, dumps[i].dump);
		struct gowaits *waits = gowaits_new(o.heap);
		assert_channels(&o, waits);
		assert_locks(&o, waits, dumps[i].conditions);
		assert_int_equal(waits->of[thread_in(&o, "main.gNilChan")].kind, GOWAIT_FOREVER);
		assert_int_equal(waits->of[thread_in(&o, "main.gEmptySelect")].kind, GOWAIT_FOREVER);
		assert_int_equal(waits->of[thread_in(&o, "main.gSleep")].kind, GOWAIT_NONE);
		assert_true(waits->sudog_count >= waits->case_count);
		gowaits_free(waits);
	}
}

/* Without its wait reason, it is unknown what a goroutine waits for; a running goroutine waits for
   nothing. */
TEST(test_without_reasons)
{
	SCOPED_OPENED o;
	opened_dump(&o, "go1.24.4-small");
	uint32_t sleeps = thread_in(&o, "main.gSleep"), receives = thread_in(&o, "main.gRecv");
	uint32_t runs = thread_in(&o, "main.gWGWait");
	struct gowaits *waits = gowaits_new(o.heap);
	assert_true(waits->of[sleeps].known && waits->of[receives].known);
	gowaits_free(waits);
	o.heap->threads[sleeps].record.wait_reason = (struct text){0};
	o.heap->threads[receives].record.wait_reason = (struct text){"other", 5};
	o.heap->threads[runs].record.status = GOROUTINE_RUNNING;
	waits = gowaits_new(o.heap);
	assert_false(waits->of[sleeps].known || waits->of[receives].known);
	assert_true(waits->of[runs].known);
	assert_int_equal(waits->of[runs].kind, GOWAIT_NONE);
	gowaits_free(waits);
}

/* If a goroutine is no object of the heap, all objects are read, not only those that point near the
   others. */
TEST(test_not_in_the_heap)
{
	SCOPED_OPENED o;
	opened_dump(&o, "go1.24.4-small");
	struct gowaits *near = gowaits_new(o.heap);
	o.heap->threads[thread_in(&o, "main.gSleep")].record.address = 8;
	struct gowaits *all = gowaits_new(o.heap);
	assert_true(near->sudog_count > 0);
	assert_int_equal(near->sudog_count, all->sudog_count);
	assert_memory_equal(near->sudogs, all->sudogs, near->sudog_count * sizeof *near->sudogs);
	gowaits_free(near);
	gowaits_free(all);
}

/* The addresses of variables according to the executable. */
TEST(test_addresses)
{
	SCOPED_OPENED o;
	opened_types(&o, "go1.24.4-small", false);
	struct gowaits *waits = gowaits_new(o.heap);
	const struct image *image = gotypes_image(o.of.types);
	const struct image_symbol *mutex = image_variable_named(image, "main.gMutex");
	assert_non_null(mutex);
	assert_int_equal(waits->of[thread_in(&o, "main.gMutexWait")].address, mutex->address + 4);
	const struct image_symbol *block = image_variable_named(image, "main.gBlock");
	assert_non_null(block);
	assert_int_equal(channel_of(&o, waits, "main.gRecv", false), opened_word(&o, block->address));
	const struct image_symbol *condition = image_variable_named(image, "main.gCond");
	assert_non_null(condition);
	uint64_t list = waits->of[thread_in(&o, "main.gCondWait")].address;
	uint64_t at = opened_word(&o, condition->address); /* a *sync.Cond */
	assert_int_equal(list, at + 16);
	gowaits_free(waits);
}

/* Go 1.3 does not record what a goroutine waits for. */
TEST(test_not_known)
{
	SCOPED_OPENED o;
	opened_dump(&o, "go1.3.3-small");
	struct gowaits *waits = gowaits_new(o.heap);
	assert_int_equal(waits->of[thread_in(&o, "main.gRecv")].kind, GOWAIT_CHANNEL);
	for (uint32_t i = 0; i < o.heap->thread_count; i++)
		assert_true(waits->of[i].kind <= GOWAIT_FOREVER || !waits->of[i].known);
	assert_int_equal(waits->case_count, 0);
	gowaits_free(waits);
}
