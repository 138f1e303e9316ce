#include "go/runtime/sync_pools.h"

#include "base/bound.h"
#include "base/mem.h"
#include "heap/heap.h"
#include "structs.h"

#include <stdlib.h>

enum { POOLS = 1 << 16 }; /* more than any program has */

/* since Go 1.13 */
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

/* ---- With a known type */

/* Returns local and victim, arrays [localSize]poolLocal. */
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

/* ---- All pools */

struct finding {
	const struct heap *heap;
	unsigned width; /* of a word */
	struct layout_places places;
	struct sync_pools_part {
		uint32_t object;
		uint64_t pool;
	} * part;
	size_t parts, capacity;
};

static void sync_pools_add_part(struct finding *f, uint64_t pool, unsigned field)
{
	uint32_t id = heap_find(f->heap, gomemory_word_in_dump(f->heap, pool + f->places.at[field]));
	if (id == OBJECT_NONE)
		return;
	MEM_PUSH(f->part, f->parts, f->capacity, (struct sync_pools_part){id, pool});
}

/* Adds the pools of a list of type []*Pool. */
static void sync_pools_add_list(struct finding *f, uint64_t list)
{
	uint64_t data = gomemory_word_in_dump(f->heap, list), pool;
	uint64_t length = gomemory_word_in_dump(f->heap, list + f->width);
	for (uint64_t i = 0; i < length && i < POOLS; i++) {
		pool = gomemory_word_in_dump(f->heap, data + i * f->width);
		if (!pool)
			return;
		sync_pools_add_part(f, pool, LOCAL);
		sync_pools_add_part(f, pool, VICTIM);
	}
}

ORDER_BY_TWO(sync_pools_ascending, struct sync_pools_part, object, pool);

/* Returns the parts sorted by object, without duplicates. */
static struct sync_pools sync_pools_sort(struct finding *f)
{
	struct sync_pools pools = {0};
	if (!f->parts)
		return pools;
	qsort(f->part, f->parts, sizeof *f->part, sync_pools_ascending);
	pools.object = mem_alloc(f->parts * sizeof *pools.object);
	pools.pool = mem_alloc(f->parts * sizeof *pools.pool);
	for (size_t i = 0; i < f->parts; i++) {
		if (pools.count && pools.object[pools.count - 1] == f->part[i].object)
			continue;
		pools.object[pools.count] = f->part[i].object;
		pools.pool[pools.count++] = f->part[i].pool;
	}
	free(f->part);
	return pools;
}

struct sync_pools sync_pools_find(const struct heap *heap, const struct image *image,
                                  uint64_t data_bias, const struct runtime_variables *variables)
{
	static const char *const lists[] = {"sync.allPools", "sync.oldPools"};
	struct finding f = {.heap = heap, .width = heap->params.layout.pointer_size};
	if (!f.width) /* a log has no memory */
		return (struct sync_pools){0};
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
	return sync_pools_sort(&f);
}

void sync_pools_fini(struct sync_pools *pools)
{
	free(pools->object);
	free(pools->pool);
	*pools = (struct sync_pools){0};
}
