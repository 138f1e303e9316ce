/* The cached collections. Part of table/contents/collections.h. */
#include "collection_pack.h"

#include "analysis/kept.h"
#include "base/mem.h"
#include "base/plugin.h"

#include <stdlib.h>

enum { POLL_EVERY = 4096 }; /* objects between two checks for cancellation */

/* ---- The cached result: a buffer */

static void collections_kept_free(void *made)
{
	buf_free(made);
	free(made);
}

static size_t collections_of_size(const struct heap *heap)
{
	return (heap_object_count(heap) + 1ULL) * sizeof(uint32_t);
}

static uint8_t collections_mark(void *self, gotype_id type)
{
	return collections_is_header(self, type);
}

/* Looks for maps and channels, whose parts are no slices. */
static bool collections_look(struct collections_search *search, struct progress *progress)
{
	struct type_marks marks = {.mark = collections_mark, .self = search};
	uint32_t id, count = heap_object_count(search->heap);
	progress_begin(progress, "looking for maps and channels", count);
	for (id = 0; id < count && (id % POLL_EVERY || progress_step(progress, id)); id++) {
		gotype_id type = search->typing ? typing_type(search->typing, id) : 0;
		if ((type && !type_marks_of(&marks, type)) || !collections_is_free(search, id))
			continue;
		if (type)
			collections_look_at_header(search, id);
		else
			collections_look_at_label(search, id);
	}
	type_marks_fini(&marks);
	return id == count;
}

static struct buf *collections_search_end(struct collections_search *search, bool done)
{
	struct buf *packed = done ? mem_alloc(sizeof *packed) : NULL;
	if (search->slices)
		collection_slices_end(search->slices);
	if (packed)
		*packed = search->packed;
	else
		buf_free(&search->packed);
	mem_column_free(search->of, collections_of_size(search->heap));
	free(search->queue);
	free(search);
	return packed;
}

static void *collections_kept_begin(const struct analysis *analysis, struct progress *progress)
{
	struct collections_search *search = mem_alloc(sizeof *search);
	search->analysis = analysis;
	search->heap = search->reader.heap = analysis_heap(analysis);
	search->reach = analysis_reach(analysis);
	search->of = mem_column(collections_of_size(search->heap));
	if ((search->typing = analysis_typing(analysis))) {
		search->types = typing_types(search->typing);
		search->runtime = typing_runtime(search->typing);
		search->slices = collection_slices_new(search);
	}
	if (collections_look(search, progress))
		return search;
	collections_search_end(search, false);
	return NULL;
}

static bool collections_kept_wants(void *self, gotype_id type)
{
	return collection_slices_wants(((struct collections_search *)self)->slices, type);
}

static void collections_kept_see(void *self, struct walk_object *object)
{
	collection_slices_see(((struct collections_search *)self)->slices, object);
}

static void *collections_kept_end(void *self, bool seen, struct progress *progress)
{
	(void)progress;
	return collections_search_end(self, seen);
}

static bool collections_kept_index(void *made, const struct index_io *io)
{
	return index_io_buf(io, "packed", made);
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, collections_kept) = {
	.name = "collections",
	.needs = STAGE_TYPED | STAGE_REACHED,
	.walker = {collections_kept_begin, collections_kept_wants, collections_kept_see,
               collections_kept_end},
	.free = collections_kept_free,
	.size = sizeof(struct buf),
	.index = collections_kept_index,
};

const struct buf *collections_packed(const struct analysis *analysis, struct progress *progress)
{
	return analysis_kept(analysis, &collections_kept, RETAIN_ALIVE, progress);
}

/* `windows`: whether the windows of slices are stored, too. */
static bool collections_take(struct collections *found, const struct analysis *analysis,
                             unsigned kinds, bool windows, collection_wants *wants, void *self,
                             struct progress *progress)
{
	const struct buf *packed = collections_packed(analysis, progress);
	*found = (struct collections){0};
	if (!packed)
		return false;
	struct collection_unpacking from =
		collections_unpack_at(packed, analysis_heap(analysis), &(struct collection_place){0});
	struct collection item;
	size_t capacity = 0;
	while (collections_unpack_next(&from, &item)) {
		bool wanted = kinds >> item.kind & 1 && (!wants || wants(self, &item));
		if (wanted)
			MEM_PUSH(found->item, found->count, found->capacity, item);
		if (wanted && windows)
			collections_unpack_windows(&from, &capacity, found);
		else
			collections_skip_windows(&from);
	}
	return true;
}

bool collections_find(struct collections *found, const struct analysis *analysis, unsigned kinds,
                      collection_wants *wants, void *self, struct progress *progress)
{
	return collections_take(found, analysis, kinds, false, wants, self, progress);
}

bool collections_find_windows(struct collections *found, const struct analysis *analysis,
                              collection_wants *wants, void *self, struct progress *progress)
{
	return collections_take(found, analysis, 1U << COLLECTION_SLICE, true, wants, self, progress);
}
