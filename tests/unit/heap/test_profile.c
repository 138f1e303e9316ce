/* Allocation samples: from an object to its stack, and from a stack to its objects. */
#include "cmocka_all.h"

#include "heap/dump_heap.h"

enum { A = 0x100000, SLOT = 16, OBJECTS = 8 };

static void add_profile(struct dump_writer *w, uint64_t id, const char *const *functions,
                        uint64_t count)
{
	const uint64_t head[] = {16, id, SLOT, count};
	for (size_t i = 0; i < sizeof head / sizeof *head; i++)
		dump_uvarint(w, head[i]);
	for (uint64_t i = 0; i < count; i++) {
		dump_text(w, functions[i]);
		dump_text(w, "/src/a.go");
		dump_uvarint(w, 10 + i);
	}
	dump_uvarint(w, 5);
	dump_uvarint(w, 2);
}

static void add_sample(struct dump_writer *w, uint64_t address, uint64_t profile)
{
	dump_uvarint(w, 17);
	dump_uvarint(w, address);
	dump_uvarint(w, profile);
}

static const char *const in_main[] = {"runtime.mallocgc", "main.f", "main.main"};
static const char *const in_runtime[] = {"runtime.malg", "runtime.newproc"};

static struct heap *make(struct dump_writer *w)
{
	dump_start(w, 8, false, "go1.19.8");
	for (uint64_t i = 0; i < OBJECTS; i++)
		dump_object(w, A + i * SLOT, SLOT, NULL, 0);
	add_profile(w, 70, in_main, 3);
	add_profile(w, 60, in_runtime, 2);
	add_profile(w, 50, NULL, 0);
	add_sample(w, A + 3 * SLOT, 60);
	add_sample(w, A + 5 * SLOT + 8, 70); /* inside of the slot */
	add_sample(w, A, 70);
	add_sample(w, A + 6 * SLOT, 99); /* of no profile */
	add_sample(w, 0x10, 70);         /* of no object */
	dump_end(w);
	return dump_heap(w);
}

TEST(objects_lead_to_their_profile)
{
	static const uint32_t right[OBJECTS] = {
		0, PROFILE_NONE, PROFILE_NONE, 1, PROFILE_NONE, 0, PROFILE_NONE, PROFILE_NONE,
	};
	SCOPED_DUMP w;
	SCOPED_HEAP heap = make(&w);
	assert_int_equal(heap->profiles.count, 3);
	assert_int_equal(heap->profiles.sample_count, 5);
	for (uint32_t id = 0; id < OBJECTS; id++) {
		const struct sample *sample = profiles_of_object(&heap->profiles, id);
		assert_int_equal(sample ? sample->profile : PROFILE_NONE, right[id]);
		assert_int_equal(sample != NULL, right[id] != PROFILE_NONE || id == 6);
	}
	assert_null(profiles_of_object(&heap->profiles, OBJECTS));
	assert_int_equal(profiles_find(&heap->profiles, 60), 1);
	assert_int_equal(profiles_find(&heap->profiles, 61), PROFILE_NONE);
}

TEST(profiles_lead_to_their_objects)
{
	SCOPED_DUMP w;
	SCOPED_HEAP heap = make(&w);
	const struct profiles *profiles = &heap->profiles;
	static const uint32_t first[] = {0, 3, 4, 4};
	static const uint64_t addresses[] = {A, A + 5 * SLOT + 8, 0x10, A + 3 * SLOT, A + 6 * SLOT};
	for (size_t p = 0; p < sizeof first / sizeof *first; p++)
		assert_int_equal(profiles->first[p], first[p]);
	for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
		assert_int_equal(profiles->sample[profiles->by_profile[i]].record.object, addresses[i]);
}

TEST(the_site_is_outside_of_the_runtime)
{
	SCOPED_DUMP w;
	struct stack_frame frame;
	SCOPED_HEAP heap = make(&w);
	assert_true(profile_site(&heap->profiles.profile[0], &frame));
	assert_true(text_is(frame.function, "main.f"));
	assert_true(text_is(frame.file, "/src/a.go"));
	assert_int_equal(frame.line, 11);
	assert_true(profile_site(&heap->profiles.profile[1], &frame));
	assert_true(text_is(frame.function, "runtime.malg"));
	assert_false(profile_site(&heap->profiles.profile[2], &frame));
}

