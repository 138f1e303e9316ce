/* Swiss maps since Go 1.24 (internal/runtime/maps): groups of eight slots. A small map has one
   group; others have a directory of tables, each with an array of groups. */
#include "go/runtime/size_class.h"
#include "gomap_kind.h"
#include "heap/heap.h"
#include "structs.h"

/* ---- Layout */

enum { USED, SEED, DIRECTORY, DIRECTORY_LENGTH, DEPTH, SHIFT, WRITING };
enum { TABLE_USED, TABLE_CAPACITY, TABLE_LEFT, TABLE_DEPTH, TABLE_INDEX, TABLE_GROUPS };
enum { GROUPS_DATA, GROUPS_MASK };

static const struct struct_layout groups_layout = {
	"groupReference<",
	(const struct layout_field[]){
		[GROUPS_DATA] = {.name = "data", .kind = LAYOUT_POINTER, .of = &layout_slots},
		[GROUPS_MASK] = {.name = "lengthMask", .size = 8},
		{0},
	},
};
static const struct struct_layout table_layout = {
	"table<",
	(const struct layout_field[]){
		[TABLE_USED] = {.name = "used", .size = 2},
		[TABLE_CAPACITY] = {.name = "capacity", .size = 2},
		[TABLE_LEFT] = {.name = "growthLeft", .size = 2},
		[TABLE_DEPTH] = {.name = "localDepth", .size = 1},
		[TABLE_INDEX] = {.name = "index"},
		[TABLE_GROUPS] = {.name = "groups", .kind = LAYOUT_STRUCT, .of = &groups_layout},
		{0},
	},
};
static const struct struct_layout header_layout = {
	"map<",
	(const struct layout_field[]){
		[USED] = {.name = "used", .size = 8},
		[SEED] = {.name = "seed"},
		[DIRECTORY] = {.name = "dirPtr", .kind = LAYOUT_POINTERS, .of = &table_layout},
		[DIRECTORY_LENGTH] = {.name = "dirLen"},
		[DEPTH] = {.name = "globalDepth", .size = 1},
		[SHIFT] = {.name = "globalShift", .size = 1},
		[WRITING] = {.name = "writing", .size = 1},
		{.name = "tombstonePossible", .size = 1, .since = 26},
		{.name = "clearSeq", .size = 8},
		{0},
	},
};
/* Control bytes: the highest bit marks slots that are not in use. */
enum { CONTROL_EMPTY = 0x80, CONTROL_DELETED = 0xfe, MOST_DEPTH = 32, MOST_TABLE_DEPTH = 64 };

/* ---- With a known type */

static gotype_id table_of(const struct gotypes *types, gotype_id header)
{
	gotype_id directory = gotype_field_named(types, header, "dirPtr", NULL);
	return gomap_pointee(types, gomap_pointee(types, directory));
}

static gotype_id group_of(const struct gotypes *types, gotype_id table)
{
	gotype_id groups = gotype_field_named(types, table, "groups", NULL);
	return gomap_pointee(types, gotype_field_named(types, groups, "data", NULL));
}

static gotype_id gomap_swiss_slots(const struct gotypes *types, gotype_id header)
{
	return group_of(types, table_of(types, header));
}

static bool gomap_swiss_start(struct gomap *map, const struct struct_view *header)
{
	if (!struct_view_number(header, "used", &map->length)
	    || !struct_view_number(header, "dirPtr", &map->array[0])
	    || !struct_view_number(header, "dirLen", &map->arrays))
		return false;
	map->table = map->arrays ? table_of(map->in->types, header->type) : 0;
	map->arrays += !map->arrays;
	return true;
}

/* Reads the address and the number of the groups of a table. */
static bool table_groups(const struct struct_view *table, uint64_t *address, uint64_t *count)
{
	struct struct_view groups;
	uint64_t mask;
	if (!struct_view_field(table, "groups", &groups)
	    || !struct_view_number(&groups, "data", address)
	    || !struct_view_number(&groups, "lengthMask", &mask))
		return false;
	*count = mask + 1;
	return true;
}

/* Opens the n-th table. A table may occur several times in a row in the directory. */
static bool gomap_swiss_open(struct gomap *map, uint64_t array)
{
	const struct goruntime *in = map->in;
	struct struct_view table;
	uint64_t width = in->heap->params.layout.pointer_size;
	if (!map->table) {
		map->address = map->array[0];
		map->buckets = 1;
		return true;
	}
	const uint8_t *word = gomap_memory(map, map->array[0] + array * width, width);
	uint64_t address = word ? heap_word(in->heap, word) : 0;
	if (!address || address == map->table_before)
		return false;
	map->table_before = address;
	return struct_view_at(in, map->table, address, &table)
	       && table_groups(&table, &map->address, &map->buckets);
}

static enum gomap_use gomap_swiss_use(const struct goruntime *in, const uint8_t *control,
                                      unsigned slot, bool old)
{
	(void)old;
	bool last_first = in->heap->params.layout.big_endian;
	uint8_t use = control[last_first ? GOMAP_SLOTS - 1 - slot : slot];
	return use & CONTROL_EMPTY ? GOMAP_EMPTY : GOMAP_USED;
}

static bool gomap_swiss_is_between(const struct gotypes *types, gotype_id type)
{
	gotype_id table = gotype_get(types, type)->kind == GO_POINTER ? gomap_pointee(types, type)
	                                                              : type;
	gotype_id groups = gotype_field_named(types, table, "groups", NULL);
	return groups && gotype_field_named(types, groups, "lengthMask", NULL);
}

