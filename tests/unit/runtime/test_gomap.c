/* Maps of each generation in real memory: all entries of the program, and no others, by types of
   both sources; and their appearance without types. */
#include "runtime/opened.h"

#include "go/runtime/gomap.h"
#include "heap/edges.h"
#include "heap/heap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const corners[] = {"go1.19-corner", "go1.27-corner"};

struct truth {
	const char *name, *type;
	uint64_t address, entries;
	bool growing;
	const json_t *keys;
};

static struct truth truth_of(const struct opened *o, size_t i)
{
	const json_t *map = json_array_get(json_object_get(o->truth, "maps"), i);
	return (struct truth){
		json_string_value(json_object_get(map, "name")),
		json_string_value(json_object_get(map, "type")),
		opened_address(json_object_get(map, "addr")),
		(uint64_t)json_integer_value(json_object_get(map, "entries")),
		json_is_true(json_object_get(map, "growing")),
		json_object_get(map, "some_keys"),
	};
}

/* Writes the key in the form of the truth, if it is a number or a string. */
static bool write_key(const struct opened *o, gotype_id type, const struct gomap_part *key,
                      char text[64])
{
	enum gokind kind = gotype_get(o->of.types, type)->kind;
	uint64_t width = o->heap->params.layout.pointer_size;
	if (kind == GO_INT || kind == GO_UINT64)
		snprintf(text, 64, "%" PRIu64, gomemory_number(o->heap, key->data, key->size));
	if (kind != GO_STRING)
		return kind == GO_INT || kind == GO_UINT64;
	uint64_t len = heap_word(o->heap, key->data + width);
	const uint8_t *bytes = gomemory_bytes(&o->rt, heap_word(o->heap, key->data), len);
	assert_true(bytes && len < 64);
	memcpy(text, bytes, len);
	text[len] = '\0';
	return true;
}

static bool has_key(const json_t *keys, const char *key)
{
	for (size_t i = 0; i < json_array_size(keys); i++)
		if (strcmp(json_string_value(json_array_get(keys, i)), key) == 0)
			return true;
	return false;
}

/* Values are &Val{N} or Wide{A: &Val{N}}, where N is in the key. */
static void assert_value(const struct opened *o, const struct truth *map, const char *key,
                         const struct gomap_entry *entry)
{
	if (!strstr(map->type, "main."))
		return;
	uint64_t value = heap_word(o->heap, entry->value.data);
	assert_int_equal(opened_word(o, value), strtoull(key + strcspn(key, "0123456789"), NULL, 10));
}

static void assert_map(const struct opened *o, const struct truth *truth)
{
	gotype_id type = gotypes_named(o->of.types, truth->type);
	gotype_id header = gotype_get(o->of.types, type)->header;
	uint64_t size = gotype_get(o->of.types, header)->size, entries = 0, keys = 0, length;
	struct gomap map;
	struct gomap_entry entry;
	char key[64];
	assert_true(type && header);
	assert_int_equal(goruntime_container(&o->rt, header), type);
	assert_true(gomap_length(&o->rt, header, truth->address, &length));
	assert_int_equal(length, truth->entries);
	assert_true(
		gomap_start(&o->rt, header, gomemory_bytes(&o->rt, truth->address, size), size, &map));
	assert_int_equal(map.length, truth->entries);
	bool old_buckets = map.arrays == 2 && map.array[1];
	assert_int_equal(old_buckets, truth->growing);
	while (gomap_next(&map, &entry)) {
		assert_true(entry.key.data && entry.value.data);
		assert_int_equal(entry.value.place != entry.value.address, map.slots.value_boxed);
		entries++;
		if (!write_key(o, map.slots.key, &entry.key, key))
			continue;
		keys += has_key(truth->keys, key);
		assert_value(o, truth, key, &entry);
	}
	assert_int_equal(entries, truth->entries);
	if (strncmp(truth->type, "map[*", 5) != 0 && strncmp(truth->type, "map[interface", 13) != 0)
		assert_int_equal(keys, json_array_size(truth->keys));
	assert_int_equal(map.slots.value_boxed, strstr(truth->type, "Wide") != NULL);
}

TEST(test_all_entries_by_type)
{
	for (unsigned i = 0; i < 4; i++) {
		SCOPED_OPENED o;
		opened_types(&o, corners[i / 2], i % 2);
		assert_int_equal(json_array_size(json_object_get(o.truth, "maps")), 10);
		for (size_t n = 0; n < 10; n++) {
			struct truth truth = truth_of(&o, n);
			assert_map(&o, &truth);
		}
	}
}

