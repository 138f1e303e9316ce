/* main.syncMap of the program "corner", which contains "sync0" ... "sync1999", as a map of two maps
   and as a trie; and with a limited budget. */
#include "runtime/opened.h"

#include "go/runtime/goiface.h"
#include "go/runtime/gosync.h"
#include "heap/heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 2000 };

static void read_map(const struct opened *o, uint64_t limit, struct gosync *map)
{
	const struct exe_global *global = types_of_global(o->of.types, "main.syncMap");
	uint64_t size = gotype_get(o->of.types, global->type)->size;
	assert_true(gosync_read(&o->rt, global->type, gomemory_bytes(&o->rt, global->address, size),
	                        size, limit, map));
}

/* Returns the number in the key, a string in an interface; the value is &Val{number}. */
static unsigned long number_of(const struct opened *o, const struct gomap_entry *entry)
{
	char text[32] = "";
	gotype_id type = goiface_dynamic(&o->rt, heap_word(o->heap, entry->key.data), false);
	assert_string_equal(gotype_get(o->of.types, type)->name, "string");
	uint64_t string = heap_word(o->heap, entry->key.data + 8);
	uint64_t len = opened_word(o, string + 8);
	assert_true(len < sizeof text);
	memcpy(text, gomemory_bytes(&o->rt, opened_word(o, string), len), len);
	assert_int_equal(strncmp(text, "sync", 4), 0);
	unsigned long number = strtoul(text + 4, NULL, 10);
	type = goiface_dynamic(&o->rt, heap_word(o->heap, entry->value.data), false);
	assert_string_equal(gotype_get(o->of.types, type)->name, "*main.Val");
	assert_int_equal(opened_word(o, heap_word(o->heap, entry->value.data + 8)), number);
	return number;
}

TEST(test_all_entries)
{
	static const char *const names[] = {"go1.19-corner", "go1.27-corner"};
	for (size_t i = 0; i < 2; i++) {
		SCOPED_OPENED o;
		struct gosync map;
		bool seen[ENTRIES] = {0};
		opened_types(&o, names[i], false);
		read_map(&o, UINT64_MAX, &map);
		assert_int_equal(map.count, ENTRIES);
		assert_false(map.more);
		for (size_t n = 0; n < map.count; n++) {
			struct gomap_entry entry = gosync_get(&o.rt, &map, n);
			assert_true(entry.key.data && entry.value.data);
			unsigned long number = number_of(&o, &entry);
			assert_true(number < ENTRIES && !seen[number]);
			seen[number] = true;
		}
		gosync_free(&map);
		read_map(&o, 100, &map);
		assert_in_range(map.count, 1, 100);
		assert_true(map.more);
		gosync_free(&map);
	}
}

TEST(test_roles)
{
	assert_int_equal(gosync_role("sync.Map"), GOSYNC_MAP);
	assert_int_equal(gosync_role("internal/sync.HashTrieMap[int,int]"), GOSYNC_MAP);
	assert_int_equal(gosync_role("sync.readOnly"), GOSYNC_PART);
	assert_int_equal(gosync_role("sync.MapX"), GOSYNC_NONE);
	assert_int_equal(gosync_role("main.T"), GOSYNC_NONE);
}
