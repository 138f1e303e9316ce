/* Sorts rows by a column: numbers by radix sort, texts by merge sort. Both are stable, take the
   same time for any initial order, and do not recurse. */
#include "table/table.h"

#include "base/mem.h"
#include "base/progress.h"
#include "table/codes.h"
#include "table/sort_first.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 13, DIGIT = 8, DIGITS = 1 << DIGIT };
enum { FIRST_SHARE = 16 }; /* a partial sort pays for one of so many rows */

struct sort {
	const struct rows *rows;
	const uint32_t *from; /* the rows to sort, NULL: all */
	size_t count;         /* their number */
	size_t first;         /* number of sorted rows that are requested */
	int column;
	bool descending;
	struct progress *progress;
	uint64_t done;
	uint32_t *row, *other; /* the order so far, as indices in `from`, and a buffer for the next */
};

static void get_cell(const struct sort *sort, size_t place, struct value *value)
{
	size_t row = sort->from ? sort->from[place] : place;
	rows_cell(sort->rows, row, sort->column, value);
}

static bool go_on(struct sort *sort)
{
	return ++sort->done % STEP || progress_step(sort->progress, sort->done);
}

static void sort_swap(struct sort *sort)
{
	uint32_t *row = sort->row;
	sort->row = sort->other;
	sort->other = row;
}

/* Statistics about keys, gathered while they are computed. */
struct keys {
	uint64_t *key;
	uint64_t differ;       /* the bits that are not equal in all keys */
	bool sorted, reversed; /* ascending; strictly descending */
};

/* Returns the key of a cell. `unused` receives its text, if it has one. */
static uint64_t sort_key_at(const struct sort *sort, size_t place, struct buf *unused)
{
	struct value value = {.text = unused};
	buf_clear(unused);
	get_cell(sort, place, &value);
	uint64_t key = value_sort_key(&value, sort->rows->table->columns[sort->column].is_signed);
	return sort->descending ? ~key : key;
}

/* Computes all keys. False: cancelled. */
static bool fill_keys(struct sort *sort, struct keys *keys)
{
	SCOPED_BUF unused = {0};
	size_t done = 0;
	for (size_t i = 0; i < sort->count; i++) {
		uint64_t key = keys->key[i] = sort_key_at(sort, i, &unused);
		keys->differ |= key ^ keys->key[0];
		keys->sorted = keys->sorted && (i == 0 || keys->key[i - 1] <= key);
		keys->reversed = keys->reversed && (i == 0 || keys->key[i - 1] > key);
		if (!go_on(sort))
			break;
		done++;
	}
	return done == sort->count;
}

static bool sort_by_digit(struct sort *sort, const uint64_t *key, unsigned shift)
{
	size_t place[DIGITS] = {0}, before = 0, count = sort->count;
	for (size_t i = 0; i < count; i++)
		place[key[i] >> shift & (DIGITS - 1)]++;
	for (size_t d = 0; d < DIGITS; d++) {
		size_t here = place[d];
		place[d] = before;
		before += here;
	}
	for (size_t i = 0; i < count; i++) {
		sort->other[place[key[sort->row[i]] >> shift & (DIGITS - 1)]++] = sort->row[i];
		if (!go_on(sort))
			return false;
	}
	sort_swap(sort);
	return true;
}

/* `differ`: the bits that are not equal in all keys. False: cancelled. */
static bool sort_by_keys(struct sort *sort, const uint64_t *key, uint64_t differ)
{
	bool done = true;
	for (unsigned shift = 0; done && shift < 64; shift += DIGIT)
		if (differ >> shift & (DIGITS - 1))
			done = sort_by_digit(sort, key, shift);
	return done;
}

/* Finds the first rows; the order of the others is not computed. False: cancelled. */
static bool sort_take_first(struct sort *sort)
{
	struct sort_first first = {.limit = sort->first, .below = UINT64_MAX};
	SCOPED_BUF unused = {0};
	bool done = true;
	for (size_t i = 0; i < sort->count && done; i++) {
		sort_first_add(&first, sort_key_at(sort, i, &unused), (uint32_t)i);
		done = go_on(sort);
	}
	sort_first_end(&first, sort->row);
	return done;
}

static bool sort_numbers(struct sort *sort)
{
	size_t size = sort->count * sizeof(uint64_t);
	struct keys keys = {.key = mem_column(size), .sorted = true, .reversed = true};
	bool done = fill_keys(sort, &keys);
	if (done && keys.reversed)
		for (size_t i = 0; i < sort->count; i++)
			sort->row[i] = (uint32_t)(sort->count - 1 - i);
	else if (done && !keys.sorted)
		done = sort_by_keys(sort, keys.key, keys.differ);
	mem_column_free(keys.key, size);
	return done;
}

