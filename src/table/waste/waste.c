#include "table/waste/waste.h"

#include "analysis/duplicates.h"
#include "base/mem.h"
#include "heap/heap.h"
#include "table/contents/windows.h"
#include "table/paths/path_tree.h"
#include "table/waste/slack.h"

#include <stdlib.h>

enum { POLL_EVERY = 4096 };

/* Counts unused bytes of objects, which are at the place of one of them. */
static void waste_add(struct waste_sum *sum, uint32_t object, uint64_t count, uint64_t bytes)
{
	uint32_t node = sum->tree ? merged_paths_node(sum->tree->merged_paths, object) : OBJECT_NONE;
	uint64_t at = sum->count;
	sum->bytes += bytes;
	if (!bytes || node == OBJECT_NONE)
		return;
	if (map_add(&sum->of, node, &at))
		MEM_PUSH(sum->place, sum->count, sum->capacity, (struct waste_place){.place = node});
	sum->place[at].count += count;
	sum->place[at].bytes += bytes;
}

/* The row of `pinned` already counts slices. */
static void waste_add_slack(struct waste_sum *sum, const struct rows *rows, size_t row,
                            uint64_t wasted)
{
	const struct slack_place *place = rows_record(rows, row);
	if (place->kind != COLLECTION_SLICE)
		waste_add(sum, place->example, place->count, wasted);
}

static int waste_array_by_object(const void *object, const void *array)
{
	uint32_t x = *(const uint32_t *)object, y = ((const struct window_array *)array)->object;
	return x < y ? -1 : x > y;
}

/* Returns the bytes that `pinned` counts of an object. */
static uint64_t waste_pinned(const struct windows *windows, uint32_t object)
{
	const struct window_array *array = windows->count
	                                       ? bsearch(&object, windows->array, windows->count,
	                                                 sizeof *windows->array, waste_array_by_object)
	                                       : NULL;
	return array ? array->wasted : 0;
}

/* Arrays that contain only zeros are empty, not duplicates. What `pinned` counts of the copies that
   would go counts once; the copy that would stay is the one of which most is unused. */
static void waste_add_copies(struct waste_sum *sum, const struct rows *rows, size_t row,
                             uint64_t wasted)
{
	const struct duplicates *found = rows->data;
	const struct duplicate *copies = rows_record(rows, row);
	const struct heap *heap = analysis_heap(rows->analysis);
	const struct windows *windows = analysis_windows(rows->analysis, NULL);
	const uint32_t *object = found->object + copies->first;
	uint64_t most = 0;
	uint32_t stays = 0;
	if (!wasted || duplicate_is_zeros(heap, analysis_typing(rows->analysis), copies))
		return;
	for (uint32_t i = 0; windows && i < copies->count; i++) {
		uint64_t unused = waste_pinned(windows, object[i]);
		if (unused > most
		    || (unused == most && heap_size(heap, object[i]) > heap_size(heap, object[stays])))
			stays = i;
		most = unused > most ? unused : most;
	}
	for (uint32_t i = 0; i < copies->count; i++)
		if (i != stays)
			waste_add(sum, object[i], 1,
			          heap_size(heap, object[i])
			              - (windows ? waste_pinned(windows, object[i]) : 0));
}

const struct waste_kind waste_kinds[WASTE_KINDS] = {
	{"pinned", NULL},
	{"slack", waste_add_slack},
	[WASTE_DUPLICATES] = {"duplicates", waste_add_copies},
};

bool waste_add_up(const struct analysis *analysis, const struct waste_kind *kind,
                  struct waste_sum *sum, struct progress *progress, struct err *err)
{
	size_t row = 0;
	struct rows *rows = rows_open_watched(table_find(kind->table), analysis, NULL, progress, err);
	if (!rows)
		return err->absent; /* what a redacted file does not tell adds up to nothing */
	for (; row < rows->count; row++) {
		if (row % POLL_EVERY == 0 && progress && !progress_step(progress, row))
			break;
		uint64_t bytes = rows_number(rows, row, "wasted_bytes").number;
		if (kind->add)
			kind->add(sum, rows, row, bytes);
		else
			waste_add(sum, rows_object(rows, row), 1, bytes);
	}
	bool done = row == rows->count;
	rows_close(rows);
	return done;
}

void waste_sum_fini(struct waste_sum *sum)
{
	map_free(&sum->of);
	free(sum->place);
}
