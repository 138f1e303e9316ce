/* Sorts objects by a hash of their contents, then compares those with equal hashes. */
#include "analysis/duplicates.h"

#include "analysis/kept.h"
#include "base/bound.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/plugin.h"

#include <stdlib.h>
#include <string.h>

/* Contents are anywhere in the file: they are prefetched this many keys ahead. */
enum { STEP = 1 << 12, AHEAD = 16 };

struct duplicate_key {
	uint64_t hash;
	const uint8_t *data;
	uint32_t object;
	bool listed; /* already in a group */
};

struct duplicate_search {
	const struct heap *heap;
	const struct reach *reach;
	const struct typing *typing;
	struct duplicate_key *key;
	size_t count, capacity;
	uint8_t *root_class; /* by object: 1 + class of the root of its path; 0: not known yet */
};

/* ---- Contents */

/* Returns true if an object is one string or byte array. A block of the allocator for tiny values
   is not: it contains several strings, which cannot be freed separately. */
static bool duplicates_is_one(const struct typed *typed)
{
	return typed->count > 0 && typed->source != SOURCE_BLOCK && (typed->text || typed->count > 1);
}

/* False, too, if the dump lacks a part of the contents. */
static bool duplicates_in_record(const struct object_record *record, uint64_t length,
                                 const uint8_t **data)
{
	*data = record->data + record->header;
	return length <= record->stored - record->header;
}

bool duplicates_bytes(const struct heap *heap, const struct typing *typing, uint32_t object,
                      const uint8_t **data, uint64_t *length)
{
	struct object_record record;
	*length = typing_object(typing, object).count;
	return heap_object(heap, object, &record) && record.stored >= record.header
	       && duplicates_in_record(&record, *length, data);
}

static uint64_t duplicates_hash(const uint8_t *data, uint64_t length)
{
	uint64_t multiplier = hash_multiplier(), hash = length, word;
	for (; length >= sizeof word; data += sizeof word, length -= sizeof word) {
		memcpy(&word, data, sizeof word);
		hash = hash_mix(hash, word, multiplier);
	}
	word = 0;
	memcpy(&word, data, length);
	return hash_mix(hash, word, multiplier);
}

/* Adds a string or byte array with the hash of its contents. */
static void duplicates_see(void *self, struct walk_object *object)
{
	struct duplicate_search *s = self;
	uint64_t length = object->typed.count;
	const uint8_t *data;
	if (!duplicates_is_one(&object->typed) || !walk_object_read(object)
	    || !duplicates_in_record(&object->record, length, &data))
		return;
	MEM_PUSH(s->key, s->count, s->capacity,
	         (struct duplicate_key){duplicates_hash(data, length), data, object->id, false});
}

/* ---- Buffers */

/* Returns the class of the root that an object's path begins at. Each object of a path is passed
   once. */
static enum root_class duplicates_class(struct duplicate_search *s, uint32_t object)
{
	uint32_t objects = heap_object_count(s->heap), at = object;
	while (at < objects && !s->root_class[at])
		at = s->reach->parent[at];
	uint8_t found = at < objects ? s->root_class[at] : 1 + s->reach->root_class[at - objects];
	for (at = object; at < objects && !s->root_class[at]; at = s->reach->parent[at])
		s->root_class[at] = found;
	return found - 1;
}

/* Returns true if the program works with a byte array: a thread holds it, which no variable leads
   to, or it belongs to a reader or writer of package bufio. */
static bool duplicates_is_buffer(struct duplicate_search *s, uint32_t object)
{
	uint32_t before = s->reach->parent[object];
	enum root_class root_class = duplicates_class(s, object);
	if (root_class == ROOT_CLASS_PARKED || root_class == ROOT_CLASS_RUNNING)
		return true;
	gotype_id type = before < heap_object_count(s->heap) ? typing_type(s->typing, before) : 0;
	return strncmp(gotype_get(typing_types(s->typing), type)->name, "bufio.", 6) == 0;
}

/* ---- Groups */

ORDER_BY_TWO(duplicates_in_order, struct duplicate_key, hash, object);

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, FEW = 32 };
static size_t duplicates_digit(const struct duplicate_key *key, unsigned shift)
{
	return key->hash >> shift & (DIGITS - 1);
}

/* Sorts by hash, then by object: in place by bits of the hashes from `shift` on (American flag
   sort), then each part by the bits below them, as qsort takes as much memory as what it sorts. */
static void duplicates_sort(struct duplicate_key *key, size_t count, unsigned shift)
{
	size_t next[DIGITS] = {0}, end[DIGITS], sum = 0;
	for (size_t i = 0; i < count; i++)
		next[duplicates_digit(&key[i], shift)]++;
	for (size_t d = 0; d < DIGITS; d++) {
		end[d] = sum + next[d];
		next[d] = sum;
		sum = end[d];
	}
	for (size_t d = 0, first = 0; d < DIGITS; first = end[d++]) {
		while (next[d] < end[d]) {
			size_t digit = duplicates_digit(&key[next[d]], shift), to = next[digit]++;
			struct duplicate_key moved = key[to];
			if (digit == d)
				continue; /* it is where it belongs */
			key[to] = key[next[d]];
			key[next[d]] = moved;
		}
		if (end[d] - first > FEW && shift)
			duplicates_sort(&key[first], end[d] - first, shift - DIGIT_BITS);
		else if (end[d] - first > 1)
			qsort(&key[first], end[d] - first, sizeof *key, duplicates_in_order);
	}
}

