#include "table/query/row_classes_make.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/progress.h"
#include "table/growth/delta.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits on classes and on bytes of the texts of a key; all rows beyond these share a class. */
enum { CLASSES_MOST = 1 << 20, TEXT_MOST = 1 << 28, POLL_EVERY = 1 << 12 };

static const char others[] = "(all other values)";

struct classes_maker {
	struct rows *rows;
	struct classes *classes;
	const struct table *table;
	struct map of_keys; /* hash of the keys -> class */
	struct buf text;
	struct class_cell *key; /* by column, of a row */
	bool full;
	int only;          /* the key, if it is the only one and its texts follow from codes; else -1 */
	uint32_t *of_code; /* of that key: 1 + the class of a code; 0: none yet */
	size_t codes;      /* that there is room for */
	int *measure;      /* the columns that a row adds to */
	int measures;
};

static struct class_cell *classes_at(const struct classes_maker *m, size_t class)
{
	return m->classes->cell + class * (size_t)m->table->column_count;
}

static bool classes_is_key(const struct classes_maker *m, int i)
{
	return m->table->columns[i].of.how == CLASS_KEY;
}

/* ---- Keys */

/* Stores a key of a row. A text that many rows share is made once; where there is no room for a new
   one, it has no code. False: the row has no such field. */
static bool classes_key(struct classes_maker *m, size_t row, int i)
{
	struct codes *codes = &m->classes->column[i].codes;
	const struct column *from = &codes->rows->table->columns[codes->column];
	struct class_cell *key = &m->key[i];
	struct value value = {.text = &m->text};
	codes->most = m->full ? codes->texts.count + !codes->texts.count : 0;
	if (column_is_coded(from)) {
		uint32_t code = codes_at(codes, row);
		*key = (struct class_cell){.kind = code ? VALUE_TEXT : VALUE_NONE, .text = code};
		return true;
	}
	buf_clear(&m->text);
	rows_cell(codes->rows, row, codes->column, &value);
	*key = (struct class_cell){.kind = (uint8_t)value.kind};
	if (value.kind == VALUE_NONE)
		return !from->is_field;
	if (value.kind == VALUE_TEXT || value.kind == VALUE_LIST) {
		key->text = codes_of_text(codes, buf_text(&m->text));
	} else {
		key->number = value.number;
		key->whole = value.whole;
		key->negative = value.negative;
	}
	return true;
}

static bool classes_keys(struct classes_maker *m, size_t row)
{
	for (int i = 0; i < m->table->column_count; i++)
		if (classes_is_key(m, i) && !classes_key(m, row, i))
			return false;
	return true;
}

static bool class_is(const struct classes_maker *m, size_t class)
{
	const struct class_cell *cell = classes_at(m, class);
	for (int i = 0; i < m->table->column_count; i++)
		if (classes_is_key(m, i)
		    && (cell[i].kind != m->key[i].kind || cell[i].number != m->key[i].number
		        || cell[i].whole != m->key[i].whole || cell[i].text != m->key[i].text
		        || cell[i].negative != m->key[i].negative))
			return false;
	return true;
}

static size_t classes_new(struct classes_maker *m)
{
	size_t columns = (size_t)m->table->column_count;
	m->classes->cell = mem_grow(m->classes->cell, m->rows->count, &m->classes->capacity,
	                            columns * sizeof *m->classes->cell);
	memcpy(classes_at(m, m->rows->count), m->key, columns * sizeof *m->key);
	m->full |= m->rows->count + 1 >= CLASSES_MOST;
	for (int i = 0; i < m->table->column_count; i++)
		m->full |= m->classes->column[i].codes.bytes >= TEXT_MOST;
	return m->rows->count++;
}

/* Returns the last class, which is for all other values. */
static size_t classes_others(struct classes_maker *m)
{
	for (int i = 0; m->classes->others == SIZE_MAX && i < m->table->column_count; i++)
		if (classes_is_key(m, i)) {
			struct codes *codes = &m->classes->column[i].codes;
			codes->most = 0;
			m->key[i] =
				(struct class_cell){.kind = VALUE_TEXT, .text = codes_of_text(codes, others)};
		}
	if (m->classes->others == SIZE_MAX)
		m->classes->others = classes_new(m);
	return m->classes->others;
}

/* Returns the class of the row with these keys; adds it if it is new. */
static size_t classes_find(struct classes_maker *m)
{
	uint64_t multiplier = hash_multiplier(), hash = multiplier, found;
	for (int i = 0; i < m->table->column_count; i++)
		if (classes_is_key(m, i)) {
			const struct class_cell *key = &m->key[i];
			hash = hash_mix(hash, key->number + ((uint64_t)key->text << 32), multiplier);
			hash = hash_mix(hash, key->whole ^ (key->negative ? ~0ULL : key->kind), multiplier);
		}
	for (; map_get(&m->of_keys, hash, &found); hash++)
		if (class_is(m, found))
			return found;
	if (m->full)
		return classes_others(m);
	map_put(&m->of_keys, hash, m->rows->count);
	return classes_new(m);
}

