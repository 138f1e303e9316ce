#include "table/codes.h"

#include "base/mem.h"
#include "base/progress.h"

#include <stdlib.h>
#include <string.h>

enum { POLL_EVERY = 1 << 13, TEXTS_MOST = 1 << 20 };

/* Ends the text of a guess; no cell has it, since texts are printable. */
static const char guess_mark = 1;

uint32_t codes_of_text(struct codes *codes, const char *text)
{
	bool is_new;
	if (codes->most && codes->texts.count >= codes->most) {
		uint32_t found = string_set_find(&codes->texts, text);
		return found ? found : CODE_NONE;
	}
	uint32_t code = 1 + string_set_number(&codes->texts, text, &is_new);
	codes->bytes += is_new ? strlen(text) + 1 : 0;
	return code;
}

static uint32_t codes_of_cell(struct codes *codes, size_t row)
{
	struct value value = {.text = &codes->cell};
	buf_clear(&codes->cell);
	rows_cell(codes->rows, row, codes->column, &value);
	if (value.kind == VALUE_NONE)
		return 0;
	if (codes->marked && value.guess)
		buf_add_char(&codes->cell, guess_mark);
	return codes_of_text(codes, buf_text(&codes->cell));
}

uint32_t codes_at(struct codes *codes, size_t row)
{
	uint64_t coded = rows_code(codes->rows, row, codes->column), code;
	if (coded && coded == codes->last)
		return codes->last_code;
	if (!coded)
		return codes->coded_only ? CODE_NONE : codes_of_cell(codes, row);
	if (!map_get(&codes->of_coding, coded, &code)) {
		code = codes_of_cell(codes, row);
		if (code != CODE_NONE)
			map_put(&codes->of_coding, coded, code);
	}
	codes->last = coded;
	return codes->last_code = (uint32_t)code;
}

const char *codes_text(const struct codes *codes, uint32_t code)
{
	return code ? string_set_text(&codes->texts, code - 1) : "";
}

void codes_grow_notes(struct codes *codes, uint32_t code)
{
	size_t noted = 2 * ((size_t)code + 1);
	codes->note = mem_resize(codes->note, noted);
	memset(codes->note + codes->noted, 0, noted - codes->noted);
	codes->noted = noted;
}

void codes_fini(struct codes *codes)
{
	string_set_free(&codes->texts);
	map_free(&codes->of_coding);
	free(codes->note);
	buf_free(&codes->cell);
}

/* ---- Codes of all columns */

struct codes *codes_new_all(const struct rows *rows)
{
	int columns = rows->table->column_count;
	struct codes *all = mem_alloc(((size_t)columns + 1) * sizeof *all);
	for (int i = 0; i < columns; i++)
		all[i] = (struct codes){.rows = rows, .column = i, .coded_only = true, .most = TEXTS_MOST};
	return all;
}

void codes_free_all(struct codes **all)
{
	for (struct codes *codes = *all; codes && codes->rows; codes++)
		codes_fini(codes);
	free(*all);
	*all = NULL;
}

/* ---- Codes of many rows */

/* Stores a code in an element that is wide enough. */
static void row_codes_put(struct row_codes *of, size_t place, uint32_t code)
{
	if (of->bytes == 1)
		((uint8_t *)of->code)[place] = (uint8_t)code;
	else if (of->bytes == 2)
		((uint16_t *)of->code)[place] = (uint16_t)code;
	else
		((uint32_t *)of->code)[place] = code;
}

/* Widens the elements, of which the first `used` are stored. */
static void row_codes_widen(struct row_codes *of, size_t used)
{
	struct row_codes wider = {of->count, 2 * of->bytes, mem_column(of->count * 2 * of->bytes)};
	for (size_t i = 0; i < used; i++)
		row_codes_put(&wider, i, row_codes_at(of, i));
	row_codes_fini(of);
	*of = wider;
}

bool row_codes_init(struct row_codes *of, struct codes *codes, const uint32_t *row, size_t count,
                    struct progress *progress)
{
	bool done = true;
	*of = (struct row_codes){count, 1, mem_column(count)};
	for (size_t i = 0; done && i < count; i++) {
		uint32_t code = codes_at(codes, row ? row[i] : i);
		while (of->bytes < 4 && code >> 8 * of->bytes && code != CODE_NONE)
			row_codes_widen(of, i);
		row_codes_put(of, i, code);
		done = code != CODE_NONE && (i % POLL_EVERY || progress_step(progress, i));
	}
	if (!done)
		row_codes_fini(of);
	return done;
}

void row_codes_fini(struct row_codes *of)
{
	mem_column_free(of->code, of->count * of->bytes);
	*of = (struct row_codes){0};
}
