/* The roots that reach an object: by dominators, and by a search backwards through all
   referrers. */
#include "cmocka_all.h"
#include "xorshift.h"

#include "analysis/other_roots.h"
#include "format/dump_writer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OBJECTS = 40, SEEDS = 60, THREADS = 4 };

struct tally {
	unsigned asked, told;
	unsigned many, timers, unsure; /* number of texts about several roots, timers, unknown roots */
};

static uint64_t address_of(uint64_t object)
{
	return 0xc000000000 + object * 64;
}

static size_t pick_pointers(uint64_t *state, struct dump_field *fields, size_t most)
{
	size_t count = xorshift_below(state, most + 1);
	for (size_t f = 0; f < count; f++)
		fields[f] = (struct dump_field){8 * f, address_of(xorshift_below(state, OBJECTS)), 0};
	return count;
}

/* Writes a dump. For every fourth seed, goroutines share a stack, so they are one owner. */
static void write_dump(struct dump_writer *w, uint64_t seed)
{
	struct dump_field fields[4];
	uint64_t state = seed * 0x9e3779b97f4a7c15 + 1;
	dump_start(w, 8, false, "go1.19.8");
	for (uint64_t i = 0; i < OBJECTS; i++)
		dump_object(w, address_of(i), 64, fields, pick_pointers(&state, fields, 2));
	for (uint64_t id = 1; id <= THREADS; id++) {
		dump_goroutine(w, id, 4, xorshift_below(&state, 2), "");
		dump_frame(w, 0x7000 + 0x100 * id, 0, "main.f", 0x401000 + (seed % 4 ? id : id % 2), 64,
		           fields, pick_pointers(&state, fields, 2));
	}
	dump_segment(w, true, 0x6000, 64, fields, pick_pointers(&state, fields, 4));
	if (seed % 3 == 0)
		dump_finalizer(w, false, address_of(xorshift_below(&state, OBJECTS)),
		               address_of(xorshift_below(&state, OBJECTS)));
	dump_end(w);
}

static struct analysis *opened(const char *path)
{
	struct err err = {0};
	struct analysis *analysis = analysis_new(path, NULL);
	assert_true(analysis_run(analysis, STAGE_DOMINATED | STAGE_REVERSED, &err));
	return analysis;
}

static struct analysis *analysis_of_seed(uint64_t seed)
{
	char path[] = "/tmp/goheapx-test-XXXXXX";
	struct dump_writer w = {0};
	write_dump(&w, seed);
	int fd = mkstemp(path);
	assert_int_equal(write(fd, w.out.data, w.out.len), w.out.len);
	close(fd);
	struct analysis *analysis = opened(path);
	unlink(path); /* it stays mapped */
	dump_free(&w);
	return analysis;
}

static void check(const struct analysis *analysis, uint32_t step, size_t pointers,
                  struct tally *tally)
{
	struct gotimers *timers = gotimers_new(analysis_heap(analysis));
	for (uint32_t id = 0; id < heap_object_count(analysis_heap(analysis)); id += step) {
		struct other_roots told, found;
		uint64_t all = 0;
		if (!reach_has(analysis_reach(analysis), id))
			continue;
		tally->asked++;
		if (!other_roots_by_dominators(analysis, timers, pointers, id, NULL, &told))
			continue;
		assert_true(other_roots_find(analysis, id, NULL, &found));
		assert_false(found.timers_unknown);
		if (!told.timers_unknown)
			assert_int_equal(told.timers, found.timers);
		assert_memory_equal(&told.count, &found.count, sizeof told.count);
		for (enum root_class c = 0; c < ROOT_CLASSES; c++)
			all += told.count[c];
		tally->told++;
		tally->many += all > 1;
		tally->timers += told.timers > 0;
		tally->unsure += told.timers_unknown;
	}
	gotimers_free(timers);
}

TEST(dominators_tell_what_a_search_finds)
{
	struct tally tally = {0};
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct analysis *analysis = analysis_of_seed(seed);
		check(analysis, 1, SIZE_MAX, &tally);
		analysis_free(analysis);
	}
	assert_int_equal(tally.told, tally.asked);
	assert_true(tally.many > tally.told / 3);
}

/* A real dump with pools, and timers that reach some of the objects. */
TEST(they_do_so_in_a_real_dump)
{
	struct tally tally = {0};
	struct analysis *analysis = opened("testdata/go1.24.4-small.dump.xz");
	check(analysis, 37, SIZE_MAX, &tally);
	analysis_free(analysis);
	assert_true(tally.told == tally.asked && tally.timers > 0 && !tally.unsure);
}

TEST(many_timers_are_followed_together)
{
	struct tally exact = {0}, unsure = {0};
	struct analysis *analysis = opened("testdata/go1.26.10-server.dump.xz");
	check(analysis, 997, SIZE_MAX, &exact);
	assert_true(exact.told == exact.asked && exact.timers > exact.told / 2 && !exact.unsure);
	check(analysis, 4999, 100, &unsure);
	assert_true(unsure.told == unsure.asked && unsure.unsure == unsure.told);
	analysis_free(analysis);
}
