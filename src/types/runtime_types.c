/* Maps and other types whose memory says more than its fields: which field counts the elements of
   which, and what untyped pointers mean (runtime/map.go, internal/runtime/maps, internal/sync,
   sync/atomic). */
#include "types/propagate.h"

#include <string.h>

/* A field of a struct type by name; its type or 0, and where it is. */
static gotype_id field_named(const struct typing *t, gotype_id id, const char *name,
                             uint64_t *offset)
{
	const struct gotype *type = gotype_get(t->types, id);
	for (uint32_t i = 0; id && type->kind == GO_STRUCT && i < type->fields; i++) {
		const struct gofield *field = gotype_field(t->types, type->first_field + i);
		if (strcmp(field->name, name) == 0) {
			*offset += field->offset;
			return field->type;
		}
	}
	return 0;
}

static gotype_id elem_of(const struct typing *t, gotype_id id)
{
	return id && gotype_get(t->types, id)->kind == GO_POINTER ? gotype_get(t->types, id)->elem : 0;
}

static bool runtime_types_word_at(const struct typing *t, const struct region *region,
                                  uint64_t offset, uint64_t *word)
{
	if (offset > region->size || region->size - offset < t->regions.width)
		return false;
	*word = region_word(&t->regions, region, offset);
	return true;
}

static void runtime_types_add(struct typing *t, uint64_t address, gotype_id type, uint64_t count)
{
	unsigned marks = count > 1 ? TYPE_CLAIM_COUNTED : 0;
	propagate_add(t, (struct type_claim){address, type, count, SOURCE_FIELD, marks});
}

/* Up to Go 1.23: buckets stand in one object, with those for overflow behind; all of it is
   buckets. */
static void follow_hash(struct typing *t, const struct region *region, uint64_t offset,
                        gotype_id type)
{
	static const char *const fields[] = {"buckets", "oldbuckets"};
	for (size_t i = 0; i < 2; i++) {
		uint64_t at = offset, address;
		struct region buckets;
		gotype_id bucket = elem_of(t, field_named(t, type, fields[i], &at));
		if (!bucket || !runtime_types_word_at(t, region, at, &address) || !address
		    || !regions_find(&t->regions, address, &buckets))
			continue;
		uint64_t size = gotype_get(t->types, bucket)->size;
		if (size)
			runtime_types_add(t, address, bucket,
			                  (buckets.address + buckets.size - address) / size);
	}
}

/* A bucket may have more of its kind behind it. What points there is no pointer where keys and
   elements have none, nor where the runtime's own description has it. */
static void follow_bucket(struct typing *t, const struct region *region, uint64_t offset,
                          gotype_id type)
{
	uint64_t at = offset, address;
	struct region next;
	if (field_named(t, type, "overflow", &at) && runtime_types_word_at(t, region, at, &address)
	    && address && regions_find(&t->regions, address, &next) && next.kind == REGION_OBJECT
	    && address == next.address + next.header)
		runtime_types_add(t, address, type, 1);
}

/* The group type of a table<K,V>: what its groups.data points to. */
static gotype_id runtime_types_group_of(const struct typing *t, gotype_id table,
                                        uint64_t *data_offset)
{
	gotype_id groups = field_named(t, table, "groups", data_offset);
	return elem_of(t, field_named(t, groups, "data", data_offset));
}

/* From Go 1.24 on: a small map's only group, or a directory of tables. */
static void follow_swiss(struct typing *t, const struct region *region, uint64_t offset,
                         gotype_id type)
{
	uint64_t at = offset, length_at = offset, unused = 0, directory, length;
	gotype_id pointer = elem_of(t, field_named(t, type, "dirPtr", &at)); /* *table<K,V> */
	field_named(t, type, "dirLen", &length_at);
	if (!pointer || !runtime_types_word_at(t, region, at, &directory)
	    || !runtime_types_word_at(t, region, length_at, &length))
		return;
	if (length)
		runtime_types_add(t, directory, pointer, length);
	else
		runtime_types_add(t, directory, runtime_types_group_of(t, elem_of(t, pointer), &unused), 1);
}

