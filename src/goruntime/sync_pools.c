#include "goruntime/sync_pools.h"

#include "base/mem.h"
#include "structs.h"

#include <stdlib.h>

enum { POOLS = 1 << 16 }; /* more than any program has */

/* From Go 1.13 on. */
enum { LOCAL, LOCAL_SIZE, VICTIM, VICTIM_SIZE };
static const struct struct_layout pool_layout = {
	"sync.Pool",
	(const struct layout_field[]){
		[LOCAL] = {.name = "local", .kind = LAYOUT_POINTER},
		[LOCAL_SIZE] = {.name = "localSize"},
		[VICTIM] = {.name = "victim", .kind = LAYOUT_POINTER},
		[VICTIM_SIZE] = {.name = "victimSize"},
		{0},
	},
};

/* ---- By their type */

/* local and victim are [localSize]poolLocal. */
static size_t pool_points_to(const struct goruntime_place *at, struct pointee out[POINTEES])
{
	struct struct_view pool = structs_view(at);
	gotype_id local = gotypes_named(at->rt->types, "sync.poolLocal");
	size_t count = 0;
	for (size_t i = LOCAL; i <= VICTIM; i += 2) {
		struct pointee to = {.type = local};
		if (struct_view_number(&pool, pool_layout.fields[i].name, &to.address)
		    && struct_view_number(&pool, pool_layout.fields[i + 1].name, &to.count))
			out[count++] = to;
	}
	return count;
}

const struct goruntime_struct sync_pool_structs[] = {
	{"sync.Pool", false, pool_points_to},
	{0},
};

/* ---- All that there are */

struct finding {
	const struct heap *heap;
	unsigned width; /* of a word */
	struct layout_places places;
	struct sync_pools pools;
	size_t capacity;
};

/* A word of data, bss or an object. */
static bool sync_pools_word_at(const struct finding *f, uint64_t address, uint64_t *word)
{
	struct gomemory_piece piece;
	const uint8_t *data = NULL;
	if (gomemory_piece(f->heap, address, &piece))
		data = gomemory_in_piece(&piece, address, f->width);
	*word = data ? heap_word(f->heap, data) : 0;
	return data != NULL;
}

static void sync_pools_add_object(struct finding *f, uint64_t address)
{
	uint64_t word;
	uint32_t id = sync_pools_word_at(f, address, &word) ? heap_find(f->heap, word) : OBJECT_NONE;
	if (id == OBJECT_NONE)
		return;
	struct sync_pools *pools = &f->pools;
	pools->object = mem_grow(pools->object, pools->count, &f->capacity, sizeof *pools->object);
	pools->object[pools->count++] = id;
}

/* A []*Pool. */
static void sync_pools_add_list(struct finding *f, uint64_t list)
{
	uint64_t data, length, pool;
	if (!sync_pools_word_at(f, list, &data) || !sync_pools_word_at(f, list + f->width, &length))
		return;
	for (uint64_t i = 0;
	     i < length && i < POOLS && sync_pools_word_at(f, data + i * f->width, &pool); i++) {
		sync_pools_add_object(f, pool + f->places.at[LOCAL]);
		sync_pools_add_object(f, pool + f->places.at[VICTIM]);
	}
}

static int sync_pools_ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static uint32_t unique(uint32_t *items, uint32_t count)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; i++)
		if (!kept || items[kept - 1] != items[i])
			items[kept++] = items[i];
	return kept;
}

struct sync_pools sync_pools_find(const struct heap *heap, const struct image *image,
                                  uint64_t data_bias, const struct runtime_variables *variables)
{
	static const char *const lists[] = {"sync.allPools", "sync.oldPools"};
	struct finding f = {.heap = heap, .width = heap->params.layout.pointer_size};
	if (!f.width) /* a log has no memory */
		return f.pools;
	struct_layout_place(&pool_layout, f.width, 0, &f.places);
	for (size_t i = 0; i < 2; i++) {
		const struct image_symbol *list = image ? image_variable_named(image, lists[i]) : NULL;
		if (list)
			sync_pools_add_list(&f, list->address + data_bias);
	}
	for (size_t i = 0; variables && i < variables->count; i++)
		if (variables->item[i].kind >= RUNTIME_POOLS
		    && variables->item[i].kind <= RUNTIME_OTHER_POOLS)
			sync_pools_add_list(&f, variables->item[i].address);
	if (f.pools.count)
		qsort(f.pools.object, f.pools.count, sizeof *f.pools.object, sync_pools_ascending);
	f.pools.count = unique(f.pools.object, f.pools.count);
	return f.pools;
}

void sync_pools_fini(struct sync_pools *pools)
{
	free(pools->object);
	*pools = (struct sync_pools){0};
}