bool duplicate_is_zeros(const struct heap *heap, const struct typing *typing,
                        const struct duplicate *duplicate)
{
	const uint8_t *data;
	uint64_t length;
	return duplicates_bytes(heap, typing, duplicate->example, &data, &length) && length && !data[0]
	       && memcmp(data, data + 1, length - 1) == 0;
}

/* Adds the group of the items from `key` on with the same contents; all have the same hash. */
static void duplicates_add_group(struct duplicates *duplicates, struct duplicate_search *s,
                                 struct duplicate_key *key, size_t count)
{
	struct duplicate group = {.example = key->object, .first = (uint32_t)duplicates->objects};
	uint64_t largest = 0, bytes = 0, texts = 0, buffers = 0;
	group.length = typing_object(s->typing, key->object).count;
	for (size_t i = 0; i < count; i++) {
		struct typed typed = typing_object(s->typing, key[i].object);
		if (key[i].listed || typed.count != group.length
		    || (i && memcmp(key[i].data, key->data, group.length) != 0))
			continue;
		uint64_t size = heap_size(s->heap, key[i].object);
		key[i].listed = true;
		group.count++;
		texts += typed.text;
		buffers += !typed.text && duplicates_is_buffer(s, key[i].object);
		bytes += size;
		largest = size > largest ? size : largest;
		MEM_PUSH(duplicates->object, duplicates->objects, duplicates->object_capacity,
		         key[i].object);
	}
	group.kind = texts == group.count         ? DUPLICATE_STRING
	             : buffers + 1 >= group.count ? DUPLICATE_BUFFER
	                                          : DUPLICATE_BYTES;
	group.wasted = group.kind == DUPLICATE_BUFFER ? 0 : bytes - largest;
	if (group.count > 1)
		MEM_PUSH(duplicates->item, duplicates->count, duplicates->capacity, group);
	else
		duplicates->objects = group.first;
}

/* Returns true if the key before or behind has the same hash. */
static bool duplicates_share_hash(const struct duplicate_key *key)
{
	return key->hash == key[-1].hash || key->hash == key[1].hash;
}

static bool duplicates_find(struct duplicates *duplicates, struct duplicate_search *s,
                            struct progress *progress)
{
	duplicates_sort(s->key, s->count, 64 - DIGIT_BITS);
	progress_begin(progress, "comparing equal strings", s->count);
	for (size_t first = 0, end = 0; first < s->count; first++) {
		if (first % STEP == 0 && !progress_step(progress, first))
			return false;
		if (first + AHEAD + 1 < s->count && duplicates_share_hash(&s->key[first + AHEAD]))
			__builtin_prefetch(s->key[first + AHEAD].data);
		for (end = end > first ? end : first;
		     end < s->count && s->key[end].hash == s->key[first].hash;)
			end++;
		if (end - first < 2 || s->key[first].listed)
			continue;
		duplicates_add_group(duplicates, s, &s->key[first], end - first);
	}
	return true;
}

/* ---- The cached result */

static void duplicates_free(void *made)
{
	struct duplicates *duplicates = made;
	free(duplicates->item);
	free(duplicates->object);
	free(duplicates);
}

/* Orders the groups by their first objects: the order of hashes differs in each run. */
static void duplicates_order(struct duplicates *duplicates)
{
	uint32_t *object = mem_alloc((duplicates->objects + 1) * sizeof *object);
	size_t at = 0;
	bound_sort(duplicates->item, duplicates->count, BOUND_BY(struct duplicate, example));
	for (size_t i = 0; i < duplicates->count; i++) {
		struct duplicate *item = &duplicates->item[i];
		memcpy(object + at, duplicates->object + item->first, item->count * sizeof *object);
		item->first = (uint32_t)at;
		at += item->count;
	}
	free(duplicates->object);
	duplicates->object = object;
}

static void *duplicates_begin(const struct analysis *analysis, struct progress *progress)
{
	const struct reach *reach = analysis_reach(analysis);
	struct duplicate_search *s = mem_alloc(sizeof *s);
	(void)progress;
	*s = (struct duplicate_search){
		.heap = reach->heap, .reach = reach, .typing = analysis_typing(analysis)};
	return s;
}

static bool duplicates_wants(void *self, gotype_id type)
{
	const struct duplicate_search *s = self;
	return gotype_get(typing_types(s->typing), type)->kind == GO_UINT8;
}

static void *duplicates_end(void *self, bool seen, struct progress *progress)
{
	struct duplicate_search *s = self;
	struct duplicates *duplicates = mem_alloc(sizeof *duplicates);
	size_t objects = heap_object_count(s->heap);
	s->root_class = mem_column(objects);
	bool done = seen && duplicates_find(duplicates, s, progress);
	mem_column_free(s->root_class, objects);
	free(s->key);
	free(s);
	if (done && duplicates->count)
		duplicates_order(duplicates);
	if (done)
		return duplicates;
	duplicates_free(duplicates);
	return NULL;
}

static bool duplicates_index(void *made, const struct index_io *io)
{
	struct duplicates *duplicates = made;
	return INDEX_ARRAY(io, "group", duplicates->item, duplicates->count)
	       && INDEX_ARRAY(io, "object", duplicates->object, duplicates->objects);
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, duplicates_kept) = {
	.name = "duplicates",
	.needs = STAGE_TYPED | STAGE_REACHED,
	.walker = {duplicates_begin, duplicates_wants, duplicates_see, duplicates_end},
	.free = duplicates_free,
	.size = sizeof(struct duplicates),
	.index = duplicates_index,
};

const struct duplicates *analysis_duplicates(const struct analysis *analysis,
                                             struct progress *progress)
{
	return analysis_kept(analysis, &duplicates_kept, RETAIN_ALIVE, progress);
}