static void follow_table(struct typing *t, const struct region *region, uint64_t offset,
                         gotype_id type)
{
	uint64_t at = offset, mask_at = offset, data, mask;
	gotype_id group = runtime_types_group_of(t, type, &at);
	gotype_id groups = field_named(t, type, "groups", &mask_at);
	field_named(t, groups, "lengthMask", &mask_at);
	if (group && runtime_types_word_at(t, region, at, &data)
	    && runtime_types_word_at(t, region, mask_at, &mask) && mask < UINT32_MAX)
		runtime_types_add(t, data, group, mask + 1);
}

/* atomic.Pointer[T]: an empty array of *T says what its unsafe.Pointer is. */
static void follow_atomic(struct typing *t, const struct region *region, uint64_t offset,
                          gotype_id type)
{
	uint64_t at = offset, unused = 0, value;
	gotype_id array = field_named(t, type, "_", &unused);
	field_named(t, type, "v", &at);
	if (array && gotype_get(t->types, array)->kind == GO_ARRAY
	    && runtime_types_word_at(t, region, at, &value))
		runtime_types_add(t, value, elem_of(t, gotype_get(t->types, array)->elem), 1);
}

/* A hash trie's node is an entry or an indirect node, by its first byte. */
static void follow_node(struct typing *t, const struct region *region, uint64_t offset,
                        gotype_id type)
{
	char name[512];
	const char *whole = gotype_get(t->types, type)->name, *node = strstr(whole, ".node[");
	if (!node || offset >= region->size || strlen(whole) + 8 > sizeof name)
		return;
	size_t before = (size_t)(node - whole);
	memcpy(name, whole, before);
	strcpy(name + before, region->data[offset] ? ".entry" : ".indirect");
	strcat(name, node + strlen(".node"));
	runtime_types_add(t, region->address + offset, gotypes_named(t->types, name), 1);
}

/* A channel that is known as such only: it says itself what it holds. */
static void follow_channel(struct typing *t, const struct region *region, uint64_t offset,
                           gotype_id type)
{
	static const char *const names[] = {"qcount", "dataqsiz", "buf", "elemtype"};
	uint64_t word[4] = {0};
	for (size_t i = 0; i < 4; i++) {
		uint64_t at = offset;
		if (!field_named(t, type, names[i], &at) || !runtime_types_word_at(t, region, at, &word[i]))
			return;
	}
	if (word[1])
		runtime_types_add(t, word[2], gotypes_at(t->types, word[3] - t->bias), word[1]);
}

/* sync.Pool: local and victim are [localSize]poolLocal. */
static void follow_pool(struct typing *t, const struct region *region, uint64_t offset,
                        gotype_id type)
{
	static const char *const names[][2] = {{"local", "localSize"}, {"victim", "victimSize"}};
	gotype_id local = gotypes_named(t->types, "sync.poolLocal");
	for (size_t i = 0; i < 2; i++) {
		uint64_t at = offset, count_at = offset, address, count;
		if (field_named(t, type, names[i][0], &at) && field_named(t, type, names[i][1], &count_at)
		    && runtime_types_word_at(t, region, at, &address)
		    && runtime_types_word_at(t, region, count_at, &count))
			runtime_types_add(t, address, local, count);
	}
}

/* The value in an entry of a sync.Map: up to Go 1.19 the pointer to it has no type. */
static void follow_any(struct typing *t, const struct region *region, uint64_t offset,
                       gotype_id type)
{
	uint64_t at = offset, address;
	gotype_id pointer = field_named(t, type, "p", &at);
	if (gotype_get(t->types, pointer)->kind == GO_UNSAFE_POINTER
	    && runtime_types_word_at(t, region, at, &address))
		runtime_types_add(t, address, gotypes_named(t->types, "interface {}"), 1);
}

void points_to_special(struct typing *t, const struct region *region, uint64_t offset,
                       gotype_id type, enum special special)
{
	static void (*const follow[])(struct typing *, const struct region *, uint64_t, gotype_id) = {
		[SPECIAL_HASH] = follow_hash,     [SPECIAL_BUCKET] = follow_bucket,
		[SPECIAL_SWISS] = follow_swiss,   [SPECIAL_TABLE] = follow_table,
		[SPECIAL_ATOMIC] = follow_atomic, [SPECIAL_NODE] = follow_node,
		[SPECIAL_CHAN] = follow_channel,  [SPECIAL_POOL] = follow_pool,
		[SPECIAL_ANY] = follow_any,
	};
	if (special != SPECIAL_NONE)
		follow[special](t, region, offset, type);
}