/* Random access returns the same entries as the iteration. */
TEST(test_index)
{
	SCOPED_OPENED o;
	struct gomap map;
	struct gomap_index index;
	struct gomap_entry entry, other;
	opened_types(&o, corners[0], false);
	struct truth truth = truth_of(&o, 7); /* it is growing */
	gotype_id header = gotype_get(o.of.types, gotypes_named(o.of.types, truth.type))->header;
	uint64_t size = gotype_get(o.of.types, header)->size;
	assert_true(gomap_start(&o.rt, header, gomemory_bytes(&o.rt, truth.address, size), size, &map));
	gomap_index_init(&index, &map);
	assert_int_equal(index.count, truth.entries);
	for (uint64_t n = 0; gomap_next(&map, &entry); n++) {
		gomap_index_get(&index, n, &other);
		assert_int_equal(other.key.address, entry.key.address);
		gomap_index_get(&index, (n * 997) % index.count, &other);
	}
	gomap_index_fini(&index);
}

/* ---- Without types */

static enum gomap_role role_of(const struct opened *o, uint64_t address, struct gomap_found *found)
{
	struct gomap_layouts layouts;
	struct probe probe = opened_probe(o, address);
	gomap_layouts_init(&layouts, o->heap->params.layout.pointer_size);
	gomap_look(&layouts, &probe, probe_pointers(&probe), found);
	return found->role;
}

/* Global variables of the program "small"; since Go 1.24, maps of more than eight entries have a
   directory. */
TEST(test_headers_without_types)
{
	static const struct {
		const char *dump;
		enum gomap_role leads_to;
	} dumps[] = {
		{"go1.5.4-small", GOMAP_BUCKETS},         {"go1.7.6-small", GOMAP_BUCKETS},
		{"go1.19.8-small", GOMAP_BUCKETS},        {"go1.21.13-small", GOMAP_BUCKETS},
		{"go1.22.12-small", GOMAP_BUCKETS},       {"go1.22.12-small-noallocheaders", GOMAP_BUCKETS},
		{"go1.24.4-small", GOMAP_DIRECTORY},      {"go1.24.4-small-386", GOMAP_DIRECTORY},
		{"go1.24.4-small-mips", GOMAP_DIRECTORY}, {"go1.24.4-small-s390x", GOMAP_DIRECTORY},
		{"go1.24.4-small-pie", GOMAP_DIRECTORY},  {"go1.25.12-small-greentea", GOMAP_DIRECTORY},
		{"go1.27.3-small", GOMAP_DIRECTORY},
	};
	static const char *const globals[] = {"main.gMapStrPtr", "main.gMapAny", "main.gMapStruct",
	                                      "main.gMapIntInt"};
	for (size_t i = 0; i < sizeof dumps / sizeof *dumps; i++) {
		SCOPED_OPENED o;
		struct gomap_found found;
		opened_dump(&o, dumps[i].dump);
		uint64_t cache = opened_global(&o, "main.gCache");
		assert_int_equal(role_of(&o, cache, &found), GOMAP_HEADER);
		assert_in_range(found.others, 1, 2);
		assert_int_equal(found.other[0].role, dumps[i].leads_to);
		for (size_t n = 0; n < sizeof globals / sizeof *globals; n++)
			assert_int_equal(role_of(&o, opened_global(&o, globals[n]), &found), GOMAP_HEADER);
		/* a list node and a channel are none */
		assert_int_equal(role_of(&o, opened_global(&o, "main.gListHead"), &found), GOMAP_NONE);
		assert_int_equal(role_of(&o, opened_global(&o, "main.gChanBuf"), &found), GOMAP_NONE);
	}
}

/* The objects behind a directory are tables, which refer to groups. */
TEST(test_tables_without_types)
{
	SCOPED_OPENED o;
	struct gomap_found found;
	unsigned tables = 0;
	opened_dump(&o, "go1.27-corner");
	struct truth truth = truth_of(&o, 0);
	assert_int_equal(role_of(&o, truth.address, &found), GOMAP_HEADER);
	assert_int_equal(found.other[0].role, GOMAP_DIRECTORY);
	struct ids ids = heap_references(o.heap, found.other[0].object);
	for (size_t i = 0; i < ids.count; i++, tables++) {
		assert_int_equal(role_of(&o, heap_address(o.heap, ids.id[i]), &found), GOMAP_TABLE);
		assert_int_equal(found.others, 1);
		assert_int_equal(found.other[0].role, GOMAP_GROUPS);
	}
	assert_true(tables > 1);
}