/* The texts of codes, or NUL-terminated texts, one after the other. */
struct texts {
	const struct codes *codes;
	struct buf text, cell;
	size_t *start;
};

static void texts_free(struct texts *texts)
{
	buf_free(&texts->text);
	buf_free(&texts->cell);
	free(texts->start);
}

static void add_text(const struct sort *sort, size_t place, struct texts *texts, size_t number)
{
	struct value value = {.text = &texts->cell};
	buf_clear(&texts->cell);
	get_cell(sort, place, &value);
	texts->start[number] = texts->text.len;
	buf_add_bytes(&texts->text, buf_text(&texts->cell), texts->cell.len + 1);
}

static bool fill_texts(struct sort *sort, struct texts *texts)
{
	bool done = true;
	for (size_t i = 0; i < sort->count && done; i++) {
		add_text(sort, i, texts, i);
		done = go_on(sort);
	}
	return done;
}

static const char *texts_at(const struct texts *texts, uint32_t number)
{
	return texts->codes ? codes_text(texts->codes, number)
	                    : texts->text.data + texts->start[number];
}

static bool is_after(const struct sort *sort, const struct texts *texts, uint32_t a, uint32_t b)
{
	int order = strcmp(texts_at(texts, a), texts_at(texts, b));
	return sort->descending ? order < 0 : order > 0;
}

/* Merges row[first ... middle - 1] and row[middle ... end - 1] into `other`. */
static bool sort_merge(struct sort *sort, const struct texts *texts, size_t first, size_t middle,
                       size_t end)
{
	size_t left = first, right = middle;
	for (size_t i = first; i < end; i++) {
		bool from_right =
			left == middle
			|| (right < end && is_after(sort, texts, sort->row[left], sort->row[right]));
		sort->other[i] = sort->row[from_right ? right++ : left++];
		if (!go_on(sort))
			return false;
	}
	return true;
}

static size_t sort_at_most(size_t value, size_t limit)
{
	return value < limit ? value : limit;
}

static bool sort_merge_all(struct sort *sort, const struct texts *texts)
{
	size_t count = sort->count;
	bool done = true;
	for (size_t width = 1; done && width < count; width *= 2) {
		for (size_t first = 0; done && first < count; first += 2 * width)
			done = sort_merge(sort, texts, first, sort_at_most(first + width, count),
			                  sort_at_most(first + 2 * width, count));
		sort_swap(sort);
	}
	return done;
}

static bool sort_texts(struct sort *sort)
{
	struct texts texts = {.start = mem_alloc(sort->count * sizeof *texts.start)};
	bool done = fill_texts(sort, &texts) && sort_merge_all(sort, &texts);
	texts_free(&texts);
	return done;
}

/* Finds the first rows by text. Once a text is not among the first, no row that shares it is.
   False: cancelled. */
static bool sort_take_first_texts(struct sort *sort)
{
	struct codes codes = {.rows = sort->rows, .column = sort->column, .coded_only = true};
	const bool coded = column_is_coded(&sort->rows->table->columns[sort->column]);
	struct sort_first_texts first = {.limit = sort->first, .descending = sort->descending};
	SCOPED_BUF cell = {0};
	bool done = true;
	for (size_t i = 0; i < sort->count && done; i++, done = go_on(sort)) {
		struct value value = {.text = &cell};
		uint32_t code = coded ? codes_at(&codes, i) : CODE_NONE;
		if (code != CODE_NONE) {
			uint8_t *later = codes_note(&codes, code);
			*later = *later || !sort_first_add_text(&first, codes_text(&codes, code), (uint32_t)i);
			continue;
		}
		buf_clear(&cell);
		get_cell(sort, i, &value);
		sort_first_add_text(&first, buf_text(&cell), (uint32_t)i);
	}
	sort_first_end_texts(&first, sort->row);
	codes_fini(&codes);
	return done;
}

static void sort_begin(struct sort *sort)
{
	sort->row = mem_alloc(sort->count * sizeof *sort->row);
	sort->other = mem_alloc(sort->count * sizeof *sort->other);
	for (size_t i = 0; i < sort->count; i++)
		sort->row[i] = (uint32_t)i;
}

/* ---- Texts that many rows share: each is made once, and they are sorted among themselves */

