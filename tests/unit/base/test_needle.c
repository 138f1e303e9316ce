/* The search for bytes compared with a naive search. */
#include "cmocka_all.h"

#include "base/needle.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t *simple_find(const uint8_t *bytes, size_t len, const uint8_t *data,
                                  size_t size)
{
	for (size_t i = 0; i + len <= size; i++)
		if (memcmp(data + i, bytes, len) == 0)
			return data + i;
	return NULL;
}

/* The data is a separate allocation, so that a sanitizer sees reads beyond its end. */
static void check(const uint8_t *bytes, size_t len, const uint8_t *data, size_t size, bool sampled)
{
	uint8_t *copy = calloc(size, 1);
	struct needle needle;
	if (size)
		memcpy(copy, data, size);
	needle_init(&needle, bytes, len, copy, sampled ? size : 0);
	assert_true(needle.rare <= needle.rarest && needle.rarest < len);
	assert_ptr_equal(needle_find(&needle, copy, size), simple_find(bytes, len, copy, size));
	free(copy);
}

/* Few distinct letters, so there are many partial matches. */
TEST(it_finds_what_a_simple_search_finds)
{
	uint8_t data[400];
	uint64_t random = 7;
	for (unsigned round = 0; round < 20000; round++) {
		for (size_t i = 0; i < sizeof data; i++) {
			random = random * 6364136223846793005 + 1442695040888963407;
			data[i] = (uint8_t)((random >> 60) % (1 + round % 5));
		}
		size_t size = (size_t)(random >> 33) % sizeof data, len = 1 + (size_t)(random >> 20) % 12;
		size_t from = (size_t)(random >> 10) % (sizeof data - len);
		check(data + from, len, data, size, round % 2);
	}
}

TEST(every_place_is_looked_at)
{
	static const char bytes[] = "needle";
	uint8_t data[300];
	for (size_t at = 0; at + 6 <= sizeof data; at++) {
		memset(data, 'n', sizeof data);
		memcpy(data + at, bytes, 6);
		check((const uint8_t *)bytes, 6, data, sizeof data, true);
		check((const uint8_t *)bytes, 6, data, at + 6, false);
		check((const uint8_t *)bytes, 6, data, at + 5, true);
	}
}

TEST(what_is_longer_is_not_found)
{
	check((const uint8_t *)"ab", 2, (const uint8_t *)"a", 1, true);
	check((const uint8_t *)"ab", 2, NULL, 0, false);
	check((const uint8_t *)"a", 1, (const uint8_t *)"a", 1, false);
}
