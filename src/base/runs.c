#include "base/runs.h"

#include "base/cursor.h"
#include "base/mem.h"

static void runs_begin(struct runs *runs, size_t count)
{
	*runs = (struct runs){0};
	ranks_init(&runs->first, count);
}

static size_t runs_value_size(const struct runs *runs)
{
	return runs->first.count * sizeof *runs->value;
}

void runs_take(struct runs *runs, uint32_t *column, size_t count, size_t size)
{
	runs_begin(runs, count);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || column[i] != column[i - 1])
			word_bit_set(runs->first.bits, i);
	ranks_count(&runs->first);
	runs->value = mem_column(runs_value_size(runs));
	for (size_t i = 0, run = 0; i < count; i++)
		if (word_bit_is_set(runs->first.bits, i))
			runs->value[run++] = column[i];
	mem_column_free(column, size);
}

uint32_t *runs_column(const struct runs *runs)
{
	uint32_t *column = mem_column(runs->first.limit * sizeof *column);
	for (size_t i = 0, run = 0; i < runs->first.limit; i++) {
		run += word_bit_is_set(runs->first.bits, i);
		column[i] = runs->value[run - 1];
	}
	return column;
}

void runs_fini(struct runs *runs)
{
	if (!runs->first.bits)
		return;
	mem_column_free(runs->value, runs_value_size(runs));
	ranks_fini(&runs->first);
}

/* ---- In an index: the value and the length of each run */

static void runs_pack(const struct runs *runs, struct buf *packed)
{
	size_t count = runs->first.limit;
	for (size_t at = 0, end, run = 0; at < count; at = end, run++) {
		for (end = at + 1; end < count && !word_bit_is_set(runs->first.bits, end);)
			end++;
		buf_add_uvarint(packed, (uint32_t)(runs->value[run] + 1)); /* UINT32_MAX is frequent */
		buf_add_uvarint(packed, end - at);
	}
}

/* False: the runs are not those of so many values. */
static bool runs_unpack(struct runs *runs, size_t count, const struct buf *packed)
{
	struct cursor c = cursor_make((const uint8_t *)buf_text(packed), packed->len, 0);
	uint32_t *value = mem_column_most(count * sizeof *value);
	size_t run = 0, at = 0;
	runs_begin(runs, count);
	for (; at < count && run < count && cursor_left(&c) > 0; at += cursor_uvarint(&c)) {
		word_bit_set(runs->first.bits, at);
		value[run++] = (uint32_t)cursor_uvarint(&c) - 1;
	}
	ranks_count(&runs->first);
	runs->value = mem_column_cut(value, runs_value_size(runs), count * sizeof *value);
	return at == count && cursor_ok(&c);
}

bool runs_index(struct runs *runs, size_t count, const char *name, const struct index_io *io)
{
	SCOPED_BUF packed = {0};
	if (io->writer)
		runs_pack(runs, &packed);
	return index_io_buf(io, name, &packed) && (!io->file || runs_unpack(runs, count, &packed));
}
