#include "table/waste/waste.h"

#include "analysis/duplicates.h"
#include "table/contents/windows.h"
#include "table/waste/slack.h"

#include <stdlib.h>

enum { POLL_EVERY = 4096 };

/* The row of `pinned` already counts slices. */
static uint64_t waste_without_slices(const struct rows *rows, size_t row, uint64_t wasted)
{
	const struct slack_place *place = rows_record(rows, row);
	return place->kind == COLLECTION_SLICE ? 0 : wasted;
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
static uint64_t waste_of_copies(const struct rows *rows, size_t row, uint64_t wasted)
{
	const struct duplicates *found = rows->data;
	const struct duplicate *copies = rows_record(rows, row);
	const struct windows *windows = analysis_windows(rows->analysis, NULL);
	uint64_t pinned = 0, most = 0;
	if (duplicate_is_zeros(analysis_heap(rows->analysis), analysis_typing(rows->analysis), copies))
		return 0;
	for (uint32_t i = 0; windows && i < copies->count; i++) {
		uint64_t unused = waste_pinned(windows, found->object[copies->first + i]);
		pinned += unused;
		most = unused > most ? unused : most;
	}
	return wasted > pinned - most ? wasted - (pinned - most) : 0;
}

const struct waste_kind waste_kinds[WASTE_KINDS] = {
	{"pinned", NULL},
	{"slack", waste_without_slices},
	[WASTE_DUPLICATES] = {"duplicates", waste_of_copies},
};

bool waste_add_up(const struct analysis *analysis, const struct waste_kind *kind,
                  struct waste_sum *sum, struct progress *progress, struct err *err)
{
	uint64_t most = 0;
	size_t place = 0, row = 0;
	struct rows *rows = rows_open_watched(table_find(kind->table), analysis, NULL, progress, err);
	if (!rows)
		return err->absent; /* what a redacted file does not tell adds up to nothing */
	for (; row < rows->count; row++) {
		if (row % POLL_EVERY == 0 && progress && !progress_step(progress, row))
			break;
		uint64_t bytes = rows_number(rows, row, "wasted_bytes").number;
		if (kind->counts)
			bytes = kind->counts(rows, row, bytes);
		sum->bytes += bytes;
		place = bytes > most ? row : place;
		most = bytes > most ? bytes : most;
	}
	bool done = row == rows->count;
	if (done && most)
		rows_text(rows, place, table_column(rows->table, "name"), &sum->most);
	rows_close(rows);
	return done;
}
