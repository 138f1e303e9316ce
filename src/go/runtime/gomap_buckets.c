/* Maps up to Go 1.23 (runtime/map.go): buckets of eight slots with overflow chains. A growing map
   also has its old buckets. */
#include "gomap_kind.h"
#include "structs.h"

/* ---- Layout */

enum { COUNT, FLAGS, LOG, OVERFLOWS, SEED, BUCKETS, OLD_BUCKETS, MOVED, EXTRA };

static const struct struct_layout header_layout = {
	"hash<",
	(const struct layout_field[]){
		[COUNT] = {.name = "count"},
		[FLAGS] = {.name = "flags", .size = 1},
		[LOG] = {.name = "B", .size = 1},
		[OVERFLOWS] = {.name = "noverflow", .size = 2},
		[SEED] = {.name = "hash0", .size = 4},
		[BUCKETS] = {.name = "buckets", .kind = LAYOUT_POINTER, .of = &layout_slots},
		[OLD_BUCKETS] = {.name = "oldbuckets", .kind = LAYOUT_POINTER, .of = &layout_slots},
		[MOVED] = {.name = "nevacuate"},
		[EXTRA] = {.name = "extra", .kind = LAYOUT_POINTER},
		{0},
	},
};
enum {
	/* states of slots: emptyRest, emptyOne, evacuatedX, evacuatedY, evacuatedEmpty */
	FIRST_MOVED = 2,
	FULL_OF_GO_1_11 = 4,
	FULL = 5,           /* minTopHash */
	SAME_SIZE_GROW = 8, /* in flags */
	MOST_FLAGS = 32,
	MOST_LOG = 48,
};

/* ---- With a known type */

static gotype_id gomap_buckets_slots(const struct gotypes *types, gotype_id header)
{
	return gomap_pointee(types, gotype_field_named(types, header, "buckets", NULL));
}

static bool gomap_buckets_start(struct gomap *map, const struct struct_view *header)
{
	uint64_t log, flags = 0;
	if (!struct_view_number(header, "count", &map->length) || !struct_view_number(header, "B", &log)
	    || log >= MOST_LOG || !struct_view_number(header, "buckets", &map->array[0])
	    || !struct_view_number(header, "oldbuckets", &map->array[1]))
		return false;
	struct_view_number(header, "flags", &flags);
	map->arrays = 2;
	map->count[0] = 1ULL << log;
	map->count[1] = flags & SAME_SIZE_GROW || log == 0 ? map->count[0] : map->count[0] / 2;
	return true;
}

static bool gomap_buckets_open(struct gomap *map, uint64_t array)
{
	map->address = map->array[array];
	map->buckets = map->count[array];
	map->old = array == 1;
	return true;
}

/* Returns true if a bucket was moved: all its slots have states 2, 3 or 4. Up to Go 1.11 these were
   1, 2 and 3, and 4 was an entry. */
static bool is_moved(const uint8_t *control)
{
	for (unsigned i = 0; i < GOMAP_SLOTS; i++)
		if (control[i] == 0 || control[i] >= FULL)
			return false;
	return true;
}

static enum gomap_use gomap_buckets_use(const struct goruntime *in, const uint8_t *control,
                                        unsigned slot, bool old)
{
	(void)in;
	if (control[slot] < FIRST_MOVED)
		return GOMAP_EMPTY;
	return control[slot] < FULL_OF_GO_1_11 || (old && is_moved(control)) ? GOMAP_MOVED : GOMAP_USED;
}

/* Returns the arrays of buckets. Each is one object, with preallocated overflow buckets at its
   end. */
static size_t gomap_buckets_points_to(const struct goruntime_place *at,
                                      struct pointee out[POINTEES])
{
	static const char *const fields[] = {"buckets", "oldbuckets"};
	const struct gotypes *types = at->rt->types;
	struct struct_view header = structs_view(at);
	size_t count = 0;
	for (size_t i = 0; i < 2; i++) {
		uint64_t address;
		struct region buckets;
		gotype_id bucket =
			gomap_pointee(types, gotype_field_named(types, at->type, fields[i], NULL));
		uint64_t size = gotype_get(types, bucket)->size;
		if (size && struct_view_number(&header, fields[i], &address) && address
		    && regions_find(at->regions, address, &buckets))
			out[count++] = (struct pointee){address, bucket,
			                                (buckets.address + buckets.size - address) / size};
	}
	return count;
}

/* Returns the overflow bucket of a bucket. The field is no pointer if keys and elements have none,
   and in the runtime's own type descriptor. */
static size_t bucket_points_to(const struct goruntime_place *at, struct pointee out[POINTEES])
{
	struct struct_view bucket = structs_view(at);
	uint64_t address;
	struct region next;
	if (!struct_view_number(&bucket, "overflow", &address) || !address
	    || !regions_find(at->regions, address, &next) || next.kind != REGION_OBJECT
	    || address != next.address + next.header)
		return 0;
	out[0] = (struct pointee){address, at->type, 1};
	return 1;
}

static const struct gotypes_part parts[] = {
	{"hash<", "(header)", false},
	{"bucket<", "(bucket)", false},
	{"map.bucket[", "(bucket)", false},
	{0},
};

static const struct goruntime_struct structs[] = {
	{"hash<", true, gomap_buckets_points_to},
	{"bucket<", false, bucket_points_to},
	{"map.bucket[", false, bucket_points_to},
	{"noalg.map.bucket[", false, bucket_points_to},
	{0},
};

/* ---- Without a type */

static uint64_t bit(const struct layout_places *places, unsigned field, unsigned shift)
{
	return 1ULL << (places->at[field] >> shift);
}

static bool is_header(const struct layout_places *places, const struct probe *p, uint64_t pointers)
{
	unsigned w = p->regions->shift;
	return p->bytes >= places->size
	       && pointers
	              == (bit(places, BUCKETS, w) | bit(places, OLD_BUCKETS, w) | bit(places, EXTRA, w))
	       && probe_number(p, places->at[FLAGS], 1) < MOST_FLAGS;
}

static void gomap_buckets_look(const struct layout_places *places, const struct probe *p,
                               uint64_t pointers, struct gomap_found *found)
{
	struct probe target;
	if (!is_header(places, p, pointers))
		return;
	uint64_t count = probe_word(p, places->at[COUNT]), log = probe_number(p, places->at[LOG], 1);
	uint64_t buckets = probe_word(p, places->at[BUCKETS]);
	if (log >= MOST_LOG || count > (uint64_t)4 * GOMAP_SLOTS << log)
		return;
	if (!buckets) {
		bool empty = count == 0 && probe_number(p, places->at[SEED], 4) != 0;
		found->role = empty ? GOMAP_HEADER : GOMAP_NONE;
		return;
	}
	if (!probe_find(p->regions, buckets, &target) || target.bytes >> log < 2 * GOMAP_SLOTS)
		return;
	found->role = GOMAP_HEADER;
	gomap_found_add(found, GOMAP_BUCKETS, &target);
	if (probe_find(p->regions, probe_word(p, places->at[OLD_BUCKETS]), &target))
		gomap_found_add(found, GOMAP_BUCKETS, &target);
}

const struct gomap_kind gomap_buckets = {
	.layout = {&header_layout},
	.parts = parts,
	.structs = structs,
	.control = {"tophash", "topbits"},
	.slots = gomap_buckets_slots,
	.start = gomap_buckets_start,
	.open = gomap_buckets_open,
	.use = gomap_buckets_use,
	.look = gomap_buckets_look,
};
