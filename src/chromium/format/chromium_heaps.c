/* Heaps of one memory dump of Chromium, in one of three dialects:

     heaps      entries of {"size", "bt", "type", "count"} in hexadecimal text. From 2016 on they
   are cumulative; before, the first entry has no "bt", and those with one have a stack's own bytes.
     heaps_v2   four parallel arrays of numbers, own bytes; names come piece by piece with each
                dump. */
#include "chromium/format/chromium_read.h"

#include "base/mem.h"

#include <string.h>

static struct raw_heap *begin_heap(struct reading *r, const struct raw_heap *dump,
                                   const char *allocator)
{
	struct chromium *c = r->c;
	c->heap = mem_grow(c->heap, c->heap_count, &c->heap_capacity, sizeof *c->heap);
	struct raw_heap *heap = &c->heap[c->heap_count++];
	*heap = *dump;
	heap->allocator = chromium_name(c, allocator, strlen(allocator));
	heap->first = c->entry_count;
	return heap;
}

static void chromium_heaps_add_entry(struct chromium *c, struct raw_heap *heap,
                                     struct raw_entry entry)
{
	MEM_PUSH(c->entry, c->entry_count, c->entry_capacity, entry);
	heap->count++;
}

static void tell_unused(struct reading *r, const char *allocator, uint64_t count, const char *what)
{
	SCOPED_BUF text = {0};
	if (count) {
		buf_addf(&text, "%s of ", text_number_of(count, "entry", "entries").text);
		text_add_escaped(&text, allocator, strlen(allocator), 60);
		buf_addf(&text, " %s", what);
		chromium_warn(r->c, r->offset, buf_text(&text));
	}
}

/* Reads an optional id of an entry. Returns false if the value is no id. */
static bool read_id(struct reading *r, const json_t *entry, const char *key, uint32_t *id)
{
	const json_t *value = json_object_get(entry, key);
	*id = chromium_read_name(r->c, value);
	return !value || json_is_string(value) || json_is_integer(value);
}

/* Reads an entry of the first two dialects. Returns false if it is unusable. */
static bool read_entry(struct reading *r, const json_t *value, struct raw_heap *heap)
{
	struct raw_entry entry = {0};
	bool has_bt = json_object_get(value, "bt"), has_type = json_object_get(value, "type");
	if (!chromium_read_hex(r, json_object_get(value, "size"), &entry.size)
	    || !read_id(r, value, "bt", &entry.frame) || !read_id(r, value, "type", &entry.type))
		return false;
	if (heap->dialect == DIALECT_CUMULATIVE ? !has_bt : has_bt && has_type)
		return false;
	if (!chromium_read_hex(r, json_object_get(value, "count"), &entry.count))
		heap->counted = false;
	if (!has_bt && !has_type)
		heap->total = entry.size;
	else
		chromium_heaps_add_entry(r->c, heap, entry);
	return true;
}

/* Removes the last entry if its stack and type occurred before: cumulative sizes cannot be added.
   Returns true if it was removed. */
static bool repeats(struct chromium *c, struct raw_heap *heap, struct map *seen)
{
	const struct raw_entry *last = &c->entry[c->entry_count - 1];
	uint64_t key = (uint64_t)last->frame << 32 | last->type, ignored;
	bool repeated = map_get(seen, key, &ignored);
	if (!repeated)
		map_put(seen, key, 1);
	c->entry_count -= repeated;
	heap->count -= repeated;
	return repeated;
}

static void read_heap(struct reading *r, const struct raw_heap *dump, const char *allocator,
                      const json_t *entries)
{
	struct raw_heap *heap = begin_heap(r, dump, allocator);
	struct map seen = {0};
	uint64_t unused = 0, repeated = 0;
	bool has_bt = json_object_get(json_array_get(entries, 0), "bt") != NULL;
	heap->dialect = has_bt ? DIALECT_CUMULATIVE : DIALECT_SELF;
	heap->counted = has_bt;
	for (size_t i = 0; i < json_array_size(entries); i++) {
		if (!read_entry(r, json_array_get(entries, i), heap))
			unused++;
		else if (heap->dialect == DIALECT_CUMULATIVE)
			repeated += repeats(r->c, heap, &seen);
	}
	map_free(&seen);
	tell_unused(r, allocator, unused, "without size or stack, left out");
	tell_unused(r, allocator, repeated, "with the stack and type of another one, left out");
}

static void read_heaps(struct reading *r, const struct raw_heap *dump, const json_t *heaps)
{
	const char *allocator;
	json_t *value;
	json_object_foreach ((json_t *)(uintptr_t)heaps, allocator, value) {
		const json_t *entries = json_object_get(value, "entries");
		if (json_array_size(entries))
			read_heap(r, dump, allocator, entries);
	}
}

/* Defines an id of a map. Returns false if it was defined differently before. */
static bool defines(struct reading *r, enum id_kind kind, const json_t *value, const char *name)
{
	const json_t *parent = json_object_get(value, "parent");
	bool top = json_is_integer(parent) && json_integer_value(parent) == 0;
	return chromium_define(r->c, r->process, kind,
	                       chromium_read_name(r->c, json_object_get(value, "id")),
	                       chromium_read_name(r->c, json_object_get(value, name)),
	                       top ? 0 : chromium_read_name(r->c, parent));
}

/* Reads the names that are new in this dump. */
static void read_maps(struct reading *r, const json_t *maps)
{
	static const struct {
		const char *map, *name;
		enum id_kind kind;
	} kinds[] = {
		{"strings", "string", ID_STRING},
		{"nodes", "name_sid", ID_NODE},
		{"types", "name_sid", ID_NODE_TYPE},
	};
	uint64_t repeated = 0;
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		const json_t *map = json_object_get(maps, kinds[k].map);
		for (size_t i = 0; i < json_array_size(map); i++)
			repeated += !defines(r, kinds[k].kind, json_array_get(map, i), kinds[k].name);
	}
	chromium_warn_repeated(r, repeated);
}