/* Stores in rank[code] the place of its text among all; no value is like an empty text. */
static bool sort_rank_codes(const struct sort *of, const struct codes *codes, uint32_t *rank)
{
	struct sort sort = {
		.count = codes->texts.count + 1, .descending = of->descending, .progress = of->progress};
	struct texts texts = {.codes = codes};
	sort_begin(&sort);
	bool done = sort_merge_all(&sort, &texts);
	for (size_t i = 0; done && i < sort.count; i++)
		rank[sort.row[i]] = i && !is_after(&sort, &texts, sort.row[i], sort.row[i - 1])
		                        ? rank[sort.row[i - 1]]
		                        : (uint32_t)i;
	free(sort.row);
	free(sort.other);
	return done;
}

static bool sort_by_codes(struct sort *sort, const struct codes *codes, const struct row_codes *of)
{
	size_t count = codes->texts.count + 1, before = 0;
	SCOPED_FREE uint32_t *rank = mem_alloc(count * sizeof *rank);
	SCOPED_FREE size_t *place = mem_alloc(count * sizeof *place);
	if (!sort_rank_codes(sort, codes, rank))
		return false;
	for (size_t i = 0; i < sort->count; i++)
		place[rank[row_codes_at(of, i)]]++;
	for (size_t i = 0; i < count; i++) {
		size_t here = place[i];
		place[i] = before;
		before += here;
	}
	bool done = true;
	for (size_t i = 0; done && i < sort->count; i++) {
		sort->row[place[rank[row_codes_at(of, i)]]++] = (uint32_t)i;
		done = go_on(sort);
	}
	return done;
}

static bool sort_coded(struct sort *sort)
{
	struct codes codes = {.rows = sort->rows, .column = sort->column};
	struct row_codes of;
	bool done = row_codes_init(&of, &codes, sort->from, sort->count, sort->progress)
	            && sort_by_codes(sort, &codes, &of);
	row_codes_fini(&of);
	codes_fini(&codes);
	return done;
}

/* Returns the kind of the cells; that of the first one where it depends on the rows. */
static enum value_kind sort_kind(const struct sort *sort, const struct column *column)
{
	enum value_kind kind = column->kind;
	SCOPED_BUF text = {0};
	for (size_t i = 0; kind == VALUE_NONE && column->any_kind && i < sort->count; i++) {
		struct value value = {.text = &text};
		buf_clear(&text);
		get_cell(sort, i, &value);
		kind = value.kind;
	}
	return kind;
}

static uint32_t *sort_run(struct sort *sort)
{
	const struct column *column = &sort->rows->table->columns[sort->column];
	enum value_kind kind = sort_kind(sort, column);
	bool text = kind == VALUE_TEXT || kind == VALUE_LIST || kind == VALUE_NONE;
	bool coded = column_is_coded(column);
	bool few = sort->first && sort->first < sort->count / FIRST_SHARE;
	progress_begin(sort->progress, "sorting", 0);
	if (few)
		sort->row = mem_alloc(sort->first * sizeof *sort->row);
	else
		sort_begin(sort);
	bool done;
	if (few)
		done = coded || text ? sort_take_first_texts(sort) : sort_take_first(sort);
	else
		done = coded ? sort_coded(sort) : text ? sort_texts(sort) : sort_numbers(sort);
	free(sort->other);
	if (done)
		return sort->row;
	free(sort->row);
	return NULL;
}

uint32_t *rows_sorted_first(const struct rows *rows, int column, bool descending, size_t first,
                            struct progress *progress)
{
	struct sort sort = {.rows = rows,
	                    .count = rows->count,
	                    .first = first,
	                    .column = column,
	                    .descending = descending,
	                    .progress = progress};
	return sort_run(&sort);
}

uint32_t *rows_sorted(const struct rows *rows, int column, bool descending,
                      struct progress *progress)
{
	return rows_sorted_first(rows, column, descending, rows->count, progress);
}

bool rows_sort(const struct rows *rows, uint32_t *row, size_t count, int column, bool descending,
               struct progress *progress)
{
	struct sort sort = {.rows = rows,
	                    .from = row,
	                    .count = count,
	                    .column = column,
	                    .descending = descending,
	                    .progress = progress};
	uint32_t *order = sort_run(&sort);
	if (!order)
		return false;
	for (size_t i = 0; i < count; i++)
		order[i] = row[order[i]];
	memcpy(row, order, count * sizeof *row);
	free(order);
	return true;
}