/* Returns the class of a row; SIZE_MAX: it has none. */
static size_t classes_of_row(struct classes_maker *m, size_t row)
{
	/* beyond the limits, classes_key sees to it that no text is added */
	uint32_t code = m->only < 0 || m->full ? CODE_NONE
	                                       : codes_at(&m->classes->column[m->only].codes, row);
	if (code < m->codes && m->of_code[code])
		return m->of_code[code] - 1;
	if (!classes_keys(m, row))
		return SIZE_MAX;
	size_t class = classes_find(m);
	if (code == CODE_NONE)
		return class;
	if (code >= m->codes) {
		size_t codes = 2 * ((size_t)code + 1);
		m->of_code = mem_resize(m->of_code, codes * sizeof *m->of_code);
		memset(m->of_code + m->codes, 0, (codes - m->codes) * sizeof *m->of_code);
		m->codes = codes;
	}
	m->of_code[code] = 1 + (uint32_t) class;
	return class;
}

/* ---- Sums */

static uint64_t classes_plus(uint64_t sum, uint64_t number)
{
	return number < UINT64_MAX - sum ? sum + number : UINT64_MAX;
}

bool classes_kind_adds(enum value_kind kind)
{
	return kind == VALUE_ID || kind == VALUE_COUNT || kind == VALUE_BYTES || kind == VALUE_TIME
	       || kind == VALUE_OFFSET || kind == VALUE_BOOL;
}

/* Parses a number with a fraction, which is a text in a field. */
static bool classes_real(const struct value *value, double *real)
{
	char *end;
	const char *text = buf_text(value->text);
	if (value->kind != VALUE_TEXT || !*text || strspn(text, "0123456789.e+-") != strlen(text))
		return false;
	*real = strtod(text, &end);
	return !*end && isfinite(*real);
}

static void classes_sum(struct classes_maker *m, struct class_column *column,
                        struct class_cell *cell, const struct value *value)
{
	double real;
	if (classes_kind_adds(value->kind)) {
		uint64_t *sum = value->negative ? &cell->whole : &cell->number;
		*sum = classes_plus(*sum, value->number);
	} else if (classes_real(value, &real)) {
		cell->real += real;
		column->real = true;
	} else {
		m->classes->no_number += value->kind != VALUE_NONE;
	}
}

static void classes_most(struct class_cell *cell, const struct value *value)
{
	if (!classes_kind_adds(value->kind) || value->negative)
		return;
	cell->kind = (uint8_t)value->kind;
	cell->number = value->number > cell->number ? value->number : cell->number;
}

static void classes_add_cell(struct classes_maker *m, size_t row, int i, struct class_cell *cell)
{
	struct class_column *column = &m->classes->column[i];
	enum class_how how = m->table->columns[i].of.how;
	struct value value = {.text = &m->text};
	buf_clear(&m->text);
	rows_cell(m->classes->of, row, column->from, &value);
	if (how == CLASS_MOST)
		classes_most(cell, &value);
	else
		classes_sum(m, column, cell, &value);
	if (how == CLASS_SHARE)
		classes_sum(m, column, &column->whole, &value);
}

static void classes_add(struct classes_maker *m, size_t row, size_t class)
{
	struct class_cell *cell = classes_at(m, class);
	uint64_t bytes;
	for (int n = 0; n < m->measures; n++) {
		int i = m->measure[n];
		enum class_how how = m->table->columns[i].of.how;
		if (how == CLASS_ROWS) {
			cell[i].number++;
		} else if (how != CLASS_BYTES) {
			classes_add_cell(m, row, i, &cell[i]);
		} else if (rows_bytes(m->classes->of, row, &bytes)) {
			m->classes->objects = true;
			cell[i].number += bytes;
		}
	}
}

/* Returns true if something asks for the class of each row. */
static bool classes_by_row(const struct table *table)
{
	bool asked = table->members || ((table->fill || table->open) && !table->makes_columns);
	for (int i = 0; i < table->column_count; i++)
		asked |= table->columns[i].of.how == CLASS_RETAINED;
	return asked;
}

/* Begins the codes of all columns, and lists those that are added to. */
static void classes_begin_columns(struct classes_maker *m)
{
	int keys = 0;
	m->key = mem_alloc((size_t)m->table->column_count * sizeof *m->key);
	m->measure = mem_alloc((size_t)m->table->column_count * sizeof *m->measure);
	for (int i = 0; i < m->table->column_count; i++) {
		struct class_column *column = &m->classes->column[i];
		enum class_how how = m->table->columns[i].of.how;
		if (how == CLASS_ROWS || how == CLASS_BYTES || how == CLASS_SUM || how == CLASS_MOST
		    || how == CLASS_SHARE)
			m->measure[m->measures++] = i;
		column->codes = (struct codes){.rows = m->classes->of, .column = column->from};
		if (classes_is_key(m, i))
			m->only = keys++ == 0 && column_is_coded(&m->classes->of->table->columns[column->from])
			              ? i
			              : -1;
	}
}

