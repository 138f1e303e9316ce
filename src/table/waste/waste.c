#include "table/waste/waste.h"

#include <string.h>

enum { POLL_EVERY = 4096 };

const struct waste_kind waste_kinds[WASTE_KINDS] = {
	{"pinned", NULL, NULL},
	/* The row of `pinned` already counts slices. */
	{"slack", "kind", "slice"},
	/* Buffers that contain only zeros are empty, not duplicates. */
	{"duplicates", "value", "zeros"},
};

static bool waste_counts(const struct rows *rows, size_t row, const struct waste_kind *kind)
{
	struct buf text = {0};
	if (!kind->column)
		return true;
	rows_text(rows, row, table_column(rows->table, kind->column), &text);
	bool counts = strcmp(buf_text(&text), kind->without) != 0;
	buf_free(&text);
	return counts;
}

bool waste_add_up(const struct analysis *analysis, const struct waste_kind *kind,
                  struct waste_sum *sum, struct progress *progress, struct err *err)
{
	uint64_t most = 0;
	size_t place = 0, row = 0;
	struct rows *rows = rows_open_watched(table_find(kind->table), analysis, NULL, progress, err);
	if (!rows)
		return false;
	for (; row < rows->count; row++) {
		if (row % POLL_EVERY == 0 && progress && !progress_step(progress, row))
			break;
		uint64_t bytes = rows_number(rows, row, "wasted_bytes").number;
		if (!waste_counts(rows, row, kind))
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
