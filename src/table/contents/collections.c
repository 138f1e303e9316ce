#include "table/contents/collections.h"

#include "base/mem.h"
#include "table/naming/typed.h"

#include <stdlib.h>
#include <string.h>

enum { POLL_EVERY = 4096 }; /* objects between two checks for cancellation */

const char *const collection_names[COLLECTION_KINDS] = {"map", "slice", "chan", "sync.Map"};

struct collection collections_begin(const struct collections_search *search,
                                    enum collection_kind kind, uint32_t object, gotype_id type)
{
	return (struct collection){
		.kind = kind,
		.address = heap_address(search->heap, object),
		.object = object,
		.root = UINT32_MAX,
		.head = object,
		.retainer = object,
		.type = type,
	};
}

struct collection *collections_add(struct collections_search *search, struct collection item)
{
	struct collections *found = search->found;
	found->item = mem_grow(found->item, found->count, &found->capacity, sizeof *found->item);
	found->item[found->count] = item;
	return &found->item[found->count++];
}

bool collections_is_free(const struct collections_search *search, uint32_t object)
{
	return !search->of[object] && reach_has(analysis_reach(search->analysis), object);
}

void collections_add_part(struct collections_search *search, struct collection *item,
                          uint32_t object)
{
	item->bytes += heap_size(search->heap, object);
	item->parts++;
	search->of[object] = COLLECTION_PART;
}

static bool collections_look(struct collections_search *search)
{
	uint32_t count = heap_object_count(search->heap);
	progress_begin(search->progress, "looking for maps, channels and slices", count);
	for (uint32_t id = 0; id < count; id++) {
		if (id % POLL_EVERY == 0 && !progress_step(search->progress, id))
			return false;
		if (!collections_is_free(search, id))
			continue;
		if (search->typing && typing_type(search->typing, id))
			collections_look_at_object(search, id);
		else
			collections_look_at_label(search, id);
	}
	return true;
}

bool collections_search(struct collections *found, const struct analysis *analysis,
                        struct progress *progress)
{
	struct collections_search search = {
		.analysis = analysis,
		.heap = analysis_heap(analysis),
		.typing = analysis_typing(analysis),
		.found = found,
		.progress = progress,
		.reader = {.heap = analysis_heap(analysis)},
	};
	size_t size = (heap_object_count(search.heap) + 1ULL) * sizeof *search.of;
	*found = (struct collections){0};
	if (search.typing) {
		search.types = typing_types(search.typing);
		search.runtime = typing_runtime(search.typing);
	}
	search.of = mem_column(size);
	bool done = collections_look(&search) && (!search.typing || collections_find_slices(&search));
	mem_column_free(search.of, size);
	free(search.queue);
	return done;
}

void collections_fini(struct collections *found)
{
	free(found->item);
	free(found->window);
	*found = (struct collections){0};
}

/* Appends the type. The array of an unknown slice is an array, "[4096]int". Headers such as
   "map[string]int (header)" have a type that no program names, so the map's type is shown. */
void collection_add_type(const struct analysis *analysis, const struct collection *item,
                         struct buf *out)
{
	const struct gotypes *types = analysis_types(analysis);
	if (!item->type || (item->kind == COLLECTION_SLICE && !item->has_length)) {
		typed_add_part(analysis, item->object, out);
		return;
	}
	if (item->kind == COLLECTION_SLICE)
		buf_add(out, "[]");
	if (item->kind == COLLECTION_SLICE && strcmp(gotype_get(types, item->type)->name, "uint8") == 0)
		buf_add(out, "byte");
	else
		(item->kind == COLLECTION_MAP ? gotype_display_whole : gotype_display)(types, item->type,
		                                                                       out);
}