static void read_rows(struct reading *r, const struct raw_heap *dump, const char *allocator,
                      const json_t *rows)
{
	const json_t *sizes = json_object_get(rows, "sizes"), *counts = json_object_get(rows, "counts");
	const json_t *nodes = json_object_get(rows, "nodes"), *types = json_object_get(rows, "types");
	struct raw_heap *heap = begin_heap(r, dump, allocator);
	uint64_t unused = 0;
	heap->dialect = DIALECT_V2;
	heap->counted = json_array_size(counts) >= json_array_size(sizes);
	if (json_array_size(nodes) != json_array_size(sizes)
	    || (types && json_array_size(types) != json_array_size(sizes)))
		tell_unused(r, allocator, json_array_size(sizes),
		            "of lists that differ in length, perhaps without stack or type");
	for (size_t i = 0; i < json_array_size(sizes); i++) {
		struct raw_entry entry = {0};
		entry.frame = chromium_read_name(r->c, json_array_get(nodes, i));
		entry.type = chromium_read_name(r->c, json_array_get(types, i));
		if (counts && !chromium_read_number(json_array_get(counts, i), &entry.count))
			heap->counted = false;
		if (chromium_read_number(json_array_get(sizes, i), &entry.size))
			chromium_heaps_add_entry(r->c, heap, entry);
		else
			unused++;
	}
	tell_unused(r, allocator, unused, "without a number for the size, left out");
}

static void read_v2(struct reading *r, const struct raw_heap *dump, const json_t *heaps)
{
	const char *allocator;
	json_t *value;
	uint64_t version = 0;
	if (!chromium_read_number(json_object_get(heaps, "version"), &version) || version != 1)
		chromium_warn(r->c, r->offset, "The heaps are not of version 1, but read as if they were");
	read_maps(r, json_object_get(heaps, "maps"));
	json_object_foreach (json_object_get(heaps, "allocators"), allocator, value)
		if (json_is_array(json_object_get(value, "sizes")))
			read_rows(r, dump, allocator, value);
		else
			chromium_warn(r->c, r->offset, "A heap has no list of sizes: it is left out");
}

/* If several events of a dump and process have heaps, drops those of later ones; their names still
   count. */
static void drop_second(struct reading *r, const struct raw_heap *dump, size_t heaps,
                        size_t entries)
{
	struct chromium *c = r->c;
	uint64_t key = (uint64_t)dump->dump << 32 | dump->process, ignored;
	if (c->heap_count == heaps)
		return;
	if (!map_get(&c->taken, key, &ignored)) {
		map_put(&c->taken, key, 1);
		return;
	}
	chromium_warn(c, r->offset,
	              "A second event of this dump and process has heaps: the first counts");
	c->heap_count = heaps;
	c->entry_count = entries;
}

/* Reads an attribute {"type": "scalar", "units": "bytes", "value": HEX}. */
static bool read_scalar(struct reading *r, const json_t *attributes, const char *name,
                        uint64_t *number)
{
	const json_t *attribute = json_object_get(attributes, name);
	return chromium_read_hex(r, json_object_get(attribute, "value"), number);
}

static void read_allocators(struct reading *r, const struct raw_heap *dump,
                            const json_t *allocators)
{
	struct heap_profiles *h = r->c->heap_profiles;
	const char *name;
	json_t *value;
	json_object_foreach ((json_t *)(uintptr_t)allocators, name, value) {
		const json_t *attributes = json_object_get(value, "attrs");
		struct allocator_use use = {.process = dump->process,
		                            .time = dump->time,
		                            .has_time = dump->has_time,
		                            .dump = dump->dump};
		if (h->uses >= NO_USE - 1)
			return;
		use.name = chromium_name(r->c, name, strlen(name));
		use.has_size = read_scalar(r, attributes, "size", &use.size);
		use.has_effective_size = read_scalar(r, attributes, "effective_size", &use.effective_size);
		use.has_objects = read_scalar(r, attributes, "object_count", &use.objects);
		MEM_PUSH(h->use, h->uses, h->use_capacity, use);
	}
}

void chromium_read_dump(struct reading *r, const json_t *event)
{
	struct chromium *c = r->c;
	const json_t *id = json_object_get(event, "id");
	const json_t *dumps = json_object_get(json_object_get(event, "args"), "dumps");
	if (!chromium_read_name(c, id) || !json_is_object(dumps)
	    || !chromium_find_process(c, event, &r->process)) {
		chromium_warn(c, r->offset,
		              "A memory dump lacks its id, its process or its contents: it is left out");
		return;
	}
	c->process[r->process].dumps++;
	const json_t *heaps = json_object_get(dumps, "heaps");
	const json_t *v2 = json_object_get(dumps, "heaps_v2");
	struct raw_heap dump = {.offset = r->offset, .process = r->process};
	dump.dump = chromium_read_name(c, id);
	dump.dump_kind = chromium_read_name(c, json_object_get(event, "name"));
	dump.has_time = chromium_read_number(json_object_get(event, "ts"), &dump.time);
	size_t heap_count = c->heap_count, entry_count = c->entry_count;
	if (json_is_object(heaps))
		read_heaps(r, &dump, heaps);
	else if (json_is_object(v2))
		read_v2(r, &dump, v2);
	drop_second(r, &dump, heap_count, entry_count);
	read_allocators(r, &dump, json_object_get(dumps, "allocators"));
	if (r->plain_numbers)
		chromium_odd(c, r->offset,
		             "Sizes are plain numbers in the stead of hexadecimal text: taken as they are");
}
