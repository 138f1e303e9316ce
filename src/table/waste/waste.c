#include "table/waste/waste.h"

#include "analysis/duplicates.h"
#include "table/waste/slack.h"

enum { POLL_EVERY = 4096 };

/* The row of `pinned` already counts slices. */
static bool waste_is_slice(const struct rows *rows, size_t row)
{
	return ((const struct slack_place *)rows_record(rows, row))->kind == COLLECTION_SLICE;
}

/* Arrays that contain only zeros are empty, not duplicates. */
static bool waste_is_zeros(const struct rows *rows, size_t row)
{
	return duplicate_is_zeros(analysis_heap(rows->analysis), analysis_typing(rows->analysis),
	                          rows_record(rows, row));
}

const struct waste_kind waste_kinds[WASTE_KINDS] = {
	{"pinned", NULL},
	{"slack", waste_is_slice},
	[WASTE_DUPLICATES] = {"duplicates", waste_is_zeros},
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
		if (kind->skips && kind->skips(rows, row))
			continue;
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
