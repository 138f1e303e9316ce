/* The collections as rows: unpacked in blocks, of which each thread holds the one that it read
   last. All of them unpacked take ten times as much memory. Part of table/contents/collections.h.
 */
#include "collection_pack.h"

#include "base/bound.h"
#include "base/mem.h"

#include <stdlib.h>

enum { BLOCK = 64 };

struct collection_block {
	struct collection_place place;
	size_t row;  /* of its first collection */
	size_t sync; /* sync.Maps before it */
};

struct collection_list {
	const struct buf *packed;
	const struct heap *heap;
	unsigned kinds;
	uint64_t id; /* no other list of this process has it */
	struct collection_block *block;
	size_t blocks, capacity;
	struct collections sync; /* all sync.Maps, with their retained bytes */
};

static _Thread_local struct {
	uint64_t list; /* its id */
	size_t row, count;
	struct collection item[BLOCK];
} last_block;

static void collection_list_fill(struct collection_list *list, size_t *rows)
{
	struct collection_unpacking from =
		collections_unpack_at(list->packed, list->heap, &(struct collection_place){0});
	size_t count = *rows = 0;
	enum collection_kind kind;
	do {
		if (count++ % BLOCK == 0) {
			from.place.at = list->packed->len - cursor_left(&from.packed);
			MEM_PUSH(list->block, list->blocks, list->capacity,
			         ((struct collection_block){from.place, *rows, list->sync.count}));
		}
		struct collection_unpacking here = from;
		struct collection item;
		if (!collections_unpack_kind(&from, &kind))
			return;
		collections_skip_windows(&from);
		*rows += list->kinds >> kind & 1;
		if (kind == COLLECTION_SYNC && collections_unpack_next(&here, &item))
			MEM_PUSH(list->sync.item, list->sync.count, list->sync.capacity, item);
	} while (true);
}

struct collection_list *collection_list_new(const struct analysis *analysis, unsigned kinds,
                                            struct progress *progress, size_t *rows)
{
	const struct buf *packed = collections_packed(analysis, progress);
	if (!packed)
		return NULL;
	struct collection_list *list = mem_alloc(sizeof *list);
	list->packed = packed;
	list->heap = analysis_heap(analysis);
	list->kinds = kinds;
	list->id = mem_serial();
	collection_list_fill(list, rows);
	collections_find_retained(&list->sync, analysis);
	return list;
}

void collection_list_free(struct collection_list *list)
{
	if (!list)
		return;
	collections_fini(&list->sync);
	free(list->block);
	free(list);
}

static void collection_list_unpack(const struct collection_list *list,
                                   const struct collection_block *block)
{
	struct collection_unpacking from =
		collections_unpack_at(list->packed, list->heap, &block->place);
	size_t sync = block->sync;
	last_block.list = list->id;
	last_block.row = block->row;
	last_block.count = 0;
	for (size_t i = 0; i < BLOCK; i++) {
		struct collection *item = &last_block.item[last_block.count];
		if (!collections_unpack_next(&from, item))
			return;
		collections_skip_windows(&from);
		item->retained = item->kind == COLLECTION_SYNC ? list->sync.item[sync++].retained
		                                               : UINT64_MAX;
		last_block.count += list->kinds >> item->kind & 1;
	}
}

const struct collection *collection_list_row(const struct collection_list *list, size_t row)
{
	if (last_block.list != list->id || row - last_block.row >= last_block.count) {
		size_t at =
			upper_bound(list->block, list->blocks, BOUND_BY(struct collection_block, row), row);
		collection_list_unpack(list, &list->block[at - 1]);
	}
	return &last_block.item[row - last_block.row];
}