static size_t gomap_swiss_points_to(const struct goruntime_place *at, struct pointee out[POINTEES])
{
	const struct gotypes *types = at->rt->types;
	struct struct_view header = structs_view(at);
	uint64_t length;
	gotype_id table = table_of(types, at->type);
	if (!table || !struct_view_number(&header, "dirPtr", &out->address)
	    || !struct_view_number(&header, "dirLen", &length))
		return 0;
	gotype_id pointer = gomap_pointee(types, gotype_field_named(types, at->type, "dirPtr", NULL));
	out->type = length ? pointer : group_of(types, table);
	out->count = length ? length : 1;
	return 1;
}

static size_t table_points_to(const struct goruntime_place *at, struct pointee out[POINTEES])
{
	struct struct_view table = structs_view(at);
	out->type = group_of(at->rt->types, at->type);
	return out->type && table_groups(&table, &out->address, &out->count)
	       && out->count - 1 < UINT32_MAX;
}

static const struct gotypes_part parts[] = {
	{"map<", "(header)", false},
	{"table<", "(table)", false},
	{"group<", "(group)", false},
	{"map.group[", "(group)", false},
	{"groupReference<", "(groups)", false},
	{0},
};

static const struct goruntime_struct structs[] = {
	{"map<", true, gomap_swiss_points_to},
	{"table<", true, table_points_to},
	{0},
};

/* ---- Without a type */

/* Returns the number of used slots by the control bytes of a group; -1: it is no group. */
static int slots_in_use(const struct probe *group)
{
	int used = 0;
	for (unsigned i = 0; i < GOMAP_SLOTS; i++) {
		uint64_t control = probe_number(group, i, 1);
		if (control > CONTROL_EMPTY && control != CONTROL_DELETED)
			return -1;
		used += control < CONTROL_EMPTY;
	}
	return used;
}

/* Returns true if the map was never used: only its seed is set. */
static bool is_unused(const struct layout_places *places, const struct probe *p)
{
	unsigned width = p->regions->width;
	return !probe_number(p, places->at[USED], 8) && !probe_word(p, places->at[DIRECTORY_LENGTH])
	       && !probe_number(p, places->at[DEPTH], 1)
	       && probe_number(p, places->at[SEED] + width - 4, 4);
}

static void look_at_header(const struct layout_places *places, const struct probe *p,
                           struct gomap_found *found)
{
	struct probe target;
	unsigned width = p->regions->width;
	uint64_t used = probe_number(p, places->at[USED], 8);
	uint64_t directory = probe_word(p, places->at[DIRECTORY]);
	uint64_t tables = probe_word(p, places->at[DIRECTORY_LENGTH]);
	uint64_t depth = probe_number(p, places->at[DEPTH], 1);
	if (!probe_word(p, places->at[SEED]))
		return;
	if (!directory) {
		found->role = is_unused(places, p) ? GOMAP_HEADER : GOMAP_NONE;
		return;
	}
	if (!probe_find(p->regions, directory, &target) || depth >= MOST_DEPTH
	    || probe_number(p, places->at[WRITING], 1) > 1)
		return;
	bool small = tables == 0 && depth == 0 && target.bytes > GOMAP_SLOTS
	             && slots_in_use(&target) == (int)used && used <= GOMAP_SLOTS;
	bool large = tables == (uint64_t)1 << depth
	             && size_class_fits(target.region.size, target.region.header + tables * width);
	if (!small && !large)
		return;
	found->role = GOMAP_HEADER;
	gomap_found_add(found, small ? GOMAP_GROUPS : GOMAP_DIRECTORY, &target);
}

static void look_at_table(const struct layout_places *places, const struct probe *p,
                          struct gomap_found *found)
{
	struct probe groups;
	struct layout_places inner;
	uint64_t at = places->at[TABLE_GROUPS],
			 capacity = probe_number(p, places->at[TABLE_CAPACITY], 2);
	struct_layout_place(&groups_layout, p->regions->width, 0, &inner);
	if (capacity < GOMAP_SLOTS || (capacity & (capacity - 1))
	    || probe_number(p, places->at[TABLE_USED], 2) > capacity
	    || probe_number(p, places->at[TABLE_LEFT], 2) > capacity
	    || probe_number(p, places->at[TABLE_DEPTH], 1) >= MOST_TABLE_DEPTH
	    || probe_number(p, at + inner.at[GROUPS_MASK], 8) != capacity / GOMAP_SLOTS - 1)
		return;
	if (!probe_find(p->regions, probe_word(p, at + inner.at[GROUPS_DATA]), &groups)
	    || groups.bytes < capacity || slots_in_use(&groups) < 0)
		return;
	found->role = GOMAP_TABLE;
	gomap_found_add(found, GOMAP_GROUPS, &groups);
}

/* Header and table have one pointer each. */
static void gomap_swiss_look(const struct layout_places *places, const struct probe *p,
                             uint64_t pointers, struct gomap_found *found)
{
	const struct layout_places *header = &places[0], *table = &places[1];
	unsigned shift = p->regions->shift;
	if (pointers == 1ULL << (header->at[DIRECTORY] >> shift) && p->bytes >= header->size)
		look_at_header(header, p, found);
	if (!found->role && pointers == 1ULL << (table->at[TABLE_GROUPS] >> shift)
	    && p->bytes >= table->size)
		look_at_table(table, p, found);
}

const struct gomap_kind gomap_swiss = {
	.layout = {&header_layout, &table_layout},
	.parts = parts,
	.structs = structs,
	.control = {"ctrl", "ctrl"},
	.slots = gomap_swiss_slots,
	.start = gomap_swiss_start,
	.open = gomap_swiss_open,
	.use = gomap_swiss_use,
	.is_between = gomap_swiss_is_between,
	.look = gomap_swiss_look,
};