bool classes_make(struct rows *rows, const uint32_t *row, size_t count)
{
	struct classes *classes = rows->classes;
	struct classes_maker m = {.rows = rows, .classes = classes, .table = rows->table, .only = -1};
	bool on = true;
	if (classes_by_row(rows->table)) {
		classes->of_row = mem_alloc((classes->of->count + 1) * sizeof *classes->of_row);
		memset(classes->of_row, 0xff, classes->of->count * sizeof *classes->of_row);
	}
	classes_begin_columns(&m);
	progress_begin(rows->progress, "grouping", count);
	for (size_t i = 0; i < count && on; i++) {
		size_t at = row ? row[i] : i, class = classes_of_row(&m, at);
		if (class != SIZE_MAX)
			classes_add(&m, at, class);
		else
			classes->left_out++;
		if (classes->of_row && class != SIZE_MAX)
			classes->of_row[at] = (uint32_t) class;
		on = i % POLL_EVERY || progress_step(rows->progress, i);
	}
	map_free(&m.of_keys);
	buf_free(&m.text);
	free(m.key);
	free(m.of_code);
	free(m.measure);
	return on;
}

/* ---- Classes of an earlier dump */

static void classes_add_gone_one(struct classes_maker *m, const struct rows *old, size_t row)
{
	const struct classes *from = old->classes;
	const struct class_cell *was = from->cell + row * (size_t)m->table->column_count;
	for (int i = 0; i < m->table->column_count; i++) {
		m->key[i] = (struct class_cell){0};
		if (!classes_is_key(m, i))
			continue;
		m->key[i] = was[i];
		if (was[i].text)
			m->key[i].text = codes_of_text(&m->classes->column[i].codes,
			                               codes_text(&from->column[i].codes, was[i].text));
	}
	classes_new(m);
}

void classes_add_gone(struct rows *rows)
{
	const struct rows *old = rows->before->rows;
	struct classes_maker m = {.rows = rows, .classes = rows->classes, .table = rows->table};
	SCOPED_FREE bool *met = mem_alloc(((old ? old->count : 0) + 1) * sizeof *met);
	SCOPED_FREE struct class_cell *key = mem_alloc((size_t)rows->table->column_count * sizeof *key);
	m.key = key;
	for (size_t row = 0; old && row < rows->count; row++) {
		size_t at = delta_row(rows, row);
		if (at != SIZE_MAX)
			met[at] = true;
	}
	for (size_t row = 0; old && row < old->count; row++)
		if (!met[row])
			classes_add_gone_one(&m, old, row);
	classes_sort(rows);
}

/* ---- Order */

static int class_cell_order(const struct codes *codes, const struct class_cell *a,
                            const struct class_cell *b)
{
	if (!a->kind || !b->kind)
		return !a->kind - !b->kind;
	if (a->text && b->text)
		return strcmp(codes_text(codes, a->text), codes_text(codes, b->text));
	return a->number < b->number ? -1 : a->number > b->number;
}

static int classes_order(const void *a, const void *b, void *of)
{
	const struct rows *rows = of;
	const struct classes *classes = rows->classes;
	size_t columns = (size_t)rows->table->column_count;
	const struct class_cell *x = classes->cell + *(const uint32_t *)a * columns;
	const struct class_cell *y = classes->cell + *(const uint32_t *)b * columns;
	int order = 0;
	for (size_t i = 0; i < columns && !order; i++)
		if (rows->table->columns[i].of.how == CLASS_KEY)
			order = class_cell_order(&classes->column[i].codes, &x[i], &y[i]);
	return order;
}

void classes_sort(struct rows *rows)
{
	struct classes *classes = rows->classes;
	size_t columns = (size_t)rows->table->column_count;
	SCOPED_FREE uint32_t *order = mem_alloc((rows->count + 1) * sizeof *order);
	SCOPED_FREE uint32_t *place = mem_alloc((rows->count + 1) * sizeof *place);
	struct class_cell *cell = mem_alloc((rows->count + 1) * columns * sizeof *cell);
	for (size_t i = 0; i < rows->count; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, rows->count, sizeof *order, classes_order, rows);
	for (size_t i = 0; i < rows->count; i++) {
		memcpy(cell + i * columns, classes->cell + order[i] * columns, columns * sizeof *cell);
		place[order[i]] = (uint32_t)i;
	}
	for (size_t i = 0; classes->of_row && i < classes->of->count; i++)
		if (classes->of_row[i] != UINT32_MAX)
			classes->of_row[i] = place[classes->of_row[i]];
	if (classes->others != SIZE_MAX)
		classes->others = place[classes->others];
	free(classes->cell);
	classes->cell = cell;
	classes->capacity = rows->count + 1;
}