TEST(the_index_finds_every_record)
{
	SCOPED_DUMP w;
	SCOPED_HEAP heap = make(&w);
	uint64_t count[RECORD_KINDS] = {0}, last = 0;
	for (size_t i = 0; i < heap->index.count; i++) {
		const struct record_entry *entry = &heap->index.entry[i];
		assert_true(entry->offset > last);
		last = entry->offset;
		count[entry->kind] += entry->count;
	}
	assert_int_equal(count[RECORD_PARAMS], 1);
	assert_int_equal(count[RECORD_OBJECT], OBJECTS);
	assert_int_equal(count[RECORD_PROFILE], 3);
	assert_int_equal(count[RECORD_SAMPLE], 5);
	assert_int_equal(count[RECORD_END], 1);
	assert_int_equal(last, w.input.size - 1);
}

enum { SMALL = 16, LARGE = 1 << 16, MANY = 100000, DEFAULT_RATE = 512 * 1024 };

/* Makes a heap of `small` and `large` objects, `sampled` of which are samples, the largest
   first. */
static struct heap *make_sampled(struct dump_writer *w, uint32_t small, uint32_t large,
                                 uint32_t sampled)
{
	uint64_t beyond = A + (uint64_t)MANY * SMALL;
	dump_start(w, 8, false, "go1.19.8");
	for (uint64_t i = 0; i < small; i++)
		dump_object(w, A + i * SMALL, SMALL, NULL, 0);
	for (uint64_t i = 0; i < large; i++)
		dump_object(w, beyond + i * LARGE, LARGE, NULL, 0);
	add_profile(w, 70, in_main, 3);
	for (uint32_t i = 0; i < sampled; i++)
		add_sample(w, i < large ? beyond + (uint64_t)i * LARGE : A + (i - large) * SMALL, 70);
	dump_end(w);
	return dump_heap(w);
}

/* At Go's rate, 1 - exp(-1/8) of objects of 64 KiB are sampled: 12 of 100. */
TEST(the_rate_follows_from_the_samples)
{
	static const struct {
		uint32_t small, large, sampled;
		uint64_t least, most;
		enum profile_rate_from from;
	} cases[] = {
		{1000, 100, 0, DEFAULT_RATE, DEFAULT_RATE, PROFILE_RATE_DEFAULT},
		{1000, 100, 12, DEFAULT_RATE, DEFAULT_RATE, PROFILE_RATE_DEFAULT},
		{1000, 100, 19, DEFAULT_RATE, DEFAULT_RATE, PROFILE_RATE_DEFAULT},
		{1000, 0, 1000, 1, 1, PROFILE_RATE_ESTIMATED},
		{MANY, 0, 1550, 1015, 1035, PROFILE_RATE_ESTIMATED}, /* 1 - exp(-16/1024) of them */
		{0, 600, 1, 0, 0, PROFILE_RATE_ESTIMATED}, /* 71 are expected: the profile was off */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		SCOPED_DUMP w;
		SCOPED_HEAP heap = make_sampled(&w, cases[i].small, cases[i].large, cases[i].sampled);
		assert_in_range(heap->profiles.rate, cases[i].least, cases[i].most);
		assert_int_equal(heap->profiles.rate_from, cases[i].from);
	}
}

/* Numbers of runtime/pprof's test TestScaleHeapSample in protomem_test.go, and manual ones. */
TEST(samples_stand_for_what_pprof_says)
{
	struct profiles profiles = {.rate = DEFAULT_RATE};
	struct profile_record record = {.size = 512 * 1024, .allocs = 3, .frees = 1};
	struct profile_amount amount = profile_scaled(&profiles, &record, profile_live(&record));
	assert_int_equal(amount.count, 3);       /* 2 / (1 - 1/e) = 3.16 */
	assert_int_equal(amount.bytes, 1658822); /* 1048576 * 1.58197 */
	record.size = 1024;
	amount = profile_scaled(&profiles, &record, 1);
	assert_int_equal(amount.count, 512); /* 512.5 */
	assert_int_equal(amount.bytes, 524800);
	record.size = 0;
	amount = profile_scaled(&profiles, &record, 5);
	assert_int_equal(amount.count, 0);
	assert_int_equal(amount.bytes, 0);
	record.size = UINT64_MAX / 2;
	amount = profile_scaled(&profiles, &record, UINT64_MAX);
	assert_int_equal(amount.bytes, UINT64_MAX);
	profiles.rate = 1;
	amount = profile_scaled(&profiles, &record, 3);
	assert_int_equal(amount.count, 3);
	assert_int_equal(amount.bytes, UINT64_MAX);
	record = (struct profile_record){.allocs = 1, .frees = 2};
	assert_int_equal(profile_live(&record), 0);
}
