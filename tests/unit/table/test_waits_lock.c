/* The state of a lock from the words beside its semaphore, on 32-bit machines before Go 1.20: there
   the semaphore of a WaitGroup follows its 64 bits, or precedes them if that aligns them. */
#include "cmocka_all.h"

#include "heap/dump_heap.h"
#include "heap/edges.h"

#include "go/table/waits_parts.h"

enum { A = 0x100000, WORDS = 8 };

struct words {
	struct dump_writer writer;
	struct heap *heap;
};

static void words_open(struct words *words, const uint32_t word[WORDS])
{
	struct dump_field fields[WORDS];
	for (uint64_t i = 0; i < WORDS; i++)
		fields[i] = (struct dump_field){4 * i, word[i], DUMP_WORD};
	dump_start(&words->writer, 4, false, "go1.19.8");
	dump_object(&words->writer, A, 4 * WORDS, fields, WORDS);
	dump_end(&words->writer);
	words->heap = dump_heap(&words->writer);
}

static void words_close(struct words *words)
{
	heap_free(words->heap);
	dump_free(&words->writer);
}

static void words_say(const struct words *words, enum waits_lock lock, uint64_t offset,
                      const char *expected)
{
	SCOPED_BUF out = {0};
	waits_add_lock_state(words->heap, lock, A + offset, &out);
	assert_string_equal(buf_text(&out), expected);
}

TEST(a_wait_group_has_its_counter_before_its_semaphore)
{
	/* two of three words, and a word between them that belongs to neither */
	const uint32_t word[WORDS] = {1, 2, 0, 0, 3, 4, 0, 0};
	struct words words;
	words_open(&words, word);
	words_say(&words, WAITS_WAIT_GROUP, 8, ", counter 2");
	words_say(&words, WAITS_WAIT_GROUP, 24, ", counter 4");
	words_say(&words, WAITS_OTHER_LOCK, 8, "");
	words_close(&words);
}

/* The words before the semaphore belong to something else, although they look like one waiter and a
   counter of 7. */
TEST(a_semaphore_before_the_counter_is_not_read_as_one_behind_it)
{
	const uint32_t word[WORDS] = {0, 1, 7, 0, 1, 2, 0, 0};
	struct words words;
	words_open(&words, word);
	words_say(&words, WAITS_WAIT_GROUP, 12, "");
	words_close(&words);
}

TEST(a_counter_is_told_only_where_somebody_waits)
{
	const uint32_t word[WORDS] = {0, 2, 0, 0, 1, 0, 0, 0};
	const uint32_t negative[WORDS] = {1, 0x80000000, 0, 0, 0x80000000, 1, 0, 0};
	struct words words;
	words_open(&words, word);
	words_say(&words, WAITS_WAIT_GROUP, 8, "");
	words_say(&words, WAITS_WAIT_GROUP, 24, "");
	words_say(&words, WAITS_WAIT_GROUP, 0, ""); /* the words before it are not in the dump */
	words_close(&words);
	words_open(&words, negative);
	words_say(&words, WAITS_WAIT_GROUP, 8, "");
	words_say(&words, WAITS_WAIT_GROUP, 24, "");
	words_close(&words);
}

TEST(a_mutex_has_its_state_before_its_semaphore)
{
	const uint32_t word[WORDS] = {9, 0, 16, 0, 13, 0, 1, 0};
	struct words words;
	words_open(&words, word);
	words_say(&words, WAITS_MUTEX, 4, ", locked, 1 waits");
	words_say(&words, WAITS_MUTEX, 12, ", unlocked, 2 wait");
	words_say(&words, WAITS_MUTEX, 20, ", locked, 1 waits, starving");
	words_say(&words, WAITS_MUTEX, 28, "");
	words_close(&words);
}
